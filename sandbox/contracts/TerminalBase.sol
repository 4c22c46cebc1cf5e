// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {
    IJBController,
    IJBDirectory,
    IJBFeelessAddresses,
    IJBPermissions,
    IJBProjects,
    IJBSplits,
    IJBTerminal,
    IJBTerminalStore,
    IJBTokens,
    IPermit2
} from "./interfaces.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBPermissioned} from "./JBPermissioned.sol";
import {JBSingleAllowance, Permits} from "./Permits.sol";
import {MetadataEntries} from "./shops/MetadataEntries.sol";
import {JBAccountingContext, JBTokenAmount} from "./structs.sol";

/// Takes funds in and sends funds out.
abstract contract TerminalBase is JBPermissioned, ERC2771Context {
    using SafeERC20 for IERC20;

    error JBMultiTerminal_NoMsgValueAllowed(uint256 value);
    error JBMultiTerminal_OverflowAlert(uint256 value, uint256 limit);
    error JBMultiTerminal_PermitAllowanceNotEnough(uint256 amount, uint256 allowance);
    error JBMultiTerminal_TokenNotAccepted(address token);
    error JBMultiTerminal_UnderMin(uint256 value, uint256 min);

    event AddToBalance(
        uint256 indexed projectId, uint256 amount, uint256 returnedFees, string memo, bytes metadata, address caller
    );
    event Permit2AllowanceFailed(address indexed token, address indexed owner, bytes reason);

    IJBDirectory public immutable DIRECTORY;
    IJBFeelessAddresses public immutable FEELESS_ADDRESSES;
    IPermit2 public immutable PERMIT2;
    IJBProjects public immutable PROJECTS;
    IJBSplits public immutable SPLITS;
    IJBTerminalStore public immutable STORE;
    IJBTokens public immutable TOKENS;

    constructor(
        IJBFeelessAddresses feelessAddresses,
        IJBPermissions permissions,
        IJBProjects projects,
        IJBSplits splits,
        IJBTerminalStore store,
        IJBTokens tokens,
        IPermit2 permit2,
        address trustedForwarder
    ) JBPermissioned(permissions) ERC2771Context(trustedForwarder) {
        DIRECTORY = store.DIRECTORY();
        FEELESS_ADDRESSES = feelessAddresses;
        PERMIT2 = permit2;
        PROJECTS = projects;
        SPLITS = splits;
        STORE = store;
        TOKENS = tokens;
    }

    modifier onlySelf() {
        require(msg.sender == address(this));
        _;
    }

    /// External so that a failing recipient can be caught.
    function executeTransferTo(address payable addr, address token, uint256 amount) external onlySelf {
        _send(addr, token, amount);
    }

    function _accept(uint256 projectId, address token, uint256 amount, bytes calldata metadata)
        internal
        returns (uint256)
    {
        _requireAccepted(projectId, token);
        if (token == JBConstants.NATIVE_TOKEN) return msg.value;
        if (msg.value != 0) revert JBMultiTerminal_NoMsgValueAllowed(msg.value);
        _usePermit(token, amount, metadata);
        uint256 before = _held(token);
        if (!Permits.pull(address(PERMIT2), token, _msgSender(), amount)) {
            revert JBMultiTerminal_OverflowAlert(amount, type(uint160).max);
        }
        return _held(token) - before;
    }

    function _usePermit(address token, uint256 amount, bytes calldata metadata) private {
        bytes4 id = MetadataEntries.idOf("permit2", address(this));
        (bool found, bytes calldata value) = MetadataEntries.valueOf(id, metadata);
        if (!found) return;
        JBSingleAllowance memory signed = abi.decode(value, (JBSingleAllowance));
        if (amount > signed.amount) revert JBMultiTerminal_PermitAllowanceNotEnough(amount, signed.amount);
        (bool isAllowed, bytes memory reason) = Permits.allow(address(PERMIT2), token, _msgSender(), signed);
        if (!isAllowed) emit Permit2AllowanceFailed(token, _msgSender(), reason);
    }

    function _send(address payable recipient, address token, uint256 amount) internal {
        if (token == JBConstants.NATIVE_TOKEN) Address.sendValue(recipient, amount);
        else IERC20(token).safeTransfer(recipient, amount);
    }

    /// Lets a contract take the amount: as value to send for the native token, else as an allowance.
    function _offer(address to, address token, uint256 amount) internal returns (uint256 value) {
        if (token == JBConstants.NATIVE_TOKEN) return amount;
        IERC20(token).forceApprove(to, amount);
    }

    function _addAt(IJBTerminal terminal, uint256 projectId, address token, uint256 amount, bytes memory metadata)
        internal
    {
        uint256 value = _offer(address(terminal), token, amount);
        terminal.addToBalanceOf{value: value}(projectId, token, amount, false, "", metadata);
    }

    function _keep(uint256 projectId, address token, uint256 amount) internal {
        STORE.recordAddedBalanceFor(projectId, token, amount);
    }

    function _added(
        uint256 projectId,
        address token,
        uint256 amount,
        uint256 returnedFees,
        string memory memo,
        bytes memory metadata
    ) internal {
        _keep(projectId, token, amount + returnedFees);
        emit AddToBalance(projectId, amount, returnedFees, memo, metadata, _msgSender());
    }

    function _requireAtLeast(uint256 value, uint256 min) internal pure {
        if (value < min) revert JBMultiTerminal_UnderMin(value, min);
    }

    function _amountOf(uint256 projectId, address token, uint256 amount) internal view returns (JBTokenAmount memory) {
        JBAccountingContext memory context = _contextOf(projectId, token);
        return JBTokenAmount(token, context.decimals, context.currency, amount);
    }

    function _isFeeless(address addr, uint256 projectId) internal view returns (bool) {
        return _isFeelessFor(addr, projectId, _msgSender());
    }

    function _isFeelessFor(address addr, uint256 projectId, address caller) internal view returns (bool) {
        return FEELESS_ADDRESSES.isFeelessFor(addr, projectId, caller);
    }

    function _requireAccepted(uint256 projectId, address token) internal view {
        if (_contextOf(projectId, token).token == address(0)) revert JBMultiTerminal_TokenNotAccepted(token);
    }

    function _contextOf(uint256 projectId, address token) internal view returns (JBAccountingContext memory) {
        return STORE.accountingContextOf(address(this), projectId, token);
    }

    function _held(address token) private view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }

    function _ownerOf(uint256 projectId) internal view returns (address) {
        return PROJECTS.ownerOf(projectId);
    }

    function _terminalOf(uint256 projectId, address token) internal view returns (IJBTerminal) {
        return DIRECTORY.primaryTerminalOf(projectId, token);
    }

    function _controllerOf(uint256 projectId) internal view returns (IJBController) {
        return IJBController(address(DIRECTORY.controllerOf(projectId)));
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
