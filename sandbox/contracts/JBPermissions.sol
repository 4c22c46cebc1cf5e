// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IJBPermissions} from "./interfaces.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";
import {JBPermissionsData} from "./structs.sol";

/// Which operators may act for an account, for one project or for all; one bit a permission.
contract JBPermissions is ERC2771Context, IJBPermissions {
    error JBPermissions_NoZeroPermission(address account, address operator, uint256 projectId);
    error JBPermissions_PermissionIdOutOfBounds(uint256 permissionId);
    error JBPermissions_Unauthorized(address account, address operator, uint256 projectId, uint256 permissionId);

    event OperatorPermissionsSet(
        address indexed operator,
        address indexed account,
        uint256 indexed projectId,
        uint8[] permissionIds,
        uint256 packed,
        address caller
    );

    uint256 public constant WILDCARD_PROJECT_ID = 0;

    mapping(address operator => mapping(address account => mapping(uint256 projectId => uint256))) public permissionsOf;

    constructor(address trustedForwarder) ERC2771Context(trustedForwarder) {}

    /// A root operator may pass on what it has for one project, but neither root itself nor the wildcard.
    function setPermissionsFor(address account, JBPermissionsData calldata permissionsData) external {
        uint256 projectId = permissionsData.projectId;
        address operator = permissionsData.operator;
        uint256 packed = _packed(account, permissionsData);
        if (_msgSender() != account) {
            bool passesRoot = packed >> JBPermissionIds.ROOT & 1 == 1;
            bool isRoot = hasPermission(_msgSender(), account, projectId, JBPermissionIds.ROOT, true, true);
            if (passesRoot || projectId == WILDCARD_PROJECT_ID || !isRoot) {
                revert JBPermissions_Unauthorized(account, _msgSender(), projectId, JBPermissionIds.ROOT);
            }
        }
        permissionsOf[operator][account][projectId] = packed;
        emit OperatorPermissionsSet(
            operator, account, projectId, permissionsData.permissionIds, packed, _msgSender()
        );
    }

    function hasPermission(
        address operator,
        address account,
        uint256 projectId,
        uint256 permissionId,
        bool includeRoot,
        bool includeWildcardProjectId
    ) public view returns (bool) {
        if (permissionId > 255) revert JBPermissions_PermissionIdOutOfBounds(permissionId);
        uint256 granted = _granted(operator, account, projectId, includeWildcardProjectId);
        return _includes(granted, JBPermissionIds.ROOT) && includeRoot || _includes(granted, permissionId);
    }

    function hasPermissions(
        address operator,
        address account,
        uint256 projectId,
        uint256[] calldata permissionIds,
        bool includeRoot,
        bool includeWildcardProjectId
    ) external view returns (bool) {
        for (uint256 i; i < permissionIds.length; i++) {
            if (!hasPermission(operator, account, projectId, permissionIds[i], includeRoot, includeWildcardProjectId)) {
                return false;
            }
        }
        return true;
    }

    function _granted(address operator, address account, uint256 projectId, bool includeWildcardProjectId)
        private
        view
        returns (uint256 granted)
    {
        granted = permissionsOf[operator][account][projectId];
        if (includeWildcardProjectId) granted |= permissionsOf[operator][account][WILDCARD_PROJECT_ID];
    }

    function _includes(uint256 granted, uint256 permissionId) private pure returns (bool) {
        return granted >> permissionId & 1 == 1;
    }

    function _packed(address account, JBPermissionsData calldata data) private pure returns (uint256 packed) {
        for (uint256 i; i < data.permissionIds.length; i++) {
            if (data.permissionIds[i] == 0) {
                revert JBPermissions_NoZeroPermission(account, data.operator, data.projectId);
            }
            packed |= 1 << data.permissionIds[i];
        }
    }
}
