// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IJBPermissions, IJBProjects, IJBRulesetDataHook} from "../interfaces.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBPayHookSpecification,
    JBRuleset
} from "../structs.sol";

interface IBuybackPools {
    function initializePoolFor(
        uint256 projectId,
        uint24 fee,
        int24 tickSpacing,
        uint256 twapWindow,
        address terminalToken,
        uint160 sqrtPriceX96
    ) external;
    function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)
        external;
}

struct DefaultHookSegment {
    uint256 minProjectIdExclusive;
    uint256 maxProjectId;
    IJBRulesetDataHook hook;
}

/// The data hook that stands for the buyback hook of each project: its own choice, or the default of its time.
contract JBBuybackHookRegistry is JBPermissioned, Ownable, ERC2771Context, IJBRulesetDataHook {
    error JBBuybackHookRegistry_CannotDisallowDefaultHook(IJBRulesetDataHook hook);
    error JBBuybackHookRegistry_HookLocked(uint256 projectId);
    error JBBuybackHookRegistry_HookMismatch(IJBRulesetDataHook currentHook, IJBRulesetDataHook expectedHook);
    error JBBuybackHookRegistry_HookNotAllowed(IJBRulesetDataHook hook);
    error JBBuybackHookRegistry_HookNotSet(uint256 projectId);
    error JBBuybackHookRegistry_ZeroHook(IJBRulesetDataHook hook);

    event JBBuybackHookRegistry_AllowHook(IJBRulesetDataHook hook, address caller);
    event JBBuybackHookRegistry_DisallowHook(IJBRulesetDataHook hook, address caller);
    event JBBuybackHookRegistry_LockHook(uint256 projectId, address caller);
    event JBBuybackHookRegistry_SetDefaultHook(IJBRulesetDataHook hook, address caller);
    event JBBuybackHookRegistry_SetHook(uint256 indexed projectId, IJBRulesetDataHook hook, address caller);

    uint256 private constant SET_BUYBACK_POOL = 29;
    uint256 private constant SET_BUYBACK_HOOK = 30;

    IJBProjects public immutable PROJECTS;

    IJBRulesetDataHook public defaultHook;
    uint256 public defaultHookProjectIdThreshold;
    mapping(IJBRulesetDataHook hook => bool) public isHookAllowed;
    mapping(uint256 projectId => bool) public hasLockedHook;
    mapping(uint256 projectId => IJBRulesetDataHook) private _hookOf;
    DefaultHookSegment[] private _history;

    constructor(IJBPermissions permissions, IJBProjects projects, address owner, address trustedForwarder)
        JBPermissioned(permissions)
        Ownable(owner)
        ERC2771Context(trustedForwarder)
    {
        PROJECTS = projects;
    }

    function allowHook(IJBRulesetDataHook hook) external onlyOwner {
        _requireHook(hook);
        _allow(hook);
    }

    function disallowHook(IJBRulesetDataHook hook) external onlyOwner {
        if (hook == defaultHook) revert JBBuybackHookRegistry_CannotDisallowDefaultHook(hook);
        isHookAllowed[hook] = false;
        emit JBBuybackHookRegistry_DisallowHook(hook, _msgSender());
    }

    /// Projects that exist keep the default they had; the first default is that of all.
    function setDefaultHook(IJBRulesetDataHook hook) external onlyOwner {
        _requireHook(hook);
        uint256 latest = PROJECTS.count();
        IJBRulesetDataHook former = address(defaultHook) == address(0) ? hook : defaultHook;
        if (latest != 0) _history.push(DefaultHookSegment(defaultHookProjectIdThreshold, latest, former));
        defaultHookProjectIdThreshold = latest;
        defaultHook = hook;
        _allow(hook);
        emit JBBuybackHookRegistry_SetDefaultHook(hook, _msgSender());
    }

    function setHookFor(uint256 projectId, IJBRulesetDataHook hook) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_HOOK);
        if (hasLockedHook[projectId]) revert JBBuybackHookRegistry_HookLocked(projectId);
        if (!isHookAllowed[hook]) revert JBBuybackHookRegistry_HookNotAllowed(hook);
        _hookOf[projectId] = hook;
        emit JBBuybackHookRegistry_SetHook(projectId, hook, _msgSender());
    }

    /// The hook asks the owner's permission of this contract, beside that of who calls it.
    function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)
        external
    {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_POOL);
        IBuybackPools(address(hookOf(projectId))).setPoolFor(projectId, fee, tickSpacing, twapWindow, terminalToken);
    }

    function initializePoolFor(
        uint256 projectId,
        uint24 fee,
        int24 tickSpacing,
        uint256 twapWindow,
        address terminalToken,
        uint160 sqrtPriceX96
    ) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_POOL);
        IBuybackPools(address(hookOf(projectId))).initializePoolFor(
            projectId, fee, tickSpacing, twapWindow, terminalToken, sqrtPriceX96
        );
    }

    function lockHookFor(uint256 projectId, IJBRulesetDataHook expectedHook) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_HOOK);
        IJBRulesetDataHook hook = hookOf(projectId);
        if (address(hook) == address(0)) revert JBBuybackHookRegistry_HookNotSet(projectId);
        if (hook != expectedHook) revert JBBuybackHookRegistry_HookMismatch(hook, expectedHook);
        _hookOf[projectId] = hook;
        hasLockedHook[projectId] = true;
        emit JBBuybackHookRegistry_LockHook(projectId, _msgSender());
    }

    function defaultHookHistoryLength() external view returns (uint256 length) {
        return _history.length;
    }

    function defaultHookHistoryAt(uint256 index) external view returns (DefaultHookSegment memory segment) {
        return _history[index];
    }

    function hookOf(uint256 projectId) public view returns (IJBRulesetDataHook hook) {
        hook = _hookOf[projectId];
        if (address(hook) != address(0)) return hook;
        if (projectId > defaultHookProjectIdThreshold) return defaultHook;
        for (uint256 i; i < _history.length; i++) {
            if (projectId <= _history[i].maxProjectId) return _history[i].hook;
        }
    }

    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications)
    {
        IJBRulesetDataHook hook = hookOf(context.projectId);
        if (address(hook) == address(0)) return (context.weight, hookSpecifications);
        return hook.beforePayRecordedWith(context);
    }

    function beforeCashOutRecordedWith(JBBeforeCashOutRecordedContext calldata context)
        external
        view
        returns (
            uint256 cashOutTaxRate,
            uint256 cashOutCount,
            uint256 totalSupply,
            uint256 effectiveSurplusValue,
            JBCashOutHookSpecification[] memory hookSpecifications
        )
    {
        IJBRulesetDataHook hook = hookOf(context.projectId);
        if (address(hook) != address(0)) return hook.beforeCashOutRecordedWith(context);
        cashOutTaxRate = context.cashOutTaxRate;
        cashOutCount = context.cashOutCount;
        totalSupply = context.totalSupply;
        effectiveSurplusValue = context.surplus.value;
    }

    function hasMintPermissionFor(uint256 projectId, JBRuleset memory, address addr) external view returns (bool) {
        return addr != address(0) && addr == address(hookOf(projectId));
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IJBRulesetDataHook).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    function _allow(IJBRulesetDataHook hook) private {
        if (isHookAllowed[hook]) return;
        isHookAllowed[hook] = true;
        emit JBBuybackHookRegistry_AllowHook(hook, _msgSender());
    }

    function _requireHook(IJBRulesetDataHook hook) private pure {
        if (address(hook) == address(0)) revert JBBuybackHookRegistry_ZeroHook(hook);
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
