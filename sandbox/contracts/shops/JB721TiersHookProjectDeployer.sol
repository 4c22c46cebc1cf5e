// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IJBDirectory, IJBPayerTracker, IJBPermissions, IJBProjects} from "../interfaces.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {JBRulesetConfig, JBRulesetMetadata} from "../structs.sol";
import {IJB721TiersHook, IJB721TiersHookDeployer, IJBRulesetLauncher} from "./ShopInterfaces.sol";
import {
    JBDeploy721TiersHookConfig,
    JBLaunchProjectConfig,
    JBPayDataHookRulesetConfig,
    JBPayDataHookRulesetMetadata
} from "./ShopStructs.sol";

/// Launches a project whose payments go past a new 721 hook, and gives it to its owner.
contract JB721TiersHookProjectDeployer is JBPermissioned, ERC2771Context, IJBPayerTracker {
    IJBDirectory public immutable DIRECTORY;
    IJB721TiersHookDeployer public immutable HOOK_DEPLOYER;

    address public transient originalPayer;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJB721TiersHookDeployer hookDeployer,
        address trustedForwarder
    ) JBPermissioned(permissions) ERC2771Context(trustedForwarder) {
        DIRECTORY = directory;
        HOOK_DEPLOYER = hookDeployer;
    }

    function launchProjectFor(
        address owner,
        JBDeploy721TiersHookConfig memory deployTiersHookConfig,
        JBLaunchProjectConfig memory launchProjectConfig,
        address controller,
        bytes32 salt
    ) external payable returns (uint256 projectId, IJB721TiersHook hook) {
        IJBProjects projects = DIRECTORY.PROJECTS();
        originalPayer = _msgSender();
        projectId = projects.createFor{value: msg.value}(address(this));
        originalPayer = address(0);
        bytes32 hookSalt = salt == 0 ? bytes32(0) : keccak256(abi.encode(_msgSender(), salt));
        hook = HOOK_DEPLOYER.deployHookFor(projectId, deployTiersHookConfig, hookSalt);
        _launch(projectId, IJBRulesetLauncher(controller), launchProjectConfig, address(hook));
        hook.transferOwnershipToProject(projectId);
        projects.transferFrom(address(this), owner, projectId);
    }

    /// Only JBProjects may hand a token over with a call.
    function onERC721Received(address, address from, uint256, bytes calldata) external view returns (bytes4) {
        require(msg.sender == address(DIRECTORY.PROJECTS()) && from == address(0));
        return this.onERC721Received.selector;
    }

    function _launch(
        uint256 projectId,
        IJBRulesetLauncher controller,
        JBLaunchProjectConfig memory config,
        address hook
    ) private {
        JBRulesetConfig[] memory rulesets = new JBRulesetConfig[](config.rulesetConfigurations.length);
        for (uint256 i; i < rulesets.length; i++) {
            rulesets[i] = _withHook(config.rulesetConfigurations[i], hook);
        }
        controller.launchRulesetsFor(
            projectId, config.projectUri, rulesets, config.terminalConfigurations, config.memo
        );
    }

    function _withHook(JBPayDataHookRulesetConfig memory config, address hook)
        private
        pure
        returns (JBRulesetConfig memory ruleset)
    {
        ruleset.mustStartAtOrAfter = config.mustStartAtOrAfter;
        ruleset.duration = config.duration;
        ruleset.weight = config.weight;
        ruleset.weightCutPercent = config.weightCutPercent;
        ruleset.approvalHook = config.approvalHook;
        ruleset.metadata = _metadataWithHook(config.metadata, hook);
        ruleset.splitGroups = config.splitGroups;
        ruleset.fundAccessLimitGroups = config.fundAccessLimitGroups;
    }

    function _metadataWithHook(JBPayDataHookRulesetMetadata memory given, address hook)
        private
        pure
        returns (JBRulesetMetadata memory m)
    {
        (m.reservedPercent, m.cashOutTaxRate, m.baseCurrency) =
            (given.reservedPercent, given.cashOutTaxRate, given.baseCurrency);
        (m.pausePay, m.pauseCreditTransfers) = (given.pausePay, given.pauseCreditTransfers);
        (m.allowOwnerMinting, m.allowSetCustomToken) = (given.allowOwnerMinting, given.allowSetCustomToken);
        m.allowTerminalMigration = given.allowTerminalMigration;
        (m.allowSetTerminals, m.allowSetController) = (given.allowSetTerminals, given.allowSetController);
        m.allowAddAccountingContext = given.allowAddAccountingContext;
        (m.allowAddPriceFeed, m.ownerMustSendPayouts) = (given.allowAddPriceFeed, given.ownerMustSendPayouts);
        (m.holdFees, m.scopeCashOutsToLocalBalances) = (given.holdFees, given.scopeCashOutsToLocalBalances);
        (m.useDataHookForPay, m.useDataHookForCashOut) = (true, given.useDataHookForCashOut);
        (m.dataHook, m.metadata) = (hook, given.metadata);
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }
}
