// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IJBPayerTracker, IJBProjects, IJBTokenUriResolver} from "./interfaces.sol";

/// A project is an ERC-721 token; project 1 receives the protocol's fees.
contract JBProjects is ERC721, ERC2771Context, Ownable, IJBProjects, IJBPayerTracker {
    error JBProjects_CreationFeeExceedsMax(uint256 fee, uint256 max);
    error JBProjects_InvalidCreationFee(uint256 value, uint256 requiredFee);
    error JBProjects_ZeroCreationFeeReceiver();

    event Create(uint256 indexed projectId, address indexed owner, address caller);
    event SetCreationFee(uint256 fee, address receiver, address caller);
    event SetTokenUriResolver(IJBTokenUriResolver indexed resolver, address caller);

    uint256 public constant MAX_CREATION_FEE = 0.1 ether;

    uint256 public count;
    uint256 public creationFee;
    address payable public creationFeeReceiver;
    IJBTokenUriResolver public tokenUriResolver;
    address public transient originalPayer;

    constructor(address owner, address feeProjectOwner, address trustedForwarder)
        ERC721("Projects", "PROJECT")
        ERC2771Context(trustedForwarder)
        Ownable(owner)
    {
        _create(feeProjectOwner);
    }

    function createFor(address owner) external payable returns (uint256 projectId) {
        uint256 fee = creationFee;
        if (msg.value != fee) revert JBProjects_InvalidCreationFee(msg.value, fee);
        projectId = _create(owner);
        if (fee == 0) return projectId;
        originalPayer = _payerBehind(_msgSender());
        Address.sendValue(creationFeeReceiver, fee);
        originalPayer = address(0);
    }

    function setCreationFee(uint256 fee, address payable receiver) external onlyOwner {
        if (fee > MAX_CREATION_FEE) revert JBProjects_CreationFeeExceedsMax(fee, MAX_CREATION_FEE);
        if (fee != 0 && receiver == address(0)) revert JBProjects_ZeroCreationFeeReceiver();
        creationFee = fee;
        creationFeeReceiver = receiver;
        emit SetCreationFee(fee, receiver, _msgSender());
    }

    function setTokenUriResolver(IJBTokenUriResolver resolver) external onlyOwner {
        tokenUriResolver = resolver;
        emit SetTokenUriResolver(resolver, _msgSender());
    }

    function tokenURI(uint256 projectId) public view override returns (string memory) {
        return address(tokenUriResolver) == address(0) ? "" : tokenUriResolver.getUri(projectId);
    }

    function _create(address owner) private returns (uint256 projectId) {
        projectId = ++count;
        emit Create(projectId, owner, _msgSender());
        _safeMint(owner, projectId);
    }

    function _payerBehind(address sender) private view returns (address) {
        if (sender.code.length == 0) return sender;
        try IJBPayerTracker(sender).originalPayer() returns (address payer) {
            return payer == address(0) ? sender : payer;
        } catch {
            return sender;
        }
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }
}
