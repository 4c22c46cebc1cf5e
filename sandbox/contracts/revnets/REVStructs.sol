// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBSplit} from "../structs.sol";

struct REVDescription {
    string name;
    string ticker;
    string uri;
    bytes32 salt;
}

struct REVAutoIssuance {
    uint32 chainId;
    uint104 count;
    address beneficiary;
}

struct REVStageConfig {
    uint48 startsAtOrAfter;
    REVAutoIssuance[] autoIssuances;
    uint16 splitPercent;
    JBSplit[] splits;
    uint112 initialIssuance;
    uint32 issuanceCutFrequency;
    uint32 issuanceCutPercent;
    uint16 cashOutTaxRate;
    uint16 extraMetadata;
}

struct REVConfig {
    REVDescription description;
    uint32 baseCurrency;
    address operator;
    bool scopeCashOutsToLocalBalances;
    REVStageConfig[] stageConfigurations;
}

struct JBTokenMapping {
    address localToken;
    uint32 minGas;
    bytes32 remoteToken;
}

struct JBSuckerDeployerConfig {
    address deployer;
    bytes32 peer;
    JBTokenMapping[] mappings;
}

struct REVSuckerDeploymentConfig {
    JBSuckerDeployerConfig[] deployerConfigurations;
    bytes32 salt;
}

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

struct REV721TiersHookFlags {
    bool noNewTiersWithReserves;
    bool noNewTiersWithVotes;
    bool noNewTiersWithOwnerMinting;
    bool preventOverspending;
}

struct REVBaseline721HookConfig {
    string name;
    string symbol;
    string baseUri;
    address tokenUriResolver;
    string contractUri;
    JB721InitTiersConfig tiersConfig;
    REV721TiersHookFlags flags;
}

struct REVDeploy721TiersHookConfig {
    REVBaseline721HookConfig baseline721HookConfiguration;
    bytes32 salt;
    bool preventOperatorAdjustingTiers;
    bool preventOperatorUpdatingMetadata;
    bool preventOperatorMinting;
    bool preventOperatorIncreasingDiscountPercent;
}

struct REVCroptopAllowedPost {
    uint24 category;
    uint104 minimumPrice;
    uint32 minimumTotalSupply;
    uint32 maximumTotalSupply;
    uint32 maximumSplitPercent;
    address[] allowedAddresses;
}

struct REVOwnerAutoIssuance {
    uint256 stageId;
    address beneficiary;
    uint256 count;
}

struct REVOwnerGrant {
    address operator;
    uint8 permissionId;
}

struct REVOwnerInit {
    uint256 cashOutDelay;
    address tiered721Hook;
    address operator;
    uint256[] extraOperatorPermissionIds;
    REVOwnerAutoIssuance[] autoIssuances;
    REVOwnerGrant[] extraGrants;
}
