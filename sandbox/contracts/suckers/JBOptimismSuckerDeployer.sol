// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBDirectory, IJBPermissions, IJBTokens} from "../interfaces.sol";
import {SuckerDeployerBase} from "./SuckerDeployerBase.sol";

/// Of suckers whose transport is the native bridge.
contract JBOptimismSuckerDeployer is SuckerDeployerBase {
    address public opBridge;
    address public opMessenger;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBTokens tokens,
        address configurator,
        address trustedForwarder
    ) SuckerDeployerBase(directory, permissions, tokens, configurator, trustedForwarder) {}

    function setChainSpecificConstants(address messenger, address bridge) external onlyConfigurator {
        _requireConfigurable(messenger != address(0) && bridge != address(0));
        (opMessenger, opBridge) = (messenger, bridge);
    }

    function _isConfigured() internal view override returns (bool) {
        return opMessenger != address(0);
    }
}
