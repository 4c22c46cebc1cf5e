// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JB721InitTiersConfig} from "../shops/ShopStructs.sol";
import {JBSplit} from "../structs.sol";
import {JBSuckerDeployerConfig} from "../suckers/SuckerStructs.sol";

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

struct REVSuckerDeploymentConfig {
    JBSuckerDeployerConfig[] deployerConfigurations;
    bytes32 salt;
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
