// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBDirectory, IJBFundAccessLimits} from "./interfaces.sol";
import {JBControlled} from "./JBControlled.sol";
import {JBCurrencyAmount, JBFundAccessLimitGroup} from "./structs.sol";

/// How much of a terminal's token a ruleset lets a project pay out and use from its surplus.
contract JBFundAccessLimits is JBControlled, IJBFundAccessLimits {
    error JBFundAccessLimits_DuplicateFundAccessLimitGroup(
        uint256 projectId, uint256 rulesetId, uint256 groupIndex, address terminal, address token
    );
    error JBFundAccessLimits_InvalidPayoutLimitCurrencyOrdering(
        uint256 projectId, uint256 rulesetId, uint256 groupIndex, uint256 limitIndex
    );
    error JBFundAccessLimits_InvalidSurplusAllowanceCurrencyOrdering(
        uint256 projectId, uint256 rulesetId, uint256 groupIndex, uint256 allowanceIndex
    );

    event SetFundAccessLimits(
        uint256 indexed rulesetId,
        uint256 indexed projectId,
        JBFundAccessLimitGroup fundAccessLimitGroup,
        address caller
    );

    struct Limits {
        bool isSet;
        JBCurrencyAmount[] payouts;
        JBCurrencyAmount[] allowances;
    }

    mapping(
        uint256 projectId
            => mapping(uint256 rulesetId => mapping(address terminal => mapping(address token => Limits)))
    ) private _limits;

    constructor(IJBDirectory directory) JBControlled(directory) {}

    function setFundAccessLimitsFor(
        uint256 projectId,
        uint256 rulesetId,
        JBFundAccessLimitGroup[] calldata fundAccessLimitGroups
    ) external onlyControllerOf(projectId) {
        for (uint256 i; i < fundAccessLimitGroups.length; i++) {
            JBFundAccessLimitGroup calldata group = fundAccessLimitGroups[i];
            Limits storage limits = _limits[projectId][rulesetId][group.terminal][group.token];
            if (limits.isSet) {
                revert JBFundAccessLimits_DuplicateFundAccessLimitGroup(
                    projectId, rulesetId, i, group.terminal, group.token
                );
            }
            uint256 misplaced = _firstMisplaced(group.payoutLimits);
            if (misplaced != 0) {
                revert JBFundAccessLimits_InvalidPayoutLimitCurrencyOrdering(projectId, rulesetId, i, misplaced);
            }
            misplaced = _firstMisplaced(group.surplusAllowances);
            if (misplaced != 0) {
                revert JBFundAccessLimits_InvalidSurplusAllowanceCurrencyOrdering(projectId, rulesetId, i, misplaced);
            }
            limits.isSet = true;
            limits.payouts = group.payoutLimits;
            limits.allowances = group.surplusAllowances;
            emit SetFundAccessLimits(rulesetId, projectId, group, msg.sender);
        }
    }

    function payoutLimitsOf(uint256 projectId, uint256 rulesetId, address terminal, address token)
        external
        view
        returns (JBCurrencyAmount[] memory payoutLimits)
    {
        return _limits[projectId][rulesetId][terminal][token].payouts;
    }

    function payoutLimitOf(uint256 projectId, uint256 rulesetId, address terminal, address token, uint256 currency)
        external
        view
        returns (uint256 payoutLimit)
    {
        return _amountIn(_limits[projectId][rulesetId][terminal][token].payouts, currency);
    }

    function surplusAllowancesOf(uint256 projectId, uint256 rulesetId, address terminal, address token)
        external
        view
        returns (JBCurrencyAmount[] memory surplusAllowances)
    {
        return _limits[projectId][rulesetId][terminal][token].allowances;
    }

    function surplusAllowanceOf(uint256 projectId, uint256 rulesetId, address terminal, address token, uint256 currency)
        external
        view
        returns (uint256 surplusAllowance)
    {
        return _amountIn(_limits[projectId][rulesetId][terminal][token].allowances, currency);
    }

    function _amountIn(JBCurrencyAmount[] storage amounts, uint256 currency) private view returns (uint256) {
        for (uint256 i; i < amounts.length; i++) {
            if (amounts[i].currency == currency) return amounts[i].amount;
        }
        return 0;
    }

    /// The index of the first currency that does not exceed the one before it, 0 when the order is strict.
    function _firstMisplaced(JBCurrencyAmount[] calldata amounts) private pure returns (uint256) {
        for (uint256 i = 1; i < amounts.length; i++) {
            if (amounts[i].currency <= amounts[i - 1].currency) return i;
        }
        return 0;
    }
}
