// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBCurrencyAmount} from "./structs.sol";

struct LimitWithUse {
    uint256 amount;
    uint256 currency;
    bool usedIsKnown;
    uint256 used;
}

/// Never deployed: its creation code runs inside one `eth_call` and returns a list of limits, each with what is used of it,
/// so that what follows from the currencies of the limits costs no further round trip.
contract LimitsWithUse {
    uint256 private constant MOST = 32;

    /// `limitsCall` returns currency amounts; `usedCall` lacks its last argument, the currency of a limit.
    constructor(address limits, bytes memory limitsCall, address store, bytes memory usedCall) {
        (bool told, bytes memory list) = limits.staticcall(limitsCall);
        if (!told || list.length == 0) revert();
        JBCurrencyAmount[] memory amounts = abi.decode(list, (JBCurrencyAmount[]));
        uint256 count = amounts.length < MOST ? amounts.length : MOST;
        LimitWithUse[] memory rows = new LimitWithUse[](count);
        for (uint256 i; i < count; i++) {
            (bool known, bytes memory used) =
                store.staticcall(bytes.concat(usedCall, abi.encode(uint256(amounts[i].currency))));
            rows[i] = LimitWithUse({
                amount: amounts[i].amount,
                currency: amounts[i].currency,
                usedIsKnown: known && used.length == 32,
                used: known && used.length == 32 ? abi.decode(used, (uint256)) : 0
            });
        }
        bytes memory result = abi.encode(amounts.length, rows);
        assembly {
            return(add(result, 32), mload(result))
        }
    }
}
