// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

struct GasBudget {
    address paymaster;
    bytes32 paymasterCodeHash;
    uint32 paymasterDataLength;
    uint128 maxGasPerOperation;
    uint128 maxFeePerGas;
    uint128 maxPriorityFeePerGas;
    uint256 totalGas;
    uint256 totalCost;
}

struct Allocation {
    bytes32 id;
    address asset;
    uint256 limit;
}

/// Condition 0: the word is equal; 1: the word counts, and is at most this.
struct Rule {
    uint8 condition;
    uint16 offset;
    bytes32 word;
}

struct Action {
    address target;
    bytes32 codeHash;
    bytes4 selector;
    uint8 valueMode;
    uint8 allocation;
    uint32 minimumLength;
    uint32 maximumLength;
    uint256 perCall;
    uint256 total;
    Rule[] rules;
}

struct Policy {
    address sessionKey;
    uint64 generation;
    bytes32 nonce;
    uint48 validAfter;
    uint48 validUntil;
    uint32 maximumCalls;
    GasBudget gas;
    Allocation[] allocations;
    Action[] actions;
}

/// Reads policies where they stand in calldata.
library SessionPolicies {
    uint256 private constant WORD = 32;
    /// After the word that leads to the policy.
    uint256 private constant BODY = WORD;
    uint256 private constant SCALARS = 14;
    uint256 private constant ALLOCATIONS = BODY + 16 * WORD;
    uint256 private constant ACTION_SCALARS = 9;
    uint256 private constant ACTION_HEAD = 10 * WORD;
    uint256 private constant TRIPLE = 3 * WORD;

    /// How many bytes each member has, in order.
    bytes32 private constant POLICY_WIDTHS = hex"1408200606041420041010102020";
    bytes32 private constant ALLOCATION_WIDTHS = hex"201420";
    bytes32 private constant ACTION_WIDTHS = hex"142020010104042020";
    bytes32 private constant RULE_WIDTHS = hex"010220";
    uint256 private constant SELECTOR = 2 * WORD;

    /// Whether these bytes are exactly what `abi.encode` makes of one policy.
    function isCanonical(bytes calldata encoded) internal pure returns (bool) {
        uint256 length = encoded.length;
        if (length < ALLOCATIONS + 2 * WORD || _word(encoded, 0) != BODY) return false;
        if (!_areWithin(encoded, BODY, POLICY_WIDTHS, SCALARS)) return false;
        if (_word(encoded, BODY + SCALARS * WORD) != ALLOCATIONS - BODY) return false;
        uint256 count = _word(encoded, ALLOCATIONS);
        if (count > length / TRIPLE) return false;
        uint256 actions = ALLOCATIONS + WORD + count * TRIPLE;
        if (actions + WORD > length) return false;
        if (_word(encoded, BODY + (SCALARS + 1) * WORD) != actions - BODY) return false;
        for (uint256 i; i < count; i++) {
            if (!_areWithin(encoded, ALLOCATIONS + WORD + i * TRIPLE, ALLOCATION_WIDTHS, 3)) return false;
        }
        return _areActions(encoded, actions);
    }

    /// The policy in bytes that are canonical.
    function policyIn(bytes calldata encoded) internal pure returns (Policy calldata policy) {
        assembly ("memory-safe") {
            policy := add(encoded.offset, 32)
        }
    }

    /// From their count to the end of all.
    function _areActions(bytes calldata encoded, uint256 at) private pure returns (bool) {
        uint256 count = _word(encoded, at);
        if (count > encoded.length / WORD) return false;
        uint256 heads = at + WORD;
        uint256 next = heads + count * WORD;
        if (next > encoded.length) return false;
        for (uint256 i; i < count; i++) {
            if (_word(encoded, heads + i * WORD) != next - heads) return false;
            uint256 end = _endOfAction(encoded, next);
            if (end == 0) return false;
            next = end;
        }
        return next == encoded.length;
    }

    /// 0: there is none.
    function _endOfAction(bytes calldata encoded, uint256 at) private pure returns (uint256 end) {
        uint256 rules = at + ACTION_HEAD;
        if (rules + WORD > encoded.length) return 0;
        if (!_areWithin(encoded, at, ACTION_WIDTHS, ACTION_SCALARS)) return 0;
        if (_word(encoded, at + SELECTOR) << 32 != 0) return 0;
        if (_word(encoded, at + ACTION_SCALARS * WORD) != ACTION_HEAD) return 0;
        uint256 count = _word(encoded, rules);
        if (count > encoded.length / TRIPLE) return 0;
        end = rules + WORD + count * TRIPLE;
        if (end > encoded.length) return 0;
        for (uint256 i; i < count; i++) {
            if (!_areWithin(encoded, rules + WORD + i * TRIPLE, RULE_WIDTHS, 3)) return 0;
        }
    }

    function _areWithin(bytes calldata encoded, uint256 at, bytes32 widths, uint256 count)
        private
        pure
        returns (bool)
    {
        for (uint256 i; i < count; i++) {
            if (_word(encoded, at + i * WORD) >> (8 * uint256(uint8(widths[i]))) != 0) return false;
        }
        return true;
    }

    /// Whoever asks has looked at the length.
    function _word(bytes calldata encoded, uint256 at) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := calldataload(add(encoded.offset, at))
        }
    }
}
