// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IJBPayerTracker, IJBPermissions, IJBProjects, IJBTerminal, IPermit2} from "../interfaces.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {JBAccountingContext, JBPayHookSpecification, JBRuleset} from "../structs.sol";
import {ForwardingTerminal} from "./ForwardingTerminal.sol";

struct DefaultTerminalSegment {
    uint256 minProjectIdExclusive;
    uint256 maxProjectId;
    IJBTerminal terminal;
}

/// The terminal that stands for the router of each project: its own choice, or the default of its time.
contract JBRouterTerminalRegistry is JBPermissioned, Ownable, ForwardingTerminal, IJBPayerTracker {
    error JBRouterTerminalRegistry_CannotDisallowDefaultTerminal(IJBTerminal terminal);
    error JBRouterTerminalRegistry_CircularForward(IJBTerminal terminal);
    error JBRouterTerminalRegistry_AmountOverflow(uint256 amount);
    error JBRouterTerminalRegistry_NoMsgValueAllowed(uint256 value);
    error JBRouterTerminalRegistry_TerminalLocked(uint256 projectId);
    error JBRouterTerminalRegistry_TerminalMismatch(IJBTerminal currentTerminal, IJBTerminal expectedTerminal);
    error JBRouterTerminalRegistry_TerminalNotAllowed(IJBTerminal terminal);
    error JBRouterTerminalRegistry_TerminalNotSet(uint256 projectId);
    error JBRouterTerminalRegistry_ZeroAddress(IJBTerminal terminal);

    event JBRouterTerminalRegistry_AllowTerminal(IJBTerminal terminal, address caller);
    event JBRouterTerminalRegistry_DisallowTerminal(IJBTerminal terminal, address caller);
    event JBRouterTerminalRegistry_LockTerminal(uint256 indexed projectId, address caller);
    event JBRouterTerminalRegistry_SetDefaultTerminal(IJBTerminal terminal, address caller);
    event JBRouterTerminalRegistry_SetTerminal(uint256 indexed projectId, IJBTerminal terminal, address caller);

    uint256 private constant SET_ROUTER_TERMINAL = 31;

    IJBProjects public immutable PROJECTS;

    IJBTerminal public defaultTerminal;
    uint256 public defaultTerminalProjectIdThreshold;
    address public transient originalPayer;
    mapping(IJBTerminal terminal => bool) public isTerminalAllowed;
    mapping(uint256 projectId => bool) public hasLockedTerminal;
    mapping(uint256 projectId => IJBTerminal) private _terminalOf;
    DefaultTerminalSegment[] private _history;

    constructor(
        IJBPermissions permissions,
        IJBProjects projects,
        IPermit2 permit2,
        address owner,
        address trustedForwarder
    ) JBPermissioned(permissions) Ownable(owner) ForwardingTerminal(permit2, trustedForwarder) {
        PROJECTS = projects;
    }

    function allowTerminal(IJBTerminal terminal) external onlyOwner {
        _requireOther(terminal);
        _allow(terminal);
    }

    function disallowTerminal(IJBTerminal terminal) external onlyOwner {
        if (terminal == defaultTerminal) revert JBRouterTerminalRegistry_CannotDisallowDefaultTerminal(terminal);
        isTerminalAllowed[terminal] = false;
        emit JBRouterTerminalRegistry_DisallowTerminal(terminal, _msgSender());
    }

    /// Projects that exist keep the default they had; the first default is that of all.
    function setDefaultTerminal(IJBTerminal terminal) external onlyOwner {
        _requireOther(terminal);
        if (address(defaultTerminal) != address(0)) {
            uint256 latest = PROJECTS.count();
            _history.push(DefaultTerminalSegment(defaultTerminalProjectIdThreshold, latest, defaultTerminal));
            defaultTerminalProjectIdThreshold = latest;
        }
        defaultTerminal = terminal;
        _allow(terminal);
        emit JBRouterTerminalRegistry_SetDefaultTerminal(terminal, _msgSender());
    }

    function setTerminalFor(uint256 projectId, IJBTerminal terminal) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_ROUTER_TERMINAL);
        if (hasLockedTerminal[projectId]) revert JBRouterTerminalRegistry_TerminalLocked(projectId);
        if (!isTerminalAllowed[terminal]) revert JBRouterTerminalRegistry_TerminalNotAllowed(terminal);
        _terminalOf[projectId] = terminal;
        emit JBRouterTerminalRegistry_SetTerminal(projectId, terminal, _msgSender());
    }

    function lockTerminalFor(uint256 projectId, IJBTerminal expectedTerminal) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_ROUTER_TERMINAL);
        IJBTerminal terminal = terminalOf(projectId);
        if (address(terminal) == address(0)) revert JBRouterTerminalRegistry_TerminalNotSet(projectId);
        if (terminal != expectedTerminal) {
            revert JBRouterTerminalRegistry_TerminalMismatch(terminal, expectedTerminal);
        }
        _terminalOf[projectId] = terminal;
        hasLockedTerminal[projectId] = true;
        emit JBRouterTerminalRegistry_LockTerminal(projectId, _msgSender());
    }

    function pay(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        uint256 minReturnedTokens,
        string calldata memo,
        bytes calldata metadata
    ) external payable returns (uint256 result) {
        originalPayer = _msgSender();
        result = abi.decode(_handOn(projectId, token, amount), (uint256));
        originalPayer = address(0);
    }

    function defaultTerminalHistoryLength() external view returns (uint256 length) {
        return _history.length;
    }

    function defaultTerminalHistoryAt(uint256 index) external view returns (DefaultTerminalSegment memory segment) {
        return _history[index];
    }

    function previewPayFor(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        bytes calldata metadata
    )
        external
        view
        returns (
            JBRuleset memory ruleset,
            uint256 beneficiaryTokenCount,
            uint256 reservedTokenCount,
            JBPayHookSpecification[] memory hookSpecifications
        )
    {
        _askNext(projectId, token);
    }

    /// An empty one where the project has no terminal here.
    function accountingContextForTokenOf(uint256 projectId, address token)
        external
        view
        returns (JBAccountingContext memory context)
    {
        IJBTerminal terminal = terminalOf(projectId);
        if (address(terminal) != address(0)) return terminal.accountingContextForTokenOf(projectId, token);
    }

    function accountingContextsOf(uint256 projectId)
        external
        view
        returns (JBAccountingContext[] memory contexts)
    {}

    function currentSurplusOf(uint256 projectId, address[] calldata tokens, uint256 decimals, uint256 currency)
        external
        pure
        returns (uint256)
    {}

    function migrateBalanceOf(uint256 projectId, address token, address to) external pure returns (uint256) {}

    function supportsInterface(bytes4 interfaceId) external pure returns (bool supported) {
        return interfaceId == type(IJBTerminal).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    function terminalOf(uint256 projectId) public view returns (IJBTerminal terminal) {
        terminal = _terminalOf[projectId];
        if (address(terminal) == address(0)) terminal = defaultTerminalFor(projectId);
    }

    function defaultTerminalFor(uint256 projectId) public view returns (IJBTerminal terminal) {
        if (projectId > defaultTerminalProjectIdThreshold) return defaultTerminal;
        for (uint256 i; i < _history.length; i++) {
            if (projectId <= _history[i].maxProjectId) return _history[i].terminal;
        }
    }

    function _routeFor(uint256 projectId, address token) internal view override returns (address, address) {
        return (address(terminalOf(projectId)), token);
    }

    function _refuseRoute(uint256 projectId, address) internal pure override {
        revert JBRouterTerminalRegistry_TerminalNotSet(projectId);
    }

    function _refuseValue() internal override {
        revert JBRouterTerminalRegistry_NoMsgValueAllowed(msg.value);
    }

    function _refuseAmount(uint256 amount) internal pure override {
        revert JBRouterTerminalRegistry_AmountOverflow(amount);
    }

    function _allow(IJBTerminal terminal) private {
        if (isTerminalAllowed[terminal]) return;
        isTerminalAllowed[terminal] = true;
        emit JBRouterTerminalRegistry_AllowTerminal(terminal, _msgSender());
    }

    function _requireOther(IJBTerminal terminal) private view {
        if (address(terminal) == address(0)) revert JBRouterTerminalRegistry_ZeroAddress(terminal);
        if (address(terminal) == address(this)) revert JBRouterTerminalRegistry_CircularForward(terminal);
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
