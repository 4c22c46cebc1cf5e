// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

library JBConstants {
    address internal constant NATIVE_TOKEN = 0x000000000000000000000000000000000000EEEe;
    uint16 internal constant MAX_RESERVED_PERCENT = 10_000;
    uint16 internal constant MAX_CASH_OUT_TAX_RATE = 10_000;
    uint32 internal constant MAX_WEIGHT_CUT_PERCENT = 1_000_000_000;
    uint32 internal constant SPLITS_TOTAL_PERCENT = 1_000_000_000;
    uint16 internal constant MAX_FEE = 1000;
    uint16 internal constant FEE = 25;
    uint256 internal constant FEE_PROJECT_ID = 1;
    uint256 internal constant RESERVED_TOKENS_GROUP = 1;
    uint48 internal constant FEE_HOLDING_SECONDS = 28 days;
}
