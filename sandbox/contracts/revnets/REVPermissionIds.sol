// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBPermissionIds} from "../JBPermissionIds.sol";
import {JBPermissionsData} from "../structs.sol";

/// What the owner of the revnets lets others do.
library REVPermissionIds {
    uint8 internal constant USE_ALLOWANCE = JBPermissionIds.USE_ALLOWANCE;
    uint8 internal constant SET_TOKEN_METADATA = 22;
    uint8 internal constant SIGN_FOR_ERC20 = 23;
    uint8 internal constant ADJUST_721_TIERS = 24;
    uint8 internal constant SET_721_METADATA = 25;
    uint8 internal constant MINT_721 = 26;
    uint8 internal constant SET_721_DISCOUNT_PERCENT = 27;
    uint8 internal constant SET_BUYBACK_TWAP = 28;
    uint8 internal constant SET_BUYBACK_POOL = 29;
    uint8 internal constant SET_BUYBACK_HOOK = 30;
    uint8 internal constant SET_ROUTER_TERMINAL = 31;
    uint8 internal constant MAP_SUCKER_TOKEN = 32;
    uint8 internal constant DEPLOY_SUCKERS = 33;
    uint8 internal constant SUCKER_SAFETY = 35;

    function ofEveryOperator() internal pure returns (uint8[] memory permissionIds) {
        permissionIds = new uint8[](9);
        permissionIds[0] = JBPermissionIds.SET_SPLIT_GROUPS;
        permissionIds[1] = SET_BUYBACK_POOL;
        permissionIds[2] = SET_BUYBACK_TWAP;
        permissionIds[3] = JBPermissionIds.SET_PROJECT_URI;
        permissionIds[4] = SUCKER_SAFETY;
        permissionIds[5] = SET_BUYBACK_HOOK;
        permissionIds[6] = SET_ROUTER_TERMINAL;
        permissionIds[7] = SET_TOKEN_METADATA;
        permissionIds[8] = SIGN_FOR_ERC20;
    }

    function only(address operator, uint64 projectId, uint8 permissionId)
        internal
        pure
        returns (JBPermissionsData memory)
    {
        uint8[] memory permissionIds = new uint8[](1);
        permissionIds[0] = permissionId;
        return JBPermissionsData(operator, projectId, permissionIds);
    }
}
