// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBPayHook, IJBTerminal} from "./interfaces.sol";
import {JBAfterPayRecordedContext, JBPayHookSpecification, JBRuleset, JBTokenAmount} from "./structs.sol";
import {TerminalBase} from "./TerminalBase.sol";

/// Records a payment, issues tokens for it, and calls the hooks that the project's data hook asks for.
abstract contract TerminalPayments is TerminalBase {
    event HookAfterRecordPay(
        IJBPayHook indexed hook, JBAfterPayRecordedContext context, uint256 specificationAmount, address caller
    );
    event Pay(
        uint256 indexed rulesetId,
        uint256 indexed rulesetCycleNumber,
        uint256 indexed projectId,
        address payer,
        address beneficiary,
        uint256 amount,
        uint256 newlyIssuedTokenCount,
        string memo,
        bytes metadata,
        address caller
    );

    function _pay(
        uint256 projectId,
        address token,
        uint256 amount,
        address payer,
        address beneficiary,
        string memory memo,
        bytes memory metadata
    ) internal {
        JBTokenAmount memory paid = _amountOf(projectId, token, amount);
        (JBRuleset memory ruleset, uint256 tokenCount, JBPayHookSpecification[] memory specifications) =
            STORE.recordPaymentFrom(payer, paid, projectId, beneficiary, metadata);
        uint256 issued;
        if (tokenCount != 0) {
            issued = _controllerOf(projectId).mintTokensOf(projectId, tokenCount, beneficiary, "", true);
        }
        emit Pay(
            ruleset.id,
            ruleset.cycleNumber,
            projectId,
            payer,
            beneficiary,
            amount,
            issued,
            memo,
            metadata,
            _msgSender()
        );
        if (specifications.length == 0) return;
        JBAfterPayRecordedContext memory context = JBAfterPayRecordedContext(
            payer,
            projectId,
            ruleset.id,
            paid,
            JBTokenAmount(token, paid.decimals, paid.currency, 0),
            ruleset.weight,
            issued,
            beneficiary,
            "",
            metadata
        );
        _callPayHooks(specifications, context);
    }

    function _payAt(
        IJBTerminal terminal,
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        bytes memory metadata
    ) internal {
        uint256 value = _offer(address(terminal), token, amount);
        terminal.pay{value: value}(projectId, token, amount, beneficiary, 0, "", metadata);
    }

    function _callPayHooks(
        JBPayHookSpecification[] memory specifications,
        JBAfterPayRecordedContext memory context
    ) private {
        for (uint256 i; i < specifications.length; i++) {
            JBPayHookSpecification memory specification = specifications[i];
            if (specification.noop) continue;
            context.forwardedAmount.value = specification.amount;
            context.hookMetadata = specification.metadata;
            uint256 value = _offer(address(specification.hook), context.amount.token, specification.amount);
            specification.hook.afterPayRecordedWith{value: value}(context);
            emit HookAfterRecordPay(specification.hook, context, specification.amount, _msgSender());
        }
    }
}
