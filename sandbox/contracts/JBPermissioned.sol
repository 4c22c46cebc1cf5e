// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IJBPermissions} from "./interfaces.sol";

/// An account, or an operator it permits, may act.
abstract contract JBPermissioned is Context {
    error JBPermissioned_Unauthorized(address account, address sender, uint256 projectId, uint256 permissionId);

    IJBPermissions public immutable PERMISSIONS;

    constructor(IJBPermissions permissions) {
        PERMISSIONS = permissions;
    }

    function _requirePermissionFrom(address account, uint256 projectId, uint256 permissionId) internal view {
        _requirePermissionUnless(false, account, projectId, permissionId);
    }

    function _requirePermissionUnless(bool exempt, address account, uint256 projectId, uint256 permissionId)
        internal
        view
    {
        address sender = _msgSender();
        if (exempt || sender == account) return;
        if (!PERMISSIONS.hasPermission(sender, account, projectId, permissionId, true, true)) {
            revert JBPermissioned_Unauthorized(account, sender, projectId, permissionId);
        }
    }
}
