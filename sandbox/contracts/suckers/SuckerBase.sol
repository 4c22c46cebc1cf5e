// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {IJBDirectory, IJBPermissions, IJBProjects, IJBTokens} from "../interfaces.sol";
import {IJBSuckerRegistry} from "./SuckerInterfaces.sol";
import {JBInboxTreeRoot, JBOutboxTree, JBRemoteToken, JBSuckerState, JBTokenMapping} from "./SuckerStructs.sol";

/// Whom a sucker belongs to, which tokens it carries, and how long it works.
abstract contract SuckerBase is JBPermissioned, ERC2771Context {
    event DeprecationTimeUpdated(uint40 timestamp, address caller);
    event EmergencyHatchOpened(address[] tokens, address caller);
    event Initialized(uint64 version);

    error InvalidInitialization();
    error JBSucker_BelowMinGas(uint256 minGas, uint256 minGasLimit);
    error JBSucker_Deprecated(uint8 state);
    error JBSucker_DeprecationTimestampTooSoon(uint256 givenTime, uint256 minimumTime);
    error JBSucker_InvalidNativeRemoteAddress(bytes32 remoteToken);
    error JBSucker_TokenAlreadyMapped(address localToken, bytes32 mappedTo);
    error JBSucker_TokenHasInvalidEmergencyHatchState(address token);
    error JBSucker_TokenNotMapped(address token);

    uint32 public constant MESSENGER_BASE_GAS_LIMIT = 300_000;
    uint32 public constant MESSENGER_ERC20_MIN_GAS_LIMIT = 200_000;
    uint8 public constant MESSAGE_VERSION = 1;
    uint8 private constant MAP_SUCKER_TOKEN = 32;
    uint8 private constant SUCKER_SAFETY = 35;
    uint8 private constant SET_SUCKER_DEPRECATION = 36;
    uint40 private constant LONGEST_DELAY = 14 days;

    IJBDirectory public immutable DIRECTORY;
    uint256 public immutable FEE_PROJECT_ID;
    IJBProjects public immutable PROJECTS;
    IJBSuckerRegistry public immutable REGISTRY;
    IJBTokens public immutable TOKENS;

    address public deployer;
    uint256 public projectId;
    bytes32 private _peer;
    uint40 private _deprecatedAfter;

    mapping(address token => JBRemoteToken) private _remoteTokenFor;
    mapping(address token => JBOutboxTree) internal _outboxOf;
    mapping(address token => JBInboxTreeRoot) internal _inboxOf;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBTokens tokens,
        uint256 feeProjectId,
        IJBSuckerRegistry registry,
        address forwarder
    ) JBPermissioned(permissions) ERC2771Context(forwarder) {
        DIRECTORY = directory;
        FEE_PROJECT_ID = feeProjectId;
        PROJECTS = directory.PROJECTS();
        REGISTRY = registry;
        TOKENS = tokens;
        projectId = type(uint256).max;
    }

    receive() external payable {}

    function initialize(uint256 initialProjectId) external {
        _initialize(initialProjectId, bytes32(0));
    }

    function initialize(uint256 localProjectId, bytes32 remotePeer) external {
        _initialize(localProjectId, remotePeer);
    }

    function mapToken(JBTokenMapping calldata map) external payable {
        _mapToken(map);
    }

    function mapTokens(JBTokenMapping[] calldata maps) external payable {
        for (uint256 i; i < maps.length; i++) {
            _mapToken(maps[i]);
        }
    }

    /// Ends what the tokens' outboxes send, for good.
    function enableEmergencyHatchFor(address[] calldata tokens) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SUCKER_SAFETY);
        for (uint256 i; i < tokens.length; i++) {
            JBRemoteToken storage remote = _remoteTokenFor[tokens[i]];
            if (remote.emergencyHatch) revert JBSucker_TokenHasInvalidEmergencyHatchState(tokens[i]);
            (remote.enabled, remote.emergencyHatch) = (false, true);
        }
        emit EmergencyHatchOpened(tokens, _msgSender());
    }

    function setDeprecation(uint40 timestamp) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_SUCKER_DEPRECATION);
        _requireSending();
        uint256 soonest = block.timestamp + LONGEST_DELAY;
        if (timestamp != 0 && timestamp < soonest) revert JBSucker_DeprecationTimestampTooSoon(timestamp, soonest);
        _deprecatedAfter = timestamp;
        emit DeprecationTimeUpdated(timestamp, _msgSender());
    }

    function inboxOf(address token) external view returns (JBInboxTreeRoot memory) {
        return _inboxOf[token];
    }

    function isMapped(address token) external view returns (bool) {
        return _remoteTokenFor[token].addr != bytes32(0);
    }

    function outboxOf(address token) external view returns (JBOutboxTree memory) {
        return _outboxOf[token];
    }

    function remoteTokenFor(address token) external view returns (JBRemoteToken memory) {
        return _remoteTokenFor[token];
    }

    function peerChainId() public view virtual returns (uint256);

    function amountToAddToBalanceOf(address token) public view virtual returns (uint256) {
        return _balanceOf(token) - _outboxOf[token].balance;
    }

    function peer() public view returns (bytes32) {
        return _peer == bytes32(0) ? bytes32(uint256(uint160(address(this)))) : _peer;
    }

    function state() public view returns (JBSuckerState) {
        uint40 end = _deprecatedAfter;
        if (end == 0) return JBSuckerState.ENABLED;
        if (block.timestamp < end - LONGEST_DELAY) return JBSuckerState.DEPRECATION_PENDING;
        return block.timestamp < end ? JBSuckerState.SENDING_DISABLED : JBSuckerState.DEPRECATED;
    }

    function _balanceOf(address token) internal view returns (uint256) {
        return token == JBConstants.NATIVE_TOKEN ? address(this).balance : IERC20(token).balanceOf(address(this));
    }

    function _remoteOf(address token) internal view returns (JBRemoteToken memory remote) {
        remote = _remoteTokenFor[token];
        if (!remote.enabled) revert JBSucker_TokenNotMapped(token);
    }

    function _requireSending() internal view {
        JBSuckerState current = state();
        if (current == JBSuckerState.SENDING_DISABLED || current == JBSuckerState.DEPRECATED) {
            revert JBSucker_Deprecated(uint8(current));
        }
    }

    function _initialize(uint256 localProjectId, bytes32 remotePeer) private {
        if (projectId != 0) revert InvalidInitialization();
        (deployer, projectId, _peer) = (msg.sender, localProjectId, remotePeer);
        emit Initialized(1);
    }

    function _mapToken(JBTokenMapping calldata map) private {
        address sender = _msgSender();
        _requirePermissionUnless(
            sender == address(REGISTRY), PROJECTS.ownerOf(projectId), projectId, MAP_SUCKER_TOKEN
        );
        JBRemoteToken storage remote = _remoteTokenFor[map.localToken];
        bool isNative = map.localToken == JBConstants.NATIVE_TOKEN;
        bool opens = map.remoteToken != bytes32(0);
        if (isNative && opens && map.remoteToken != bytes32(uint256(uint160(JBConstants.NATIVE_TOKEN)))) {
            revert JBSucker_InvalidNativeRemoteAddress(map.remoteToken);
        }
        if (map.minGas < MESSENGER_ERC20_MIN_GAS_LIMIT) {
            revert JBSucker_BelowMinGas(map.minGas, MESSENGER_ERC20_MIN_GAS_LIMIT);
        }
        if (opens && remote.addr != map.remoteToken && _outboxOf[map.localToken].tree.count != 0) {
            revert JBSucker_TokenAlreadyMapped(map.localToken, remote.addr);
        }
        if (remote.emergencyHatch) revert JBSucker_TokenHasInvalidEmergencyHatchState(map.localToken);
        if (opens) REGISTRY.requireTokenMappingAllowed(map.localToken, peerChainId(), map.remoteToken);
        (remote.enabled, remote.minGas) = (opens, map.minGas);
        if (opens) remote.addr = map.remoteToken;
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }
}
