// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IJBDirectory, IJBToken, IJBTokens} from "./interfaces.sol";
import {JBControlled} from "./JBControlled.sol";

/// A holder's balance in a project: internal credits, and ERC-20 tokens once the project has a token.
contract JBTokens is JBControlled, IJBTokens {
    error JBTokens_EmptyName(uint256 projectId);
    error JBTokens_EmptySymbol(uint256 projectId);
    error JBTokens_EmptyToken(uint256 projectId);
    error JBTokens_InsufficientCredits(uint256 count, uint256 creditBalance);
    error JBTokens_InsufficientTokensToBurn(uint256 count, uint256 tokenBalance);
    error JBTokens_OverflowAlert(uint256 value, uint256 limit);
    error JBTokens_ProjectAlreadyHasToken(IJBToken token);
    error JBTokens_TokenAlreadyBeingUsed(uint256 projectId);
    error JBTokens_TokenCantBeAdded(uint256 projectId);
    error JBTokens_TokenNotFound(uint256 projectId);
    error JBTokens_TokensMustHave18Decimals(uint256 decimals);

    event Burn(
        address indexed holder,
        uint256 indexed projectId,
        uint256 count,
        uint256 creditBalance,
        uint256 tokenBalance,
        address caller
    );
    event ClaimTokens(
        address indexed holder,
        uint256 indexed projectId,
        uint256 creditBalance,
        uint256 count,
        address beneficiary,
        address caller
    );
    event DeployERC20(
        uint256 indexed projectId, IJBToken indexed token, string name, string symbol, bytes32 salt, address caller
    );
    event Mint(
        address indexed holder, uint256 indexed projectId, uint256 count, bool tokensWereClaimed, address caller
    );
    event SetToken(uint256 indexed projectId, IJBToken indexed token, address caller);
    event SetTokenMetadata(uint256 indexed projectId, string name, string symbol, address caller);
    event TransferCredits(
        address indexed holder, uint256 indexed projectId, address indexed recipient, uint256 count, address caller
    );

    IJBToken public immutable TOKEN;

    mapping(address holder => mapping(uint256 projectId => uint256)) public creditBalanceOf;
    mapping(IJBToken token => uint256) public projectIdOf;
    mapping(uint256 projectId => IJBToken) public tokenOf;
    mapping(uint256 projectId => uint256) public totalCreditSupplyOf;

    constructor(IJBDirectory directory, IJBToken token) JBControlled(directory) {
        TOKEN = token;
    }

    function mintFor(address holder, uint256 projectId, uint256 count)
        external
        onlyControllerOf(projectId)
        returns (IJBToken token)
    {
        token = tokenOf[projectId];
        bool claimed = address(token) != address(0);
        uint256 supply = totalSupplyOf(projectId) + count;
        if (supply > type(uint208).max) revert JBTokens_OverflowAlert(supply, type(uint208).max);
        if (claimed) {
            token.mint(holder, count);
        } else {
            creditBalanceOf[holder][projectId] += count;
            totalCreditSupplyOf[projectId] += count;
        }
        emit Mint(holder, projectId, count, claimed, msg.sender);
    }

    /// Credits are burned before tokens.
    function burnFrom(address holder, uint256 projectId, uint256 count) external onlyControllerOf(projectId) {
        IJBToken token = tokenOf[projectId];
        uint256 creditBalance = creditBalanceOf[holder][projectId];
        uint256 tokenBalance = address(token) == address(0) ? 0 : token.balanceOf(holder);
        if (count > creditBalance + tokenBalance) {
            revert JBTokens_InsufficientTokensToBurn(count, creditBalance + tokenBalance);
        }
        uint256 credits = count < creditBalance ? count : creditBalance;
        creditBalanceOf[holder][projectId] = creditBalance - credits;
        totalCreditSupplyOf[projectId] -= credits;
        emit Burn(holder, projectId, count, creditBalance, tokenBalance, msg.sender);
        if (count > credits) token.burn(holder, count - credits);
    }

    function claimTokensFor(address holder, uint256 projectId, uint256 count, address beneficiary)
        external
        onlyControllerOf(projectId)
    {
        IJBToken token = tokenOf[projectId];
        if (address(token) == address(0)) revert JBTokens_TokenNotFound(projectId);
        uint256 creditBalance = _takeCredits(holder, projectId, count);
        totalCreditSupplyOf[projectId] -= count;
        emit ClaimTokens(holder, projectId, creditBalance, count, beneficiary, msg.sender);
        token.mint(beneficiary, count);
    }

    function transferCreditsFrom(address holder, uint256 projectId, address recipient, uint256 count)
        external
        onlyControllerOf(projectId)
    {
        _takeCredits(holder, projectId, count);
        creditBalanceOf[recipient][projectId] += count;
        emit TransferCredits(holder, projectId, recipient, count, msg.sender);
    }

    function deployERC20For(uint256 projectId, string calldata name, string calldata symbol, bytes32 salt)
        external
        onlyControllerOf(projectId)
        returns (IJBToken token)
    {
        _requireMetadata(projectId, name, symbol);
        _requireNoToken(projectId);
        bytes32 cloneSalt = keccak256(abi.encodePacked(msg.sender, salt));
        address clone =
            salt == 0 ? Clones.clone(address(TOKEN)) : Clones.cloneDeterministic(address(TOKEN), cloneSalt);
        token = IJBToken(clone);
        _link(projectId, token);
        token.initialize(name, symbol, address(this));
        emit DeployERC20(projectId, token, name, symbol, salt, msg.sender);
    }

    function setTokenFor(uint256 projectId, IJBToken token) external onlyControllerOf(projectId) {
        if (address(token) == address(0)) revert JBTokens_EmptyToken(projectId);
        _requireNoToken(projectId);
        if (projectIdOf[token] != 0) revert JBTokens_TokenAlreadyBeingUsed(projectIdOf[token]);
        if (token.decimals() != 18) revert JBTokens_TokensMustHave18Decimals(token.decimals());
        if (!token.canBeAddedTo(projectId)) revert JBTokens_TokenCantBeAdded(projectId);
        _link(projectId, token);
        emit SetToken(projectId, token, msg.sender);
    }

    function setTokenMetadataFor(uint256 projectId, string calldata name, string calldata symbol)
        external
        onlyControllerOf(projectId)
    {
        if (address(tokenOf[projectId]) == address(0)) revert JBTokens_TokenNotFound(projectId);
        _requireMetadata(projectId, name, symbol);
        tokenOf[projectId].setMetadata(name, symbol);
        emit SetTokenMetadata(projectId, name, symbol, msg.sender);
    }

    function totalBalanceOf(address holder, uint256 projectId) external view returns (uint256 balance) {
        balance = creditBalanceOf[holder][projectId];
        IJBToken token = tokenOf[projectId];
        if (address(token) != address(0)) balance += token.balanceOf(holder);
    }

    function totalSupplyOf(uint256 projectId) public view returns (uint256 totalSupply) {
        totalSupply = totalCreditSupplyOf[projectId];
        IJBToken token = tokenOf[projectId];
        if (address(token) != address(0)) totalSupply += token.totalSupply();
    }

    function _link(uint256 projectId, IJBToken token) private {
        tokenOf[projectId] = token;
        projectIdOf[token] = projectId;
    }

    function _takeCredits(address holder, uint256 projectId, uint256 count) private returns (uint256 creditBalance) {
        creditBalance = creditBalanceOf[holder][projectId];
        if (count > creditBalance) revert JBTokens_InsufficientCredits(count, creditBalance);
        creditBalanceOf[holder][projectId] = creditBalance - count;
    }

    function _requireNoToken(uint256 projectId) private view {
        IJBToken token = tokenOf[projectId];
        if (address(token) != address(0)) revert JBTokens_ProjectAlreadyHasToken(token);
    }

    function _requireMetadata(uint256 projectId, string calldata name, string calldata symbol) private pure {
        if (bytes(name).length == 0) revert JBTokens_EmptyName(projectId);
        if (bytes(symbol).length == 0) revert JBTokens_EmptySymbol(projectId);
    }
}
