// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {
    IJBDirectory,
    IJBFundAccessLimits,
    IJBPayerTracker,
    IJBPermissions,
    IJBPriceFeed,
    IJBPrices,
    IJBProjects,
    IJBRulesets,
    IJBSplits,
    IJBTerminal,
    IJBTokens
} from "./interfaces.sol";
import {ControllerBase} from "./ControllerBase.sol";
import {ControllerTokens} from "./ControllerTokens.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";
import {JBRulesetMetadataResolver} from "./JBRulesetMetadataResolver.sol";
import {
    JBRuleset,
    JBRulesetConfig,
    JBRulesetMetadata,
    JBSplitGroup,
    JBTerminalConfig
} from "./structs.sol";

/// Launches projects and changes their rulesets, splits, price feeds and metadata.
contract JBController is ControllerTokens, IERC165, IJBPayerTracker {
    using JBRulesetMetadataResolver for JBRuleset;
    using JBRulesetMetadataResolver for JBRulesetMetadata;

    error JBController_AddingPriceFeedNotAllowed(uint256 projectId);
    error JBController_InvalidCashOutTaxRate(uint256 rate, uint256 limit);
    error JBController_InvalidCreationFee(uint256 value, uint256 requiredFee);
    error JBController_InvalidReservedPercent(uint256 percent, uint256 limit);
    error JBController_RulesetsAlreadyLaunched(uint256 projectId);
    error JBController_RulesetsArrayEmpty(uint256 projectId, uint256 rulesetConfigurationCount);

    event LaunchProject(uint256 rulesetId, uint256 projectId, string projectUri, string memo, address caller);
    event LaunchRulesets(uint256 rulesetId, uint256 projectId, string projectUri, string memo, address caller);
    event QueueRulesets(uint256 rulesetId, uint256 projectId, string memo, address caller);
    event SetUri(uint256 indexed projectId, string uri, address caller);

    mapping(uint256 projectId => string) public uriOf;
    address public transient originalPayer;

    constructor(
        IJBDirectory directory,
        IJBFundAccessLimits fundAccessLimits,
        IJBPermissions permissions,
        IJBPrices prices,
        IJBProjects projects,
        IJBRulesets rulesets,
        IJBSplits splits,
        IJBTokens tokens,
        address omnichainRulesetOperator,
        address trustedForwarder
    )
        ControllerBase(
            directory,
            fundAccessLimits,
            permissions,
            prices,
            projects,
            rulesets,
            splits,
            tokens,
            omnichainRulesetOperator,
            trustedForwarder
        )
    {}

    function launchProjectFor(
        address owner,
        string calldata projectUri,
        JBRulesetConfig[] calldata rulesetConfigurations,
        JBTerminalConfig[] calldata terminalConfigurations,
        string calldata memo
    ) external payable returns (uint256 projectId) {
        uint256 fee = PROJECTS.creationFee();
        if (msg.value != fee) revert JBController_InvalidCreationFee(msg.value, fee);
        originalPayer = _msgSender();
        projectId = PROJECTS.createFor{value: fee}(owner);
        originalPayer = address(0);
        uint256 rulesetId = _launch(projectId, projectUri, rulesetConfigurations, terminalConfigurations);
        emit LaunchProject(rulesetId, projectId, projectUri, memo, _msgSender());
    }

    function launchRulesetsFor(
        uint256 projectId,
        string calldata projectUri,
        JBRulesetConfig[] calldata rulesetConfigurations,
        JBTerminalConfig[] calldata terminalConfigurations,
        string calldata memo
    ) external returns (uint256 rulesetId) {
        if (rulesetConfigurations.length == 0) revert JBController_RulesetsArrayEmpty(projectId, 0);
        _requireRulesetPermission(projectId, JBPermissionIds.LAUNCH_RULESETS);
        _requireRulesetPermission(projectId, JBPermissionIds.SET_TERMINALS);
        if (RULESETS.latestRulesetIdOf(projectId) != 0) revert JBController_RulesetsAlreadyLaunched(projectId);
        rulesetId = _launch(projectId, projectUri, rulesetConfigurations, terminalConfigurations);
        emit LaunchRulesets(rulesetId, projectId, projectUri, memo, _msgSender());
    }

    function queueRulesetsOf(uint256 projectId, JBRulesetConfig[] calldata rulesetConfigurations, string calldata memo)
        external
        returns (uint256 rulesetId)
    {
        if (rulesetConfigurations.length == 0) revert JBController_RulesetsArrayEmpty(projectId, 0);
        _requireRulesetPermission(projectId, JBPermissionIds.QUEUE_RULESETS);
        rulesetId = _queue(projectId, rulesetConfigurations);
        emit QueueRulesets(rulesetId, projectId, memo, _msgSender());
    }

    function setSplitGroupsOf(uint256 projectId, uint256 rulesetId, JBSplitGroup[] calldata splitGroups) external {
        _requireOwnerPermission(projectId, JBPermissionIds.SET_SPLIT_GROUPS);
        SPLITS.setSplitGroupsOf(projectId, rulesetId, splitGroups);
    }

    function setUriOf(uint256 projectId, string calldata uri) external {
        _requireOwnerPermission(projectId, JBPermissionIds.SET_PROJECT_URI);
        uriOf[projectId] = uri;
        emit SetUri(projectId, uri, _msgSender());
    }

    function addPriceFeedFor(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, IJBPriceFeed feed)
        external
    {
        _requireOwnerPermission(projectId, JBPermissionIds.ADD_PRICE_FEED);
        if (!_current(projectId).allowAddPriceFeed()) revert JBController_AddingPriceFeedNotAllowed(projectId);
        PRICES.addPriceFeedFor(projectId, pricingCurrency, unitCurrency, feed);
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId;
    }

    /// Terminals come first: once a ruleset runs it decides who may still add accounting contexts.
    function _launch(
        uint256 projectId,
        string calldata projectUri,
        JBRulesetConfig[] calldata rulesetConfigurations,
        JBTerminalConfig[] calldata terminalConfigurations
    ) private returns (uint256 rulesetId) {
        if (bytes(projectUri).length != 0) uriOf[projectId] = projectUri;
        if (address(DIRECTORY.controllerOf(projectId)) != address(this)) DIRECTORY.setControllerOf(projectId, this);
        IJBTerminal[] memory terminals = new IJBTerminal[](terminalConfigurations.length);
        for (uint256 i; i < terminals.length; i++) {
            terminals[i] = terminalConfigurations[i].terminal;
            terminals[i].addAccountingContextsFor(projectId, terminalConfigurations[i].accountingContextsToAccept);
        }
        if (terminals.length != 0) DIRECTORY.setTerminalsOf(projectId, terminals);
        return _queue(projectId, rulesetConfigurations);
    }

    function _queue(uint256 projectId, JBRulesetConfig[] calldata configs) private returns (uint256 rulesetId) {
        for (uint256 i; i < configs.length; i++) {
            rulesetId = _queueOne(projectId, configs[i]);
        }
    }

    function _queueOne(uint256 projectId, JBRulesetConfig memory config) private returns (uint256 rulesetId) {
        _requireValid(config.metadata);
        JBRuleset memory ruleset = RULESETS.queueFor(
            projectId,
            config.duration,
            config.weight,
            config.weightCutPercent,
            config.approvalHook,
            config.metadata.pack(),
            config.mustStartAtOrAfter
        );
        rulesetId = ruleset.id;
        SPLITS.setSplitGroupsOf(projectId, rulesetId, config.splitGroups);
        FUND_ACCESS_LIMITS.setFundAccessLimitsFor(projectId, rulesetId, config.fundAccessLimitGroups);
    }

    function _requireRulesetPermission(uint256 projectId, uint256 permissionId) private view {
        bool byOperator = _msgSender() == OMNICHAIN_RULESET_OPERATOR;
        _requirePermissionUnless(byOperator, PROJECTS.ownerOf(projectId), projectId, permissionId);
    }

    function _requireValid(JBRulesetMetadata memory metadata) private pure {
        if (metadata.reservedPercent > JBConstants.MAX_RESERVED_PERCENT) {
            revert JBController_InvalidReservedPercent(metadata.reservedPercent, JBConstants.MAX_RESERVED_PERCENT);
        }
        if (metadata.cashOutTaxRate > JBConstants.MAX_CASH_OUT_TAX_RATE) {
            revert JBController_InvalidCashOutTaxRate(metadata.cashOutTaxRate, JBConstants.MAX_CASH_OUT_TAX_RATE);
        }
    }
}
