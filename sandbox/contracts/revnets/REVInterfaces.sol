// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBController, IJBDirectory, IJBPermissions, IJBProjects, IJBToken} from "../interfaces.sol";
import {
    JBPermissionsData,
    JBRuleset,
    JBRulesetConfig,
    JBRulesetMetadata,
    JBTerminalConfig
} from "../structs.sol";
import {JBDeploy721TiersHookConfig} from "../shops/ShopStructs.sol";
import {JBSuckerDeployerConfig} from "../suckers/SuckerStructs.sol";
import {REVOwnerInit} from "./REVStructs.sol";

/// What the revnet contracts call on others.

interface IREVController is IJBController {
    function DIRECTORY() external view returns (IREVDirectory);
    function PERMISSIONS() external view returns (IREVPermissions);
    function PROJECTS() external view returns (IJBProjects);
    function getRulesetOf(uint256 projectId, uint256 rulesetId)
        external
        view
        returns (JBRuleset memory ruleset, JBRulesetMetadata memory metadata);
    function deployERC20For(uint256 projectId, string calldata name, string calldata symbol, bytes32 salt)
        external
        returns (IJBToken token);
    function launchRulesetsFor(
        uint256 projectId,
        string calldata projectUri,
        JBRulesetConfig[] calldata rulesetConfigurations,
        JBTerminalConfig[] calldata terminalConfigurations,
        string calldata memo
    ) external returns (uint256 rulesetId);
}

interface IREVDirectory is IJBDirectory {
    function PERMISSIONS() external view returns (IREVPermissions);
}

interface IREVDeployer {
    function CONTROLLER() external view returns (IREVController);
}

interface IREVPermissions is IJBPermissions {
    function setPermissionsFor(address account, JBPermissionsData calldata permissionsData) external;
}

interface IREVOwner {
    function initializeRevnet(uint256 revnetId, REVOwnerInit calldata init) external;
}

interface IJBSuckerRegistry {
    function isSuckerOf(uint256 projectId, address addr) external view returns (bool);
    function deploySuckersFor(uint256 projectId, bytes32 salt, JBSuckerDeployerConfig[] calldata configurations)
        external
        returns (address[] memory suckers);
}

interface IJB721TiersHookDeployer {
    function deployHookFor(
        uint256 projectId,
        JBDeploy721TiersHookConfig calldata deployTiersHookConfig,
        bytes32 salt
    ) external returns (IJBOwnable newHook);
}

interface IJBOwnable {
    function transferOwnershipToProject(uint256 projectId) external;
}
