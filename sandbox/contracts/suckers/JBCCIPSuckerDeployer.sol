// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBDirectory, IJBPermissions, IJBTokens} from "../interfaces.sol";
import {SuckerDeployerBase} from "./SuckerDeployerBase.sol";

/// Of suckers whose transport is a router of CCIP.
contract JBCCIPSuckerDeployer is SuckerDeployerBase {
    event CCIPConstantsSet(
        address ccipRouter, uint256 ccipRemoteChainId, uint64 ccipRemoteChainSelector, address caller
    );

    uint256 public ccipRemoteChainId;
    uint64 public ccipRemoteChainSelector;
    address public ccipRouter;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBTokens tokens,
        address configurator,
        address trustedForwarder
    ) SuckerDeployerBase(directory, permissions, tokens, configurator, trustedForwarder) {}

    function setChainSpecificConstants(uint256 remoteChainId, uint64 remoteChainSelector, address router)
        external
        onlyConfigurator
    {
        _requireConfigurable(remoteChainId != 0 && remoteChainSelector != 0 && router != address(0));
        (ccipRemoteChainId, ccipRemoteChainSelector, ccipRouter) = (remoteChainId, remoteChainSelector, router);
        emit CCIPConstantsSet(router, remoteChainId, remoteChainSelector, _msgSender());
    }

    function _isConfigured() internal view override returns (bool) {
        return ccipRouter != address(0);
    }
}
