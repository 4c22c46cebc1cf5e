// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JB721TiersHookFlags, JBDeploy721TiersHookConfig} from "../shops/ShopStructs.sol";
import {REVPermissionIds} from "./REVPermissionIds.sol";
import {
    REV721TiersHookFlags,
    REVBaseline721HookConfig,
    REVConfig,
    REVDeploy721TiersHookConfig
} from "./REVStructs.sol";

library REVShops {
    uint8 private constant ETH_DECIMALS = 18;

    function emptyFor(REVConfig calldata configuration)
        internal
        pure
        returns (REVDeploy721TiersHookConfig memory shop)
    {
        shop.baseline721HookConfiguration.name = configuration.description.name;
        shop.baseline721HookConfiguration.symbol = configuration.description.ticker;
        shop.baseline721HookConfiguration.tiersConfig.currency = configuration.baseCurrency;
        shop.baseline721HookConfiguration.tiersConfig.decimals = ETH_DECIMALS;
        shop.salt = configuration.description.salt;
    }

    /// A revnet's shop never issues tokens for what goes to splits.
    function withAllFlags(REVDeploy721TiersHookConfig memory shop)
        internal
        pure
        returns (JBDeploy721TiersHookConfig memory)
    {
        REVBaseline721HookConfig memory baseline = shop.baseline721HookConfiguration;
        REV721TiersHookFlags memory flags = baseline.flags;
        return JBDeploy721TiersHookConfig(
            baseline.name,
            baseline.symbol,
            baseline.baseUri,
            baseline.tokenUriResolver,
            baseline.contractUri,
            baseline.tiersConfig,
            JB721TiersHookFlags(
                flags.noNewTiersWithReserves,
                flags.noNewTiersWithVotes,
                flags.noNewTiersWithOwnerMinting,
                flags.preventOverspending,
                false
            )
        );
    }

    function permissionIdsOf(REVDeploy721TiersHookConfig memory shop)
        internal
        pure
        returns (uint256[] memory permissionIds)
    {
        bool[4] memory prevented = [
            shop.preventOperatorAdjustingTiers,
            shop.preventOperatorUpdatingMetadata,
            shop.preventOperatorMinting,
            shop.preventOperatorIncreasingDiscountPercent
        ];
        uint8[4] memory ids = [
            REVPermissionIds.ADJUST_721_TIERS,
            REVPermissionIds.SET_721_METADATA,
            REVPermissionIds.MINT_721,
            REVPermissionIds.SET_721_DISCOUNT_PERCENT
        ];
        uint256 count;
        for (uint256 i; i < ids.length; i++) {
            if (!prevented[i]) count++;
        }
        permissionIds = new uint256[](count);
        for (uint256 i = ids.length; i > 0; i--) {
            if (!prevented[i - 1]) permissionIds[--count] = ids[i - 1];
        }
    }
}
