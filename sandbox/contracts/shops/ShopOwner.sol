// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBPermissions, IJBProjects} from "../interfaces.sol";
import {JBPermissioned} from "../JBPermissioned.sol";

/// A hook belongs to an account, or to whoever owns its project.
abstract contract ShopOwner is JBPermissioned {
    struct JBOwner {
        address owner;
        uint88 projectId;
        uint8 permissionId;
    }

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner, address caller);

    IJBProjects public immutable PROJECTS;
    JBOwner public jbOwner;

    constructor(IJBProjects projects, IJBPermissions permissions) JBPermissioned(permissions) {
        PROJECTS = projects;
    }

    function transferOwnership(address newOwner) external {
        _requireOwner();
        _setOwner(newOwner, 0);
    }

    function transferOwnershipToProject(uint256 projectId) external {
        _requireOwner();
        _setOwner(address(0), uint88(projectId));
    }

    function owner() public view returns (address) {
        return jbOwner.projectId == 0 ? jbOwner.owner : PROJECTS.ownerOf(jbOwner.projectId);
    }

    function _requireOwner() private view {
        _requirePermissionFrom(owner(), jbOwner.projectId, jbOwner.permissionId);
    }

    function _setOwner(address newOwner, uint88 projectId) internal {
        address previous = jbOwner.owner == address(0) && jbOwner.projectId == 0 ? address(0) : owner();
        jbOwner = JBOwner(newOwner, projectId, 0);
        emit OwnershipTransferred(previous, owner(), _msgSender());
    }
}
