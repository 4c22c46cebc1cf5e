// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {
    JBAccountingContext,
    JBAfterCashOutRecordedContext,
    JBAfterPayRecordedContext,
    JBApprovalStatus,
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBCurrencyAmount,
    JBFundAccessLimitGroup,
    JBPayHookSpecification,
    JBRuleset,
    JBSplit,
    JBSplitGroup,
    JBSplitHookContext,
    JBTokenAmount
} from "./structs.sol";

/// Only what one sandbox contract calls on another is declared here.

interface IJBPayHook is IERC165 {
    function afterPayRecordedWith(JBAfterPayRecordedContext calldata context) external payable;
}

interface IJBCashOutHook is IERC165 {
    function afterCashOutRecordedWith(JBAfterCashOutRecordedContext calldata context) external payable;
}

interface IJBRulesetDataHook is IERC165 {
    function beforeCashOutRecordedWith(JBBeforeCashOutRecordedContext calldata context)
        external
        view
        returns (
            uint256 cashOutTaxRate,
            uint256 cashOutCount,
            uint256 totalSupply,
            uint256 effectiveSurplusValue,
            JBCashOutHookSpecification[] memory hookSpecifications
        );
    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications);
    function hasMintPermissionFor(uint256 projectId, JBRuleset memory ruleset, address addr)
        external
        view
        returns (bool flag);
}

interface IPermit2 {}

interface IJBTokenUriResolver {
    function getUri(uint256 projectId) external view returns (string memory tokenUri);
}

interface IJBPriceFeed {
    function currentUnitPrice(uint256 decimals) external view returns (uint256);
}

interface IJBFeelessHook is IERC165 {
    function isFeeless(uint256 projectId, address addr, address caller) external view returns (bool);
}

interface IJBSplitHook is IERC165 {
    function processSplitWith(JBSplitHookContext calldata context) external payable;
}

interface IJBRulesetApprovalHook is IERC165 {
    function DURATION() external view returns (uint256);
    function approvalStatusOf(uint256 projectId, JBRuleset memory ruleset) external view returns (JBApprovalStatus);
}

interface IJBPayerTracker {
    function originalPayer() external view returns (address payer);
}

interface IJBPermissions {
    function hasPermission(
        address operator,
        address account,
        uint256 projectId,
        uint256 permissionId,
        bool includeRoot,
        bool includeWildcardProjectId
    ) external view returns (bool);
}

interface IJBProjects is IERC721 {
    function count() external view returns (uint256);
    function createFor(address owner) external payable returns (uint256 projectId);
    function creationFee() external view returns (uint256);
}

interface IJBDirectoryAccessControl {
    function setControllerAllowed(uint256 projectId) external view returns (bool);
    function setTerminalsAllowed(uint256 projectId) external view returns (bool);
}

interface IJBDirectory {
    function PROJECTS() external view returns (IJBProjects);
    function controllerOf(uint256 projectId) external view returns (IERC165);
    function isTerminalOf(uint256 projectId, IJBTerminal terminal) external view returns (bool);
    function primaryTerminalOf(uint256 projectId, address token) external view returns (IJBTerminal);
    function terminalsOf(uint256 projectId) external view returns (IJBTerminal[] memory);
    function setControllerOf(uint256 projectId, IERC165 controller) external;
    function setTerminalsOf(uint256 projectId, IJBTerminal[] calldata terminals) external;
}

interface IJBRulesets {
    function allOf(uint256 projectId, uint256 startingId, uint256 size) external view returns (JBRuleset[] memory);
    function currentOf(uint256 projectId) external view returns (JBRuleset memory ruleset);
    function getRulesetOf(uint256 projectId, uint256 rulesetId) external view returns (JBRuleset memory ruleset);
    function latestQueuedOf(uint256 projectId)
        external
        view
        returns (JBRuleset memory ruleset, JBApprovalStatus approvalStatus);
    function latestRulesetIdOf(uint256 projectId) external view returns (uint256);
    function upcomingOf(uint256 projectId) external view returns (JBRuleset memory ruleset);
    function queueFor(
        uint256 projectId,
        uint256 duration,
        uint256 weight,
        uint256 weightCutPercent,
        IJBRulesetApprovalHook approvalHook,
        uint256 metadata,
        uint256 mustStartAtOrAfter
    ) external returns (JBRuleset memory);
}

interface IJBToken {
    function balanceOf(address account) external view returns (uint256);
    function burn(address account, uint256 amount) external;
    function canBeAddedTo(uint256 projectId) external view returns (bool);
    function decimals() external view returns (uint8);
    function initialize(string memory name, string memory symbol, address tokensAddress) external;
    function mint(address account, uint256 amount) external;
    function setMetadata(string calldata name, string calldata symbol) external;
    function totalSupply() external view returns (uint256);
}

interface IJBTokens {
    function projectIdOf(IJBToken token) external view returns (uint256);
    function tokenOf(uint256 projectId) external view returns (IJBToken);
    function totalBalanceOf(address holder, uint256 projectId) external view returns (uint256 balance);
    function totalSupplyOf(uint256 projectId) external view returns (uint256 totalSupply);
    function burnFrom(address holder, uint256 projectId, uint256 count) external;
    function claimTokensFor(address holder, uint256 projectId, uint256 count, address beneficiary) external;
    function deployERC20For(uint256 projectId, string calldata name, string calldata symbol, bytes32 salt)
        external
        returns (IJBToken token);
    function mintFor(address holder, uint256 projectId, uint256 count) external returns (IJBToken token);
    function setTokenFor(uint256 projectId, IJBToken token) external;
    function setTokenMetadataFor(uint256 projectId, string calldata name, string calldata symbol) external;
    function transferCreditsFrom(address holder, uint256 projectId, address recipient, uint256 count) external;
}

interface IJBSplits {
    function splitsOf(uint256 projectId, uint256 rulesetId, uint256 groupId) external view returns (JBSplit[] memory);
    function setSplitGroupsOf(uint256 projectId, uint256 rulesetId, JBSplitGroup[] calldata splitGroups) external;
}

interface IJBFundAccessLimits {
    function payoutLimitOf(uint256 projectId, uint256 rulesetId, address terminal, address token, uint256 currency)
        external
        view
        returns (uint256 payoutLimit);
    function payoutLimitsOf(uint256 projectId, uint256 rulesetId, address terminal, address token)
        external
        view
        returns (JBCurrencyAmount[] memory payoutLimits);
    function surplusAllowanceOf(uint256 projectId, uint256 rulesetId, address terminal, address token, uint256 currency)
        external
        view
        returns (uint256 surplusAllowance);
    function setFundAccessLimitsFor(
        uint256 projectId,
        uint256 rulesetId,
        JBFundAccessLimitGroup[] calldata fundAccessLimitGroups
    ) external;
}

interface IJBPrices {
    function pricePerUnitOf(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, uint256 decimals)
        external
        view
        returns (uint256 price);
    function addPriceFeedFor(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, IJBPriceFeed feed)
        external;
}

interface IJBFeelessAddresses {
    function isFeelessFor(address addr, uint256 projectId, address caller) external view returns (bool);
}

interface IJBController {
    function FUND_ACCESS_LIMITS() external view returns (IJBFundAccessLimits);
    function previewMintOf(uint256 projectId, uint256 tokenCount, bool useReservedPercent)
        external
        view
        returns (uint256 beneficiaryTokenCount, uint256 reservedTokenCount);
    function totalTokenSupplyWithReservedTokensOf(uint256 projectId) external view returns (uint256);
    function burnTokensOf(address holder, uint256 projectId, uint256 tokenCount, string calldata memo) external;
    function mintTokensOf(
        uint256 projectId,
        uint256 tokenCount,
        address beneficiary,
        string calldata memo,
        bool useReservedPercent
    ) external returns (uint256 beneficiaryTokenCount);
}

interface IJBTerminal is IERC165 {
    function accountingContextForTokenOf(uint256 projectId, address token)
        external
        view
        returns (JBAccountingContext memory);
    function addAccountingContextsFor(uint256 projectId, JBAccountingContext[] calldata accountingContexts) external;
    function addToBalanceOf(
        uint256 projectId,
        address token,
        uint256 amount,
        bool shouldReturnHeldFees,
        string calldata memo,
        bytes calldata metadata
    ) external payable;
    function pay(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        uint256 minReturnedTokens,
        string calldata memo,
        bytes calldata metadata
    ) external payable returns (uint256 beneficiaryTokenCount);
}

interface IJBTerminalStore {
    function DIRECTORY() external view returns (IJBDirectory);
    function accountingContextOf(address terminal, uint256 projectId, address token)
        external
        view
        returns (JBAccountingContext memory);
    function accountingContextsOf(address terminal, uint256 projectId)
        external
        view
        returns (JBAccountingContext[] memory);
    function currentSurplusOf(
        uint256 projectId,
        IJBTerminal[] calldata terminals,
        address[] calldata tokens,
        uint256 decimals,
        uint256 currency
    ) external view returns (uint256);
    function previewCashOutFrom(
        address terminal,
        address holder,
        uint256 projectId,
        uint256 cashOutCount,
        address tokenToReclaim,
        bool beneficiaryIsFeeless,
        bytes calldata metadata
    )
        external
        view
        returns (
            JBRuleset memory ruleset,
            uint256 reclaimAmount,
            uint256 cashOutTaxRate,
            JBCashOutHookSpecification[] memory hookSpecifications
        );
    function previewPayFrom(
        address terminal,
        address payer,
        JBTokenAmount calldata amount,
        uint256 projectId,
        address beneficiary,
        bytes calldata metadata
    )
        external
        view
        returns (JBRuleset memory ruleset, uint256 tokenCount, JBPayHookSpecification[] memory hookSpecifications);
    function recordAccountingContextOf(uint256 projectId, JBAccountingContext[] calldata contexts) external;
    function recordAddedBalanceFor(uint256 projectId, address token, uint256 amount) external;
    function recordCashOutFor(
        address holder,
        uint256 projectId,
        uint256 cashOutCount,
        address tokenToReclaim,
        bool beneficiaryIsFeeless,
        bytes calldata metadata
    )
        external
        returns (
            JBRuleset memory ruleset,
            uint256 reclaimAmount,
            uint256 cashOutTaxRate,
            JBCashOutHookSpecification[] memory hookSpecifications
        );
    function recordPaymentFrom(
        address payer,
        JBTokenAmount calldata amount,
        uint256 projectId,
        address beneficiary,
        bytes calldata metadata
    )
        external
        returns (JBRuleset memory ruleset, uint256 tokenCount, JBPayHookSpecification[] memory hookSpecifications);
    function recordPayoutFor(uint256 projectId, address token, uint256 amount, uint256 currency)
        external
        returns (JBRuleset memory ruleset, uint256 amountPaidOut);
    function recordUsedAllowanceOf(uint256 projectId, address token, uint256 amount, uint256 currency)
        external
        returns (JBRuleset memory ruleset, uint256 usedAmount);
}
