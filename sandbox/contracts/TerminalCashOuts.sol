// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBCashOutHook} from "./interfaces.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";
import {
    JBAfterCashOutRecordedContext,
    JBCashOutHookSpecification,
    JBRuleset,
    JBTokenAmount
} from "./structs.sol";
import {TerminalPayouts} from "./TerminalPayouts.sol";

/// Burns a project's tokens for a part of its surplus, and calls the hooks that its data hook asks for.
abstract contract TerminalCashOuts is TerminalPayouts {
    event CashOutTokens(
        uint256 indexed rulesetId,
        uint256 indexed rulesetCycleNumber,
        uint256 indexed projectId,
        address holder,
        address beneficiary,
        uint256 cashOutCount,
        uint256 cashOutTaxRate,
        uint256 reclaimAmount,
        bytes metadata,
        address caller
    );
    event HookAfterRecordCashOut(
        IJBCashOutHook indexed hook,
        JBAfterCashOutRecordedContext context,
        uint256 specificationAmount,
        uint256 fee,
        address caller
    );

    function cashOutTokensOf(
        address holder,
        uint256 projectId,
        uint256 cashOutCount,
        address tokenToReclaim,
        uint256 minTokensReclaimed,
        address payable beneficiary,
        bytes calldata metadata
    ) external returns (uint256 reclaimAmount) {
        _requirePermissionFrom(holder, projectId, JBPermissionIds.CASH_OUT_TOKENS);
        bool feeless = _isFeeless(beneficiary, projectId);
        (
            JBRuleset memory ruleset,
            uint256 gross,
            uint256 taxRate,
            JBCashOutHookSpecification[] memory specifications
        ) = STORE.recordCashOutFor(holder, projectId, cashOutCount, tokenToReclaim, feeless, metadata);
        if (cashOutCount != 0) _controllerOf(projectId).burnTokensOf(holder, projectId, cashOutCount, "");
        uint256 eligible = feeless ? 0 : _feeEligibleOf(projectId, tokenToReclaim, gross, taxRate);
        reclaimAmount = gross - _feeOn(eligible);
        _requireAtLeast(reclaimAmount, minTokensReclaimed);
        if (reclaimAmount != 0) _send(beneficiary, tokenToReclaim, reclaimAmount);
        if (specifications.length != 0) {
            JBTokenAmount memory reclaimed = _amountOf(projectId, tokenToReclaim, reclaimAmount);
            JBAfterCashOutRecordedContext memory context = JBAfterCashOutRecordedContext(
                holder,
                projectId,
                ruleset.id,
                cashOutCount,
                reclaimed,
                JBTokenAmount(tokenToReclaim, reclaimed.decimals, reclaimed.currency, 0),
                taxRate,
                beneficiary,
                "",
                metadata
            );
            eligible += _callCashOutHooks(specifications, context);
        }
        if (eligible != 0) _takeFee(projectId, tokenToReclaim, eligible, beneficiary, false);
        emit CashOutTokens(
            ruleset.id,
            ruleset.cycleNumber,
            projectId,
            holder,
            beneficiary,
            cashOutCount,
            taxRate,
            reclaimAmount,
            metadata,
            _msgSender()
        );
    }

    function previewCashOutFrom(
        address holder,
        uint256 projectId,
        uint256 cashOutCount,
        address tokenToReclaim,
        address payable beneficiary,
        bytes calldata metadata
    )
        external
        view
        returns (
            JBRuleset memory ruleset,
            uint256 reclaimAmount,
            uint256 cashOutTaxRate,
            JBCashOutHookSpecification[] memory hookSpecifications
        )
    {
        bool feeless = _isFeeless(beneficiary, projectId);
        return STORE.previewCashOutFrom(
            address(this), holder, projectId, cashOutCount, tokenToReclaim, feeless, metadata
        );
    }

    function _callCashOutHooks(
        JBCashOutHookSpecification[] memory specifications,
        JBAfterCashOutRecordedContext memory context
    ) private returns (uint256 eligible) {
        for (uint256 i; i < specifications.length; i++) {
            JBCashOutHookSpecification memory specification = specifications[i];
            if (specification.noop) continue;
            address hook = address(specification.hook);
            uint256 taxed = _isFeeless(hook, context.projectId) ? 0 : specification.amount;
            uint256 forwarded = specification.amount - _feeOn(taxed);
            eligible += taxed;
            context.forwardedAmount.value = forwarded;
            context.hookMetadata = specification.metadata;
            uint256 value = _offer(hook, context.forwardedAmount.token, forwarded);
            specification.hook.afterCashOutRecordedWith{value: value}(context);
            emit HookAfterRecordCashOut(specification.hook, context, forwarded, _feeOn(taxed), _msgSender());
        }
    }

    /// Taxed reclaims owe the fee in full; untaxed ones for what came in free of it.
    function _feeEligibleOf(uint256 projectId, address token, uint256 reclaimAmount, uint256 taxRate)
        private
        returns (uint256 eligible)
    {
        if (taxRate != 0) return reclaimAmount;
        eligible = Math.min(reclaimAmount, feeFreeSurplusOf[projectId][token]);
        feeFreeSurplusOf[projectId][token] -= eligible;
    }
}
