// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBDirectory, IJBPrices, IJBRulesetDataHook, IJBRulesets} from "./interfaces.sol";
import {JBCashOuts} from "./JBCashOuts.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBRulesetMetadataResolver} from "./JBRulesetMetadataResolver.sol";
import {StoreSurplus} from "./StoreSurplus.sol";
import {
    JBAccountingContext,
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBPayHookSpecification,
    JBRuleset,
    JBTokenAmount
} from "./structs.sol";

/// The books of every terminal: each records its own payments, payouts, allowances and cash-outs as msg.sender.
contract JBTerminalStore is StoreSurplus {
    using JBRulesetMetadataResolver for JBRuleset;

    error JBTerminalStore_AccountingContextAlreadySet(address token);
    error JBTerminalStore_AccountingContextDecimalsMismatch(
        address token, uint256 providedDecimals, uint256 expectedDecimals
    );
    error JBTerminalStore_AccountingContextDecimalsOutOfRange(address token, uint256 decimals);
    error JBTerminalStore_AddingAccountingContextNotAllowed(uint256 projectId, uint256 rulesetId, address terminal);
    error JBTerminalStore_InadequateControllerAllowance(uint256 amount, uint256 allowance);
    error JBTerminalStore_InadequateTerminalStoreBalance(uint256 amount, uint256 balance);
    error JBTerminalStore_InvalidAmountToForwardHook(uint256 amount, uint256 paidAmount);
    error JBTerminalStore_NoopHookSpecHasAmount(uint256 amount);
    error JBTerminalStore_RulesetNotFound(uint256 projectId);
    error JBTerminalStore_RulesetPaymentPaused(uint256 projectId, uint256 rulesetId);
    error JBTerminalStore_TerminalMigrationNotAllowed(uint256 projectId, uint256 rulesetId);
    error JBTerminalStore_ZeroAccountingContextCurrency(address token);

    uint8 private constant MAX_DECIMALS = 36;

    mapping(
        address terminal
            => mapping(
                uint256 projectId
                    => mapping(address token => mapping(uint256 rulesetId => mapping(uint256 currency => uint256)))
            )
    ) public usedSurplusAllowanceOf;

    constructor(IJBDirectory directory, IJBPrices prices, IJBRulesets rulesets)
        StoreSurplus(directory, prices, rulesets)
    {}

    function recordAccountingContextOf(uint256 projectId, JBAccountingContext[] calldata contexts) external {
        JBRuleset memory ruleset = RULESETS.currentOf(projectId);
        if (ruleset.id != 0 && !ruleset.allowAddAccountingContext()) {
            revert JBTerminalStore_AddingAccountingContextNotAllowed(projectId, ruleset.id, msg.sender);
        }
        for (uint256 i; i < contexts.length; i++) {
            address token = contexts[i].token;
            if (accountingContextOf(msg.sender, projectId, token).token != address(0)) {
                revert JBTerminalStore_AccountingContextAlreadySet(token);
            }
            _requireDecimals(token, contexts[i].decimals);
            if (contexts[i].currency == 0) revert JBTerminalStore_ZeroAccountingContextCurrency(token);
            _contexts[msg.sender][projectId].push(contexts[i]);
        }
    }

    function recordAddedBalanceFor(uint256 projectId, address token, uint256 amount) external {
        balanceOf[msg.sender][projectId][token] += amount;
    }

    function recordPaymentFrom(
        address payer,
        JBTokenAmount calldata amount,
        uint256 projectId,
        address beneficiary,
        bytes calldata metadata
    )
        external
        returns (JBRuleset memory ruleset, uint256 tokenCount, JBPayHookSpecification[] memory hookSpecifications)
    {
        (ruleset, tokenCount, hookSpecifications) =
            previewPayFrom(msg.sender, payer, amount, projectId, beneficiary, metadata);
        uint256 left = amount.value;
        for (uint256 i; i < hookSpecifications.length; i++) {
            left -= hookSpecifications[i].amount;
        }
        balanceOf[msg.sender][projectId][amount.token] += left;
    }

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
        )
    {
        (ruleset, reclaimAmount, cashOutTaxRate, hookSpecifications) = previewCashOutFrom(
            msg.sender, holder, projectId, cashOutCount, tokenToReclaim, beneficiaryIsFeeless, metadata
        );
        uint256 withdrawn = reclaimAmount;
        for (uint256 i; i < hookSpecifications.length; i++) {
            withdrawn += hookSpecifications[i].amount;
        }
        _withdraw(projectId, tokenToReclaim, withdrawn);
    }

    /// Pays out as much of the amount as the cycle's limit still allows, which may be nothing.
    function recordPayoutFor(uint256 projectId, address token, uint256 amount, uint256 currency)
        external
        returns (JBRuleset memory ruleset, uint256 amountPaidOut)
    {
        ruleset = RULESETS.currentOf(projectId);
        uint256 limit = _limits(projectId).payoutLimitOf(projectId, ruleset.id, msg.sender, token, currency);
        uint256 used = usedPayoutLimitOf[msg.sender][projectId][token][ruleset.cycleNumber][currency];
        uint256 allowed = Math.min(amount, Math.saturatingSub(limit, used));
        usedPayoutLimitOf[msg.sender][projectId][token][ruleset.cycleNumber][currency] = used + allowed;
        JBAccountingContext memory context = accountingContextOf(msg.sender, projectId, token);
        amountPaidOut = _toContext(projectId, allowed, currency, context);
        _withdraw(projectId, token, amountPaidOut);
    }

    function recordUsedAllowanceOf(uint256 projectId, address token, uint256 amount, uint256 currency)
        external
        returns (JBRuleset memory ruleset, uint256 usedAmount)
    {
        ruleset = RULESETS.currentOf(projectId);
        uint256 allowance = _limits(projectId).surplusAllowanceOf(projectId, ruleset.id, msg.sender, token, currency);
        uint256 used = usedSurplusAllowanceOf[msg.sender][projectId][token][ruleset.id][currency] + amount;
        if (used > allowance) revert JBTerminalStore_InadequateControllerAllowance(used, allowance);
        usedSurplusAllowanceOf[msg.sender][projectId][token][ruleset.id][currency] = used;
        JBAccountingContext memory context = accountingContextOf(msg.sender, projectId, token);
        usedAmount = _toContext(projectId, amount, currency, context);
        uint256 surplus = _surplusIn(msg.sender, projectId, context, ruleset);
        if (usedAmount > surplus) revert JBTerminalStore_InadequateTerminalStoreBalance(usedAmount, surplus);
        _withdraw(projectId, token, usedAmount);
    }

    function recordTerminalMigration(uint256 projectId, address token) external returns (uint256 balance) {
        JBRuleset memory ruleset = RULESETS.currentOf(projectId);
        if (!ruleset.allowTerminalMigration()) {
            revert JBTerminalStore_TerminalMigrationNotAllowed(projectId, ruleset.id);
        }
        balance = balanceOf[msg.sender][projectId][token];
        balanceOf[msg.sender][projectId][token] = 0;
    }

    function previewPayFrom(
        address terminal,
        address payer,
        JBTokenAmount calldata amount,
        uint256 projectId,
        address beneficiary,
        bytes calldata metadata
    )
        public
        view
        returns (JBRuleset memory ruleset, uint256 tokenCount, JBPayHookSpecification[] memory hookSpecifications)
    {
        ruleset = RULESETS.currentOf(projectId);
        if (ruleset.cycleNumber == 0) revert JBTerminalStore_RulesetNotFound(projectId);
        if (ruleset.pausePay()) revert JBTerminalStore_RulesetPaymentPaused(projectId, ruleset.id);
        uint256 weight;
        (weight, hookSpecifications) = _payTermsOf(
            ruleset,
            JBBeforePayRecordedContext(
                terminal,
                payer,
                amount,
                projectId,
                ruleset.id,
                beneficiary,
                ruleset.weight,
                ruleset.reservedPercent(),
                metadata
            )
        );
        uint256 unitPrice = amount.currency == ruleset.baseCurrency()
            ? 10 ** amount.decimals
            : PRICES.pricePerUnitOf(projectId, amount.currency, ruleset.baseCurrency(), amount.decimals);
        tokenCount = Math.mulDiv(amount.value, weight, unitPrice);
    }

    function previewCashOutFrom(
        address terminal,
        address holder,
        uint256 projectId,
        uint256 cashOutCount,
        address tokenToReclaim,
        bool beneficiaryIsFeeless,
        bytes calldata metadata
    )
        public
        view
        returns (
            JBRuleset memory ruleset,
            uint256 reclaimAmount,
            uint256 cashOutTaxRate,
            JBCashOutHookSpecification[] memory hookSpecifications
        )
    {
        ruleset = RULESETS.currentOf(projectId);
        uint256 supply = _supplyOf(projectId);
        if (cashOutCount > supply) revert JBTerminalStore_InsufficientTokens(cashOutCount, supply);
        JBAccountingContext memory context = accountingContextOf(terminal, projectId, tokenToReclaim);
        uint256 surplus = _totalSurplusOf(projectId, context.decimals, context.currency);
        (cashOutTaxRate, reclaimAmount, hookSpecifications) = _cashOutTermsOf(
            ruleset,
            JBBeforeCashOutRecordedContext(
                terminal,
                holder,
                projectId,
                ruleset.id,
                cashOutCount,
                supply,
                JBTokenAmount(tokenToReclaim, context.decimals, context.currency, surplus),
                ruleset.scopeCashOutsToLocalBalances(),
                ruleset.cashOutTaxRate(),
                beneficiaryIsFeeless,
                metadata
            )
        );
    }

    /// A data hook may change the weight and have hooks called with parts of the payment.
    function _payTermsOf(JBRuleset memory ruleset, JBBeforePayRecordedContext memory context)
        private
        view
        returns (uint256 weight, JBPayHookSpecification[] memory specifications)
    {
        address hook = ruleset.dataHook();
        if (!ruleset.useDataHookForPay() || hook == address(0)) return (context.weight, specifications);
        (weight, specifications) = IJBRulesetDataHook(hook).beforePayRecordedWith(context);
        uint256 left = context.amount.value;
        for (uint256 i; i < specifications.length; i++) {
            uint256 amount = specifications[i].amount;
            _requireNotNoop(specifications[i].noop, amount);
            if (amount > left) revert JBTerminalStore_InvalidAmountToForwardHook(amount, left);
            left -= amount;
        }
    }

    /// A data hook may change all that the bonding curve takes, and have hooks called with more of the balance.
    function _cashOutTermsOf(JBRuleset memory ruleset, JBBeforeCashOutRecordedContext memory context)
        private
        view
        returns (uint256 taxRate, uint256 reclaimAmount, JBCashOutHookSpecification[] memory specifications)
    {
        taxRate = context.cashOutTaxRate;
        (uint256 count, uint256 supply, uint256 surplus) =
            (context.cashOutCount, context.totalSupply, context.surplus.value);
        address hook = ruleset.dataHook();
        if (ruleset.useDataHookForCashOut() && hook != address(0)) {
            (taxRate, count, supply, surplus, specifications) =
                IJBRulesetDataHook(hook).beforeCashOutRecordedWith(context);
        }
        for (uint256 i; i < specifications.length; i++) {
            _requireNotNoop(specifications[i].noop, specifications[i].amount);
        }
        reclaimAmount = JBCashOuts.cashOutFrom(surplus, count, supply, taxRate);
    }

    function _requireNotNoop(bool noop, uint256 amount) private pure {
        if (noop && amount != 0) revert JBTerminalStore_NoopHookSpecHasAmount(amount);
    }

    function _withdraw(uint256 projectId, address token, uint256 amount) private {
        uint256 balance = balanceOf[msg.sender][projectId][token];
        if (amount > balance) revert JBTerminalStore_InadequateTerminalStoreBalance(amount, balance);
        balanceOf[msg.sender][projectId][token] = balance - amount;
    }

    /// A token without code is taken at the word of whoever adds it.
    function _requireDecimals(address token, uint8 provided) private view {
        if (provided > MAX_DECIMALS) revert JBTerminalStore_AccountingContextDecimalsOutOfRange(token, provided);
        if (token != JBConstants.NATIVE_TOKEN && token.code.length == 0) return;
        uint8 expected = token == JBConstants.NATIVE_TOKEN ? 18 : IERC20Metadata(token).decimals();
        if (provided != expected) {
            revert JBTerminalStore_AccountingContextDecimalsMismatch(token, provided, expected);
        }
    }
}
