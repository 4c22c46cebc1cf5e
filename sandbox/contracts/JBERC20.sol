// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IJBPermissions, IJBProjects, IJBToken, IJBTokens} from "./interfaces.sol";
import {JBPermissioned} from "./JBPermissioned.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";

/// A project's token; every project has its own minimal proxy of this implementation.
contract JBERC20 is ERC20Votes, ERC20Permit, JBPermissioned, IERC1271, IJBToken {
    error JBERC20_AlreadyInitialized(uint256 currentNameLength, uint256 newNameLength);
    error JBERC20_Unauthorized(address caller, address tokens);

    IJBProjects public immutable PROJECTS;

    IJBTokens public tokens;
    string private _name;
    string private _symbol;

    constructor(IJBPermissions permissions, IJBProjects projects)
        ERC20("", "")
        ERC20Permit("JBToken")
        JBPermissioned(permissions)
    {
        PROJECTS = projects;
        _name = "implementation";
    }

    modifier onlyTokens() {
        if (msg.sender != address(tokens)) revert JBERC20_Unauthorized(msg.sender, address(tokens));
        _;
    }

    function initialize(string memory name_, string memory symbol_, address tokensAddress) external {
        if (bytes(_name).length != 0) {
            revert JBERC20_AlreadyInitialized(bytes(_name).length, bytes(name_).length);
        }
        (_name, _symbol, tokens) = (name_, symbol_, IJBTokens(tokensAddress));
    }

    function mint(address account, uint256 amount) external onlyTokens {
        _mint(account, amount);
    }

    function burn(address account, uint256 amount) external onlyTokens {
        _burn(account, amount);
    }

    function setMetadata(string calldata name_, string calldata symbol_) external onlyTokens {
        (_name, _symbol) = (name_, symbol_);
    }

    /// The project's owner, or an operator it permits, signs for the token.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4 magicValue) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(hash, signature);
        if (failure != ECDSA.RecoverError.NoError) return 0xffffffff;
        uint256 projectId = tokens.projectIdOf(this);
        address owner = PROJECTS.ownerOf(projectId);
        bool permitted = signer == owner
            || PERMISSIONS.hasPermission(signer, owner, projectId, JBPermissionIds.SIGN_FOR_ERC20, true, true);
        return permitted ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    function canBeAddedTo(uint256) external pure returns (bool) {
        return false;
    }

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    function balanceOf(address account) public view override(ERC20, IJBToken) returns (uint256) {
        return super.balanceOf(account);
    }

    function totalSupply() public view override(ERC20, IJBToken) returns (uint256) {
        return super.totalSupply();
    }

    function decimals() public view override(ERC20, IJBToken) returns (uint8) {
        return super.decimals();
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }
}
