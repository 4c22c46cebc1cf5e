// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {
    IJBDirectory,
    IJBFundAccessLimits,
    IJBPermissions,
    IJBPrices,
    IJBProjects,
    IJBRulesets,
    IJBSplits,
    IJBTerminal,
    IJBTokens
} from "./interfaces.sol";
import {JBPermissioned} from "./JBPermissioned.sol";
import {JBRulesetMetadataResolver} from "./JBRulesetMetadataResolver.sol";
import {JBApprovalStatus, JBRuleset, JBRulesetMetadata, JBRulesetWithMetadata} from "./structs.sol";

/// The contracts a controller works with, and its views of a project's rulesets.
abstract contract ControllerBase is JBPermissioned, ERC2771Context {
    using JBRulesetMetadataResolver for JBRuleset;

    IJBDirectory public immutable DIRECTORY;
    IJBFundAccessLimits public immutable FUND_ACCESS_LIMITS;
    IJBPrices public immutable PRICES;
    IJBProjects public immutable PROJECTS;
    IJBRulesets public immutable RULESETS;
    IJBSplits public immutable SPLITS;
    IJBTokens public immutable TOKENS;
    address public immutable OMNICHAIN_RULESET_OPERATOR;

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
    ) JBPermissioned(permissions) ERC2771Context(trustedForwarder) {
        DIRECTORY = directory;
        FUND_ACCESS_LIMITS = fundAccessLimits;
        PRICES = prices;
        PROJECTS = projects;
        RULESETS = rulesets;
        SPLITS = splits;
        TOKENS = tokens;
        OMNICHAIN_RULESET_OPERATOR = omnichainRulesetOperator;
    }

    function currentRulesetOf(uint256 projectId)
        external
        view
        returns (JBRuleset memory ruleset, JBRulesetMetadata memory metadata)
    {
        ruleset = _current(projectId);
        metadata = ruleset.expandMetadata();
    }

    function upcomingRulesetOf(uint256 projectId)
        external
        view
        returns (JBRuleset memory ruleset, JBRulesetMetadata memory metadata)
    {
        ruleset = RULESETS.upcomingOf(projectId);
        metadata = ruleset.expandMetadata();
    }

    function latestQueuedRulesetOf(uint256 projectId)
        external
        view
        returns (JBRuleset memory ruleset, JBRulesetMetadata memory metadata, JBApprovalStatus approvalStatus)
    {
        (ruleset, approvalStatus) = RULESETS.latestQueuedOf(projectId);
        metadata = ruleset.expandMetadata();
    }

    function getRulesetOf(uint256 projectId, uint256 rulesetId)
        external
        view
        returns (JBRuleset memory ruleset, JBRulesetMetadata memory metadata)
    {
        ruleset = RULESETS.getRulesetOf(projectId, rulesetId);
        metadata = ruleset.expandMetadata();
    }

    function allRulesetsOf(uint256 projectId, uint256 startingId, uint256 size)
        external
        view
        returns (JBRulesetWithMetadata[] memory rulesets)
    {
        JBRuleset[] memory plain = RULESETS.allOf(projectId, startingId, size);
        rulesets = new JBRulesetWithMetadata[](plain.length);
        for (uint256 i; i < plain.length; i++) {
            rulesets[i] = JBRulesetWithMetadata(plain[i], plain[i].expandMetadata());
        }
    }

    function setControllerAllowed(uint256 projectId) external view returns (bool) {
        return _current(projectId).allowSetController();
    }

    function setTerminalsAllowed(uint256 projectId) external view returns (bool) {
        return _current(projectId).allowSetTerminals();
    }

    function _current(uint256 projectId) internal view returns (JBRuleset memory) {
        return RULESETS.currentOf(projectId);
    }

    function _requireOwnerPermission(uint256 projectId, uint256 permissionId) internal view {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, permissionId);
    }

    function _isTerminal(uint256 projectId, address account) internal view returns (bool) {
        return DIRECTORY.isTerminalOf(projectId, IJBTerminal(account));
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
