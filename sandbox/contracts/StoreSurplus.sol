// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {
    IJBController,
    IJBDirectory,
    IJBFundAccessLimits,
    IJBPrices,
    IJBRulesets,
    IJBTerminal,
    IJBTerminalStore
} from "./interfaces.sol";
import {JBCashOuts} from "./JBCashOuts.sol";
import {JBRulesetMetadataResolver} from "./JBRulesetMetadataResolver.sol";
import {JBAccountingContext, JBCurrencyAmount, JBRuleset} from "./structs.sol";

/// Balances, and what of them is surplus: not yet promised to payouts of the running cycle.
abstract contract StoreSurplus is IJBTerminalStore {
    using JBRulesetMetadataResolver for JBRuleset;

    error JBTerminalStore_InsufficientTokens(uint256 count, uint256 totalSupply);

    uint256 internal constant PRICE_DECIMALS = 18;

    IJBDirectory public immutable DIRECTORY;
    IJBPrices public immutable PRICES;
    IJBRulesets public immutable RULESETS;

    mapping(address terminal => mapping(uint256 projectId => mapping(address token => uint256))) public balanceOf;
    mapping(
        address terminal
            => mapping(
                uint256 projectId
                    => mapping(
                        address token => mapping(uint256 rulesetCycleNumber => mapping(uint256 currency => uint256))
                    )
            )
    ) public usedPayoutLimitOf;
    mapping(address terminal => mapping(uint256 projectId => JBAccountingContext[])) internal _contexts;

    constructor(IJBDirectory directory, IJBPrices prices, IJBRulesets rulesets) {
        DIRECTORY = directory;
        PRICES = prices;
        RULESETS = rulesets;
    }

    function accountingContextOf(address terminal, uint256 projectId, address token)
        public
        view
        returns (JBAccountingContext memory)
    {
        JBAccountingContext memory none;
        JBAccountingContext[] storage contexts = _contexts[terminal][projectId];
        for (uint256 i; i < contexts.length; i++) {
            if (contexts[i].token == token) return contexts[i];
        }
        return none;
    }

    function accountingContextsOf(address terminal, uint256 projectId)
        external
        view
        returns (JBAccountingContext[] memory)
    {
        return _contexts[terminal][projectId];
    }

    /// No terminals means all of the project's; no tokens means all that a terminal accepts.
    function currentSurplusOf(
        uint256 projectId,
        IJBTerminal[] calldata terminals,
        address[] calldata tokens,
        uint256 decimals,
        uint256 currency
    ) external view returns (uint256) {
        return _surplusOf(projectId, terminals, tokens, decimals, currency);
    }

    function currentTotalSurplusOf(uint256 projectId, uint256 decimals, uint256 currency)
        external
        view
        returns (uint256)
    {
        return _totalSurplusOf(projectId, decimals, currency);
    }

    function currentReclaimableSurplusOf(
        uint256 projectId,
        uint256 cashOutCount,
        IJBTerminal[] calldata terminals,
        address[] calldata tokens,
        uint256 decimals,
        uint256 currency
    ) external view returns (uint256) {
        return _reclaimable(
            projectId, cashOutCount, _supplyOf(projectId), _surplusOf(projectId, terminals, tokens, decimals, currency)
        );
    }

    function currentTotalReclaimableSurplusOf(
        uint256 projectId,
        uint256 cashOutCount,
        uint256 decimals,
        uint256 currency
    ) external view returns (uint256) {
        uint256 surplus = _totalSurplusOf(projectId, decimals, currency);
        return _reclaimable(projectId, cashOutCount, _supplyOf(projectId), surplus);
    }

    function currentReclaimableSurplusOf(
        uint256 projectId,
        uint256 cashOutCount,
        uint256 totalSupply,
        uint256 surplus
    ) external view returns (uint256) {
        return _reclaimable(projectId, cashOutCount, totalSupply, surplus);
    }

    function _reclaimable(uint256 projectId, uint256 cashOutCount, uint256 totalSupply, uint256 surplus)
        private
        view
        returns (uint256)
    {
        if (surplus == 0) return 0;
        if (cashOutCount > totalSupply) revert JBTerminalStore_InsufficientTokens(cashOutCount, totalSupply);
        uint256 taxRate = RULESETS.currentOf(projectId).cashOutTaxRate();
        return JBCashOuts.cashOutFrom(surplus, cashOutCount, totalSupply, taxRate);
    }

    function _supplyOf(uint256 projectId) internal view returns (uint256) {
        return _controllerOf(projectId).totalTokenSupplyWithReservedTokensOf(projectId);
    }

    function _totalSurplusOf(uint256 projectId, uint256 decimals, uint256 currency) internal view returns (uint256) {
        return _surplusOf(projectId, new IJBTerminal[](0), new address[](0), decimals, currency);
    }

    function _surplusOf(
        uint256 projectId,
        IJBTerminal[] memory terminals,
        address[] memory tokens,
        uint256 decimals,
        uint256 currency
    ) private view returns (uint256 surplus) {
        JBRuleset memory ruleset = RULESETS.currentOf(projectId);
        if (terminals.length == 0) terminals = DIRECTORY.terminalsOf(projectId);
        for (uint256 i; i < terminals.length; i++) {
            JBAccountingContext[] storage contexts = _contexts[address(terminals[i])][projectId];
            for (uint256 j; j < contexts.length; j++) {
                JBAccountingContext memory context = contexts[j];
                if (tokens.length != 0 && !_contains(tokens, context.token)) continue;
                uint256 local = _surplusIn(address(terminals[i]), projectId, context, ruleset);
                surplus += _convert(projectId, local, context, decimals, currency);
            }
        }
    }

    /// The surplus of one balance, in its own token's decimals and currency.
    function _surplusIn(
        address terminal,
        uint256 projectId,
        JBAccountingContext memory context,
        JBRuleset memory ruleset
    ) internal view returns (uint256) {
        uint256 promised;
        JBCurrencyAmount[] memory limits =
            _limits(projectId).payoutLimitsOf(projectId, ruleset.id, terminal, context.token);
        for (uint256 i; i < limits.length; i++) {
            uint256 used =
                usedPayoutLimitOf[terminal][projectId][context.token][ruleset.cycleNumber][limits[i].currency];
            if (used >= limits[i].amount) continue;
            promised += _toContext(projectId, limits[i].amount - used, limits[i].currency, context);
        }
        return Math.saturatingSub(balanceOf[terminal][projectId][context.token], promised);
    }

    function _limits(uint256 projectId) internal view returns (IJBFundAccessLimits) {
        return _controllerOf(projectId).FUND_ACCESS_LIMITS();
    }

    /// An amount of some currency, already in the token's decimals, as an amount of the token.
    function _toContext(uint256 projectId, uint256 amount, uint256 currency, JBAccountingContext memory context)
        internal
        view
        returns (uint256)
    {
        return _exchange(projectId, amount, currency, context.currency);
    }

    function _convert(
        uint256 projectId,
        uint256 amount,
        JBAccountingContext memory context,
        uint256 decimals,
        uint256 currency
    ) private view returns (uint256) {
        uint256 scaled = decimals >= context.decimals
            ? amount * 10 ** (decimals - context.decimals)
            : amount / 10 ** (context.decimals - decimals);
        return _exchange(projectId, scaled, context.currency, currency);
    }

    function _exchange(uint256 projectId, uint256 amount, uint256 from, uint256 to) private view returns (uint256) {
        if (amount == 0 || from == to) return amount;
        uint256 price = PRICES.pricePerUnitOf(projectId, from, to, PRICE_DECIMALS);
        return Math.mulDiv(amount, 10 ** PRICE_DECIMALS, price);
    }

    function _controllerOf(uint256 projectId) private view returns (IJBController) {
        return IJBController(address(DIRECTORY.controllerOf(projectId)));
    }

    function _contains(address[] memory tokens, address token) private pure returns (bool) {
        for (uint256 i; i < tokens.length; i++) {
            if (tokens[i] == token) return true;
        }
        return false;
    }
}
