// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBRulesetApprovalHook, IJBTerminal} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {
    JBAccountingContext,
    JBCurrencyAmount,
    JBFundAccessLimitGroup,
    JBRulesetConfig,
    JBSplitGroup,
    JBTerminalConfig
} from "../structs.sol";
import {REVAutoIssuance, REVConfig, REVOwnerAutoIssuance, REVStageConfig} from "./REVStructs.sol";

/// Stages as rulesets; the id of stage i is the time of the deployment plus i.
abstract contract REVStages {
    error REVDeployer_AutoIssuanceBeneficiaryZeroAddress(uint256 stageIndex, uint256 autoIssuanceIndex);
    error REVDeployer_CashOutsCantBeTurnedOffCompletely(uint256 cashOutTaxRate, uint256 maxCashOutTaxRate);
    error REVDeployer_MustHaveSplits(uint256 stageIndex, uint256 splitPercent);
    error REVDeployer_StagesRequired(uint256 stageCount);
    error REVDeployer_StageTimesMustIncrease(uint256 stageIndex, uint256 previousStageStart, uint256 effectiveStart);

    /// What revnets of different chains have to agree on to be one.
    function _hashOf(REVConfig calldata configuration) internal view returns (bytes32) {
        bytes memory encoded = abi.encode(
            configuration.baseCurrency,
            configuration.scopeCashOutsToLocalBalances,
            configuration.description.name,
            configuration.description.ticker,
            configuration.description.salt
        );
        for (uint256 i; i < configuration.stageConfigurations.length; i++) {
            REVStageConfig calldata stage = configuration.stageConfigurations[i];
            encoded = abi.encode(
                encoded,
                _startOf(i, stage),
                stage.splitPercent,
                stage.initialIssuance,
                stage.issuanceCutFrequency,
                stage.issuanceCutPercent,
                stage.cashOutTaxRate,
                stage.extraMetadata
            );
            for (uint256 j; j < stage.autoIssuances.length; j++) {
                REVAutoIssuance calldata issuance = stage.autoIssuances[j];
                if (issuance.count == 0) continue;
                encoded = abi.encode(encoded, issuance.chainId, issuance.beneficiary, issuance.count);
            }
        }
        return keccak256(encoded);
    }

    /// Other tokens than the accepted ones come through the router.
    function _terminalsOf(IJBTerminal terminal, JBAccountingContext[] calldata contexts, address router)
        internal
        pure
        returns (JBTerminalConfig[] memory terminals)
    {
        terminals = new JBTerminalConfig[](2);
        terminals[0] = JBTerminalConfig(terminal, contexts);
        terminals[1].terminal = IJBTerminal(router);
    }

    function _rulesetsOf(
        REVConfig calldata configuration,
        address owner,
        IJBTerminal terminal,
        JBAccountingContext[] calldata contexts
    ) internal view returns (JBRulesetConfig[] memory rulesets) {
        REVStageConfig[] calldata stages = configuration.stageConfigurations;
        if (stages.length == 0) revert REVDeployer_StagesRequired(0);
        rulesets = new JBRulesetConfig[](stages.length);
        JBFundAccessLimitGroup[] memory limits = _loanLimitsOf(terminal, contexts);
        for (uint256 i; i < stages.length; i++) {
            if (i != 0) _requireLater(i, _startOf(i - 1, stages[i - 1]), stages[i].startsAtOrAfter);
            rulesets[i] = _rulesetOf(i, stages[i]);
            rulesets[i].metadata.baseCurrency = configuration.baseCurrency;
            rulesets[i].metadata.scopeCashOutsToLocalBalances = configuration.scopeCashOutsToLocalBalances;
            rulesets[i].metadata.dataHook = owner;
            rulesets[i].fundAccessLimitGroups = limits;
        }
    }

    /// Those of this chain.
    function _autoIssuancesOf(REVConfig calldata configuration)
        internal
        view
        returns (REVOwnerAutoIssuance[] memory issuances)
    {
        REVStageConfig[] calldata stages = configuration.stageConfigurations;
        uint256 total;
        for (uint256 i; i < stages.length; i++) {
            total += stages[i].autoIssuances.length;
        }
        issuances = new REVOwnerAutoIssuance[](total);
        uint256 count;
        for (uint256 i; i < stages.length; i++) {
            for (uint256 j; j < stages[i].autoIssuances.length; j++) {
                REVAutoIssuance calldata issuance = stages[i].autoIssuances[j];
                if (issuance.count == 0) continue;
                if (issuance.beneficiary == address(0)) revert REVDeployer_AutoIssuanceBeneficiaryZeroAddress(i, j);
                if (issuance.chainId != block.chainid) continue;
                issuances[count++] =
                    REVOwnerAutoIssuance(block.timestamp + i, issuance.beneficiary, issuance.count);
            }
        }
        assembly ("memory-safe") {
            mstore(issuances, count)
        }
    }

    function _rulesetOf(uint256 index, REVStageConfig calldata stage)
        private
        pure
        returns (JBRulesetConfig memory ruleset)
    {
        uint256 maxRate = JBConstants.MAX_CASH_OUT_TAX_RATE;
        if (stage.cashOutTaxRate >= maxRate) {
            revert REVDeployer_CashOutsCantBeTurnedOffCompletely(stage.cashOutTaxRate, maxRate);
        }
        if (stage.splitPercent != 0 && stage.splits.length == 0) {
            revert REVDeployer_MustHaveSplits(index, stage.splitPercent);
        }
        ruleset.mustStartAtOrAfter = stage.startsAtOrAfter;
        ruleset.duration = stage.issuanceCutFrequency;
        ruleset.weight = stage.initialIssuance;
        ruleset.weightCutPercent = stage.issuanceCutPercent;
        ruleset.approvalHook = IJBRulesetApprovalHook(address(0));
        ruleset.metadata.reservedPercent = stage.splitPercent;
        ruleset.metadata.cashOutTaxRate = stage.cashOutTaxRate;
        ruleset.metadata.allowOwnerMinting = true;
        ruleset.metadata.useDataHookForPay = true;
        ruleset.metadata.useDataHookForCashOut = true;
        ruleset.metadata.metadata = stage.extraMetadata;
        ruleset.splitGroups = new JBSplitGroup[](1);
        ruleset.splitGroups[0] = JBSplitGroup(JBConstants.RESERVED_TOKENS_GROUP, stage.splits);
    }

    /// Loans are paid out of the surplus, as much of it as there is.
    function _loanLimitsOf(IJBTerminal terminal, JBAccountingContext[] calldata contexts)
        private
        pure
        returns (JBFundAccessLimitGroup[] memory groups)
    {
        groups = new JBFundAccessLimitGroup[](contexts.length);
        for (uint256 i; i < contexts.length; i++) {
            JBCurrencyAmount[] memory allowances = new JBCurrencyAmount[](1);
            allowances[0] = JBCurrencyAmount(type(uint224).max, contexts[i].currency);
            groups[i] = JBFundAccessLimitGroup(
                address(terminal), contexts[i].token, new JBCurrencyAmount[](0), allowances
            );
        }
    }

    function _startOf(uint256 index, REVStageConfig calldata stage) private view returns (uint256) {
        return index == 0 && stage.startsAtOrAfter == 0 ? block.timestamp : stage.startsAtOrAfter;
    }

    function _requireLater(uint256 index, uint256 previous, uint256 start) private pure {
        if (start <= previous) revert REVDeployer_StageTimesMustIncrease(index, previous, start);
    }
}
