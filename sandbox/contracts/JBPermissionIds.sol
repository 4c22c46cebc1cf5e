// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

library JBPermissionIds {
    uint8 internal constant ROOT = 1;
    uint8 internal constant QUEUE_RULESETS = 2;
    uint8 internal constant LAUNCH_RULESETS = 3;
    uint8 internal constant CASH_OUT_TOKENS = 4;
    uint8 internal constant SEND_PAYOUTS = 5;
    uint8 internal constant MIGRATE_TERMINAL = 6;
    uint8 internal constant SET_PROJECT_URI = 7;
    uint8 internal constant DEPLOY_ERC20 = 8;
    uint8 internal constant SET_TOKEN = 9;
    uint8 internal constant MINT_TOKENS = 10;
    uint8 internal constant BURN_TOKENS = 11;
    uint8 internal constant CLAIM_TOKENS = 12;
    uint8 internal constant TRANSFER_CREDITS = 13;
    uint8 internal constant SET_CONTROLLER = 14;
    uint8 internal constant SET_TERMINALS = 15;
    uint8 internal constant SET_PRIMARY_TERMINAL = 17;
    uint8 internal constant USE_ALLOWANCE = 18;
    uint8 internal constant SET_SPLIT_GROUPS = 19;
    uint8 internal constant ADD_PRICE_FEED = 20;
    uint8 internal constant ADD_ACCOUNTING_CONTEXTS = 21;
    uint8 internal constant SET_TOKEN_METADATA = 22;
    uint8 internal constant SIGN_FOR_ERC20 = 23;
}
