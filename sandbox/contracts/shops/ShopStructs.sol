// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBRulesetApprovalHook} from "../interfaces.sol";
import {JBFundAccessLimitGroup, JBSplit, JBSplitGroup, JBTerminalConfig} from "../structs.sol";

struct JB721TierConfigFlags {
    bool allowOwnerMint;
    bool useReserveBeneficiaryAsDefault;
    bool transfersPausable;
    bool useVotingUnits;
    bool cantBeRemoved;
    bool cantIncreaseDiscountPercent;
    bool cantBuyWithCredits;
}

struct JB721TierConfig {
    uint104 price;
    uint32 initialSupply;
    uint32 votingUnits;
    uint16 reserveFrequency;
    address reserveBeneficiary;
    bytes32 encodedIpfsUri;
    uint24 category;
    uint8 discountPercent;
    JB721TierConfigFlags flags;
    uint32 splitPercent;
    JBSplit[] splits;
}

struct JB721TierFlags {
    bool allowOwnerMint;
    bool transfersPausable;
    bool cantBeRemoved;
    bool cantIncreaseDiscountPercent;
    bool cantBuyWithCredits;
}

struct JB721Tier {
    uint32 id;
    uint104 price;
    uint32 remainingSupply;
    uint32 initialSupply;
    uint104 votingUnits;
    uint16 reserveFrequency;
    address reserveBeneficiary;
    bytes32 encodedIpfsUri;
    uint24 category;
    uint8 discountPercent;
    JB721TierFlags flags;
    uint32 splitPercent;
    string resolvedUri;
}

struct JB721InitTiersConfig {
    JB721TierConfig[] tiers;
    uint32 currency;
    uint8 decimals;
}

struct JB721TiersHookFlags {
    bool noNewTiersWithReserves;
    bool noNewTiersWithVotes;
    bool noNewTiersWithOwnerMinting;
    bool preventOverspending;
    bool issueTokensForSplits;
}

struct JBDeploy721TiersHookConfig {
    string name;
    string symbol;
    string baseUri;
    address tokenUriResolver;
    string contractUri;
    JB721InitTiersConfig tiersConfig;
    JB721TiersHookFlags flags;
}

/// A ruleset's metadata without what the deployer decides: that the hook is the data hook, and for payments.
struct JBPayDataHookRulesetMetadata {
    uint16 reservedPercent;
    uint16 cashOutTaxRate;
    uint32 baseCurrency;
    bool pausePay;
    bool pauseCreditTransfers;
    bool allowOwnerMinting;
    bool allowSetCustomToken;
    bool allowTerminalMigration;
    bool allowSetTerminals;
    bool allowSetController;
    bool allowAddAccountingContext;
    bool allowAddPriceFeed;
    bool ownerMustSendPayouts;
    bool holdFees;
    bool scopeCashOutsToLocalBalances;
    bool useDataHookForCashOut;
    uint16 metadata;
}

struct JBPayDataHookRulesetConfig {
    uint48 mustStartAtOrAfter;
    uint32 duration;
    uint112 weight;
    uint32 weightCutPercent;
    IJBRulesetApprovalHook approvalHook;
    JBPayDataHookRulesetMetadata metadata;
    JBSplitGroup[] splitGroups;
    JBFundAccessLimitGroup[] fundAccessLimitGroups;
}

struct JBLaunchProjectConfig {
    string projectUri;
    JBPayDataHookRulesetConfig[] rulesetConfigurations;
    JBTerminalConfig[] terminalConfigurations;
    string memo;
}
