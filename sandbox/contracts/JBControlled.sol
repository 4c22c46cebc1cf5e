// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBDirectory} from "./interfaces.sol";

/// Only the controller the directory names for a project may write that project's state.
abstract contract JBControlled {
    error JBControlled_ControllerUnauthorized(address controller);

    IJBDirectory public immutable DIRECTORY;

    constructor(IJBDirectory directory) {
        DIRECTORY = directory;
    }

    modifier onlyControllerOf(uint256 projectId) {
        _requireController(projectId);
        _;
    }

    function _requireController(uint256 projectId) internal view {
        address controller = address(DIRECTORY.controllerOf(projectId));
        if (controller != msg.sender) revert JBControlled_ControllerUnauthorized(controller);
    }
}
