// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBDirectory, IJBPrices} from "../interfaces.sol";
import {JBCashOuts} from "../JBCashOuts.sol";
import {JBRulesetMetadataResolver} from "../JBRulesetMetadataResolver.sol";
import {JBAccountingContext, JBRuleset} from "../structs.sol";
import {ILoanController, ILoanTerminal, IRevnetOwner, REVLoan} from "./interfaces.sol";

/// What revnets have lent on what collateral, what more they would lend, and what repaying costs.
abstract contract LoanBooks {
    using JBRulesetMetadataResolver for JBRuleset;

    error REVLoans_LoanExpired(uint256 timeSinceLoanCreated, uint256 loanLiquidationDuration);
    error REVLoans_LoanIdOverflow(uint256 revnetId, uint256 loanNumber, uint256 maxLoanNumber);

    uint256 public constant LOAN_LIQUIDATION_DURATION = 3650 days;
    uint256 public constant MAX_PREPAID_FEE_PERCENT = 500;
    uint256 public constant MIN_PREPAID_FEE_PERCENT = 25;
    uint256 public constant REV_PREPAID_FEE_PERCENT = 10;
    uint256 internal constant MAX_FEE = 1000;
    uint256 private constant PRICE_DECIMALS = 18;
    uint256 private constant LOANS_PER_REVNET = 1e18;

    ILoanController public immutable CONTROLLER;
    IJBDirectory public immutable DIRECTORY;
    IJBPrices public immutable PRICES;
    ILoanTerminal public immutable TERMINAL;

    mapping(uint256 revnetId => mapping(address token => bool)) public isLoanSourceOf;
    mapping(uint256 revnetId => mapping(address token => uint256)) public totalBorrowedFrom;
    mapping(uint256 revnetId => uint256) public totalCollateralOf;
    mapping(uint256 revnetId => uint256) public totalLoansBorrowedFor;
    mapping(uint256 revnetId => address[]) private _sources;
    mapping(uint256 loanId => REVLoan) internal _loans;

    constructor(ILoanController controller, ILoanTerminal terminal) {
        CONTROLLER = controller;
        DIRECTORY = controller.DIRECTORY();
        PRICES = controller.PRICES();
        TERMINAL = terminal;
    }

    /// Now is what the surplus can carry of the capacity; nothing while cash-outs wait.
    function borrowableAmountFrom(uint256 revnetId, uint256 collateralCount, uint256 decimals, uint256 currency)
        external
        view
        returns (uint256 borrowableNow, uint256 borrowableCapacity)
    {
        if (_cashOutDelayOf(revnetId) > block.timestamp) return (0, 0);
        return _borrowable(revnetId, collateralCount, decimals, currency);
    }

    function determineSourceFeeAmount(REVLoan memory loan, uint256 amount) public view returns (uint256) {
        uint256 age = block.timestamp - loan.createdAt;
        if (age <= loan.prepaidDuration) return 0;
        if (age > LOAN_LIQUIDATION_DURATION) revert REVLoans_LoanExpired(age, LOAN_LIQUIDATION_DURATION);
        uint256 unpaid = loan.amount - Math.mulDiv(loan.amount, loan.prepaidFeePercent, MAX_FEE);
        uint256 percent =
            Math.mulDiv(age - loan.prepaidDuration, MAX_FEE, LOAN_LIQUIDATION_DURATION - loan.prepaidDuration);
        return Math.mulDiv(Math.mulDiv(unpaid, percent, MAX_FEE), amount, loan.amount);
    }

    function loanOf(uint256 loanId) external view returns (REVLoan memory) {
        return _loans[loanId];
    }

    function loanSourceTokensOf(uint256 revnetId) external view returns (address[] memory) {
        return _sources[revnetId];
    }

    function revnetIdOfLoanWith(uint256 loanId) public pure returns (uint256) {
        return loanId / LOANS_PER_REVNET;
    }

    function _nextLoanId(uint256 revnetId) internal returns (uint256) {
        uint256 number = ++totalLoansBorrowedFor[revnetId];
        if (number >= LOANS_PER_REVNET) revert REVLoans_LoanIdOverflow(revnetId, number, LOANS_PER_REVNET - 1);
        return _loanIdOf(revnetId, number);
    }

    function _loanIdOf(uint256 revnetId, uint256 number) internal pure returns (uint256) {
        return revnetId * LOANS_PER_REVNET + number;
    }

    function _noteBorrowed(uint256 revnetId, address token, uint256 amount) internal {
        if (!isLoanSourceOf[revnetId][token]) {
            isLoanSourceOf[revnetId][token] = true;
            _sources[revnetId].push(token);
        }
        totalBorrowedFrom[revnetId][token] += amount;
    }

    function _noteGone(uint256 revnetId, address token, uint256 amount, uint256 collateral) internal {
        totalBorrowedFrom[revnetId][token] -= amount;
        totalCollateralOf[revnetId] -= collateral;
    }

    function _cashOutDelayOf(uint256 revnetId) internal view returns (uint256) {
        address hook = CONTROLLER.RULESETS().currentOf(revnetId).expandMetadata().dataHook;
        return hook == address(0) ? 0 : IRevnetOwner(hook).cashOutDelayOf(revnetId);
    }

    function _contextOf(uint256 revnetId, address token) internal view returns (JBAccountingContext memory) {
        return TERMINAL.accountingContextForTokenOf(revnetId, token);
    }

    /// The collateral is a share of all tokens and the debt a part of all funds, as if nothing had been lent.
    function _borrowable(uint256 revnetId, uint256 collateralCount, uint256 decimals, uint256 currency)
        internal
        view
        returns (uint256 borrowableNow, uint256 capacity)
    {
        uint256 surplus = TERMINAL.STORE().currentTotalSurplusOf(revnetId, decimals, currency);
        uint256 supply = CONTROLLER.totalTokenSupplyWithReservedTokensOf(revnetId) + totalCollateralOf[revnetId];
        capacity = JBCashOuts.cashOutFrom(
            surplus + _borrowedIn(revnetId, decimals, currency),
            collateralCount,
            supply,
            CONTROLLER.RULESETS().currentOf(revnetId).cashOutTaxRate()
        );
        borrowableNow = Math.min(capacity, surplus);
    }

    function _borrowedIn(uint256 revnetId, uint256 decimals, uint256 currency) private view returns (uint256 total) {
        address[] storage sources = _sources[revnetId];
        for (uint256 i; i < sources.length; i++) {
            JBAccountingContext memory context = _contextOf(revnetId, sources[i]);
            uint256 amount = totalBorrowedFrom[revnetId][sources[i]];
            amount = decimals >= context.decimals
                ? amount * 10 ** (decimals - context.decimals)
                : amount / 10 ** (context.decimals - decimals);
            if (amount == 0) continue;
            uint256 price = PRICES.pricePerUnitOf(revnetId, context.currency, currency, PRICE_DECIMALS);
            total += Math.mulDiv(amount, 10 ** PRICE_DECIMALS, price);
        }
    }
}
