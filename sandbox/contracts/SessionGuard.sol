// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {IERC7579Validator, MODULE_TYPE_VALIDATOR} from "@openzeppelin/contracts/interfaces/draft-IERC7579.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Action, Allocation, GasBudget, Policy, Rule, SessionPolicies} from "./SessionPolicies.sol";

/// Lets a key act for a wallet within a policy that the wallet enabled: one live policy a wallet, one call an operation.
contract SessionGuard is IERC7579Validator {
    error Refused(uint8 rule);

    event SessionEnabled(
        address indexed account,
        bytes32 indexed permissionId,
        bytes32 compiledHash,
        uint64 enableNonce,
        uint64 epoch,
        bytes32 history
    );
    event SessionRevoked(
        address indexed account, bytes32 indexed permissionId, uint64 enableNonce, uint64 epoch, bytes32 history
    );

    struct State {
        bytes32 compiledHash;
        uint8 status;
        uint48 validAfter;
        uint48 validUntil;
        uint32 calls;
        address sessionKey;
        uint256 gas;
        uint256 cost;
        uint256[16] actionSpent;
        uint256[16] allocationSpent;
    }

    struct Administration {
        uint64 enableNonce;
        uint64 epoch;
        bool installed;
        bytes32 history;
        bytes32 live;
    }

    uint8 private constant ENABLED = 1;
    uint8 private constant REVOKED = 2;

    /// What the history says was done.
    uint8 private constant DID_ENABLE = 1;
    uint8 private constant DID_REVOKE = 2;
    uint8 private constant DID_UNINSTALL = 3;

    uint256 private constant MAXIMUM_MEMBERS = 16;
    uint8 private constant NO_ALLOCATION = 255;
    uint256 private constant MAXIMUM_CALLS = 100_000;
    uint256 private constant MAXIMUM_PAYMASTER_DATA = 1024;
    bytes32 private constant NO_CODE = keccak256("");

    /// Tag, permission, length of the policy.
    uint256 private constant ENVELOPE_HEAD = 1 + 32 + 4;
    uint256 private constant SIGNATURE = 65;
    uint256 private constant PAYMASTER_HEAD = 52;

    /// `execute(bytes32,bytes)`, and where its bytes and their content stand.
    bytes4 private constant EXECUTE = 0xe9ae5c53;
    uint256 private constant EXECUTION = 4 + 3 * 32;
    /// Target and value, before the data of the call.
    uint256 private constant CALL_HEAD = 20 + 32;

    address public immutable ENTRY_POINT;
    address public immutable ADAPTER;

    /// Each member at keccak(account ‖ x) + n, as ERC-7562 asks of what a validation reads and writes.
    mapping(bytes32 permissionId => mapping(address account => State)) private _states;
    mapping(address account => Administration) private _administrations;

    constructor(address entryPoint, address adapter) {
        ENTRY_POINT = entryPoint;
        ADAPTER = adapter;
    }

    function onInstall(bytes calldata data) external {
        Administration storage administration = _administrations[msg.sender];
        _require(!administration.installed, 1);
        administration.installed = true;
        if (data.length == 0) return;
        (uint64 expectedEnableNonce, bytes calldata encoded) = _enabling(data);
        _enable(administration, expectedEnableNonce, encoded);
    }

    function onUninstall(bytes calldata) external {
        Administration storage administration = _installed();
        administration.installed = false;
        _end(administration, DID_UNINSTALL);
    }

    function enable(uint64 expectedEnableNonce, bytes calldata encoded) external {
        _enable(_installed(), expectedEnableNonce, encoded);
    }

    function revoke(bytes32 permissionId) external {
        Administration storage administration = _installed();
        _require(permissionId != 0 && administration.live == permissionId, 3);
        _end(administration, DID_REVOKE);
    }

    /// Reads no time and calls nobody; what it counts stays counted when the call fails.
    function validateUserOp(PackedUserOperation calldata operation, bytes32 operationHash)
        external
        returns (uint256)
    {
        _require(msg.sender == operation.sender, 20);
        bytes calldata envelope = operation.signature;
        bytes calldata encoded = _policyOf(envelope);
        State storage state = _states[bytes32(envelope[1:33])][msg.sender];
        _require(state.status == ENABLED, 22);
        _require(compiledHashOf(msg.sender, keccak256(encoded)) == state.compiledHash, 23);
        Policy calldata policy = SessionPolicies.policyIn(encoded);
        uint256 key = uint256(uint160(address(this))) << 32;
        _require(operation.initCode.length == 0 && operation.nonce >> 64 == key, 24);
        _checkPaymaster(policy.gas, operation.paymasterAndData);
        _countGas(state, policy.gas, operation);
        _require(state.calls < policy.maximumCalls, 28);
        state.calls++;
        _countCall(state, policy, operation.callData);
        bytes32 signed = MessageHashUtils.toEthSignedMessageHash(operationHash);
        (address signer, ECDSA.RecoverError fault,) =
            ECDSA.tryRecoverCalldata(signed, envelope[envelope.length - SIGNATURE:]);
        bool failed = fault != ECDSA.RecoverError.NoError || signer != state.sessionKey;
        return (failed ? 1 : 0) | (uint256(state.validUntil) << 160) | (uint256(state.validAfter) << 208);
    }

    /// A session signs operations, never a message.
    function isValidSignatureWithSender(address, bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }

    function isModuleType(uint256 moduleTypeId) external pure returns (bool) {
        return moduleTypeId == MODULE_TYPE_VALIDATOR;
    }

    function isInitialized(address account) external view returns (bool) {
        return _administrations[account].installed;
    }

    function stateOf(bytes32 permissionId, address account) external view returns (State memory) {
        return _states[permissionId][account];
    }

    function administrationOf(address account) external view returns (Administration memory) {
        return _administrations[account];
    }

    function permissionIdOf(address account, address sessionKey, uint64 generation, bytes32 nonce)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(block.chainid, address(this), account, sessionKey, generation, nonce));
    }

    function compiledHashOf(address account, bytes32 policyHash) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), account, policyHash));
    }

    function _require(bool holds, uint8 rule) private pure {
        if (!holds) revert Refused(rule);
    }

    function _installed() private view returns (Administration storage administration) {
        administration = _administrations[msg.sender];
        _require(administration.installed, 2);
    }

    /// Exactly `abi.encode(uint64, bytes)`.
    function _enabling(bytes calldata data) private pure returns (uint64, bytes calldata encoded) {
        _require(data.length >= 96, 6);
        uint256 length = uint256(bytes32(data[64:96]));
        _require(uint256(bytes32(data[:32])) <= type(uint64).max && uint256(bytes32(data[32:64])) == 64, 6);
        _require(length < data.length && data.length == 96 + ((length + 31) & ~uint256(31)), 6);
        encoded = data[96:96 + length];
        _require(_isZero(data[96 + length:]), 6);
        return (uint64(uint256(bytes32(data[:32]))), encoded);
    }

    function _enable(Administration storage administration, uint64 expectedEnableNonce, bytes calldata encoded)
        private
    {
        _require(administration.enableNonce == expectedEnableNonce, 4);
        _require(administration.live == 0, 5);
        _require(SessionPolicies.isCanonical(encoded), 6);
        Policy calldata policy = SessionPolicies.policyIn(encoded);
        _review(policy);
        bytes32 permissionId =
            permissionIdOf(msg.sender, policy.sessionKey, policy.generation, policy.nonce);
        State storage state = _states[permissionId][msg.sender];
        _require(state.status == 0, 14);
        state.compiledHash = compiledHashOf(msg.sender, keccak256(encoded));
        state.status = ENABLED;
        state.validAfter = policy.validAfter;
        state.validUntil = policy.validUntil;
        state.sessionKey = policy.sessionKey;
        administration.live = permissionId;
        _append(administration, DID_ENABLE, permissionId, state.compiledHash);
        emit SessionEnabled(
            msg.sender,
            permissionId,
            state.compiledHash,
            administration.enableNonce,
            administration.epoch,
            administration.history
        );
    }

    /// Of what lives, for ever; an uninstallation has an entry of its own also where nothing lives.
    function _end(Administration storage administration, uint8 action) private {
        bytes32 permissionId = administration.live;
        bytes32 compiledHash;
        if (permissionId != 0) {
            State storage state = _states[permissionId][msg.sender];
            state.status = REVOKED;
            compiledHash = state.compiledHash;
            administration.live = 0;
        }
        administration.enableNonce++;
        _append(administration, action, permissionId, compiledHash);
        emit SessionRevoked(
            msg.sender, permissionId, administration.enableNonce, administration.epoch, administration.history
        );
    }

    function _append(Administration storage administration, uint8 action, bytes32 permissionId, bytes32 compiled)
        private
    {
        uint64 epoch = ++administration.epoch;
        administration.history = keccak256(
            abi.encode(administration.history, action, permissionId, compiled, administration.enableNonce, epoch)
        );
    }

    function _review(Policy calldata policy) private view {
        _require(policy.sessionKey != address(0) && policy.nonce != 0 && policy.generation != 0, 7);
        uint256 from = policy.validAfter;
        uint256 until = policy.validUntil;
        _require(until == from + 7 days || until == from + 30 days, 8);
        _require(until > block.timestamp && from <= block.timestamp + 1 days, 8);
        _require(policy.maximumCalls > 0 && policy.maximumCalls <= MAXIMUM_CALLS, 9);
        _reviewGas(policy.gas);
        uint256 count = policy.actions.length;
        _require(policy.allocations.length <= MAXIMUM_MEMBERS && count > 0 && count <= MAXIMUM_MEMBERS, 10);
        for (uint256 i; i < policy.allocations.length; i++) {
            Allocation calldata allocation = policy.allocations[i];
            _require(allocation.id != 0 && allocation.limit > 0, 9);
        }
        for (uint256 i; i < count; i++) {
            _reviewAction(policy.allocations, policy.actions[i]);
            for (uint256 j; j < i; j++) {
                _require(!_areSame(policy.actions[i], policy.actions[j]), 13);
            }
        }
    }

    /// One operation at its ceilings is within the totals.
    function _reviewGas(GasBudget calldata gas) private view {
        _require(gas.maxGasPerOperation > 0 && gas.maxFeePerGas > 0, 9);
        _require(gas.maxPriorityFeePerGas <= gas.maxFeePerGas, 9);
        _require(gas.totalGas >= gas.maxGasPerOperation, 9);
        _require(gas.totalCost >= uint256(gas.maxGasPerOperation) * gas.maxFeePerGas, 9);
        _require(gas.paymasterDataLength <= MAXIMUM_PAYMASTER_DATA, 9);
        if (gas.paymaster == address(0)) {
            _require(gas.paymasterCodeHash == 0 && gas.paymasterDataLength == 0, 9);
        } else {
            _require(_hasCode(gas.paymaster, gas.paymasterCodeHash), 9);
        }
    }

    function _reviewAction(Allocation[] calldata allocations, Action calldata action) private view {
        _require(action.rules.length <= MAXIMUM_MEMBERS, 10);
        address target = action.target;
        _require(target != msg.sender && target != address(this), 11);
        _require(target != ENTRY_POINT && target != ADAPTER, 11);
        _require(_hasCode(target, action.codeHash) && action.valueMode <= 1, 12);
        _require(action.minimumLength >= 4 && action.minimumLength <= action.maximumLength, 12);
        if (_reviewRules(action)) {
            _require(action.perCall > 0 && action.perCall <= action.total, 12);
            if (action.allocation == NO_ALLOCATION) return;
            _require(action.allocation < allocations.length, 12);
            _require(action.total <= allocations[action.allocation].limit, 12);
        } else {
            _require(action.perCall == 0 && action.total == 0, 12);
            _require(action.allocation == NO_ALLOCATION && action.valueMode == 0, 12);
        }
    }

    /// Whether one of the words counts.
    function _reviewRules(Action calldata action) private pure returns (bool counts) {
        uint256 next;
        for (uint256 i; i < action.rules.length; i++) {
            Rule calldata rule = action.rules[i];
            uint256 offset = rule.offset;
            _require(offset >= next && offset % 32 == 0, 12);
            next = offset + 32;
            _require(4 + next <= action.minimumLength && rule.condition <= 1, 12);
            if (rule.condition == 0) continue;
            _require(!counts && uint256(rule.word) == action.perCall, 12);
            counts = true;
        }
    }

    function _areSame(Action calldata one, Action calldata other) private pure returns (bool) {
        return one.target == other.target && one.selector == other.selector;
    }

    function _hasCode(address at, bytes32 codeHash) private view returns (bool) {
        return at.codehash == codeHash && codeHash != 0 && codeHash != NO_CODE;
    }

    function _policyOf(bytes calldata envelope) private pure returns (bytes calldata encoded) {
        _require(envelope.length > ENVELOPE_HEAD + SIGNATURE && envelope[0] == 0x01, 21);
        uint256 length = uint32(bytes4(envelope[33:ENVELOPE_HEAD]));
        _require(envelope.length == ENVELOPE_HEAD + length + SIGNATURE, 21);
        return envelope[ENVELOPE_HEAD:ENVELOPE_HEAD + length];
    }

    function _checkPaymaster(GasBudget calldata gas, bytes calldata data) private view {
        address paymaster = gas.paymaster;
        if (paymaster == address(0)) {
            _require(data.length == 0, 25);
            return;
        }
        _require(data.length == PAYMASTER_HEAD + gas.paymasterDataLength, 25);
        _require(address(bytes20(data[:20])) == paymaster, 25);
        _require(paymaster.codehash == gas.paymasterCodeHash, 25);
    }

    function _countGas(State storage state, GasBudget calldata gas, PackedUserOperation calldata operation) private {
        uint256 used = operation.preVerificationGas;
        _require(used <= type(uint128).max, 26);
        used += _high(operation.accountGasLimits) + _low(operation.accountGasLimits);
        if (operation.paymasterAndData.length > 0) {
            bytes32 limits = bytes32(operation.paymasterAndData[20:PAYMASTER_HEAD]);
            used += _high(limits) + _low(limits);
        }
        uint256 fee = _low(operation.gasFees);
        _require(used <= gas.maxGasPerOperation && fee <= gas.maxFeePerGas, 26);
        _require(_high(operation.gasFees) <= gas.maxPriorityFeePerGas, 26);
        _require(used <= gas.totalGas && state.gas <= gas.totalGas - used, 27);
        uint256 cost = used * fee;
        _require(cost <= gas.totalCost && state.cost <= gas.totalCost - cost, 27);
        state.gas += used;
        state.cost += cost;
    }

    function _high(bytes32 word) private pure returns (uint256) {
        return uint256(word) >> 128;
    }

    function _low(bytes32 word) private pure returns (uint256) {
        return uint128(uint256(word));
    }

    function _countCall(State storage state, Policy calldata policy, bytes calldata callData) private {
        bytes calldata execution = _execution(callData);
        address target = address(bytes20(execution[:20]));
        uint256 value = uint256(bytes32(execution[20:CALL_HEAD]));
        bytes calldata data = execution[CALL_HEAD:];
        uint256 index = _actionFor(policy.actions, target, data);
        Action calldata action = policy.actions[index];
        _require(data.length >= action.minimumLength && data.length <= action.maximumLength, 30);
        _require(target.codehash == action.codeHash, 30);
        (bool counts, uint256 amount) = _checkWords(action.rules, data);
        _require(value == (action.valueMode == 1 ? amount : 0), 32);
        if (!counts) return;
        _require(amount <= action.perCall, 33);
        uint256 spent = state.actionSpent[index];
        _require(amount <= action.total && spent <= action.total - amount, 33);
        state.actionSpent[index] = spent + amount;
        if (action.allocation == NO_ALLOCATION) return;
        uint256 limit = policy.allocations[action.allocation].limit;
        spent = state.allocationSpent[action.allocation];
        _require(amount <= limit && spent <= limit - amount, 33);
        state.allocationSpent[action.allocation] = spent + amount;
    }

    /// Of the default mode, encoded as `abi.encodeCall` encodes it, and nothing behind.
    function _execution(bytes calldata callData) private pure returns (bytes calldata) {
        _require(callData.length >= EXECUTION + CALL_HEAD && bytes4(callData[:4]) == EXECUTE, 29);
        _require(bytes32(callData[4:36]) == 0 && uint256(bytes32(callData[36:68])) == 64, 29);
        uint256 length = uint256(bytes32(callData[68:EXECUTION]));
        _require(length >= CALL_HEAD && length <= callData.length - EXECUTION, 29);
        _require(callData.length == EXECUTION + ((length + 31) & ~uint256(31)), 29);
        _require(_isZero(callData[EXECUTION + length:]), 29);
        return callData[EXECUTION:EXECUTION + length];
    }

    /// Fewer than 32 bytes.
    function _isZero(bytes calldata padding) private pure returns (bool) {
        return bytes32(padding) == 0;
    }

    function _actionFor(Action[] calldata actions, address target, bytes calldata data)
        private
        pure
        returns (uint256)
    {
        _require(data.length >= 4, 34);
        bytes4 selector = bytes4(data[:4]);
        for (uint256 i; i < actions.length; i++) {
            if (actions[i].target == target && actions[i].selector == selector) return i;
        }
        revert Refused(34);
    }

    function _checkWords(Rule[] calldata rules, bytes calldata data)
        private
        pure
        returns (bool counts, uint256 amount)
    {
        for (uint256 i; i < rules.length; i++) {
            uint256 at = 4 + uint256(rules[i].offset);
            bytes32 word = bytes32(data[at:at + 32]);
            if (rules[i].condition == 0) {
                _require(word == rules[i].word, 31);
            } else {
                (counts, amount) = (true, uint256(word));
            }
        }
    }
}
