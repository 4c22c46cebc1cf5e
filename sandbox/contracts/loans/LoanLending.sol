// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBTerminal} from "../interfaces.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {JBAccountingContext} from "../structs.sol";
import {REVLoan} from "./interfaces.sol";
import {LoanBooks} from "./LoanBooks.sol";
import {LoanFunds} from "./LoanFunds.sol";

/// Burns collateral and pays the loan out of the revnet's surplus, less the fees.
abstract contract LoanLending is LoanBooks, LoanFunds, ERC721, JBPermissioned, ERC2771Context {
    error REVLoans_CashOutDelayNotFinished(uint256 cashOutDelay, uint256 blockTimestamp);
    error REVLoans_FeeAmountExceedsNetPayout(uint256 netAmountPaidOut, uint256 revFeeAmount, uint256 sourceFeeAmount);
    error REVLoans_InvalidAccountingContext(uint256 revnetId, address token);
    error REVLoans_InvalidPrepaidFeePercent(uint256 prepaidFeePercent, uint256 min, uint256 max);
    error REVLoans_UnderMinBorrowAmount(uint256 minBorrowAmount, uint256 borrowAmount);
    error REVLoans_ZeroBorrowAmount(uint256 revnetId, uint256 collateralCount);
    error REVLoans_ZeroCollateralLoanIsInvalid(uint256 collateralCount);

    event Borrow(
        uint256 indexed loanId,
        uint256 indexed revnetId,
        REVLoan loan,
        address token,
        uint256 borrowAmount,
        uint256 collateralCount,
        uint256 sourceFeeAmount,
        address payable beneficiary,
        address caller
    );
    struct Terms {
        address token;
        uint256 minBorrowAmount;
        uint256 collateralCount;
        uint256 prepaidFeePercent;
    }

    uint256 public immutable REV_ID;

    constructor(uint256 revId) {
        REV_ID = revId;
    }

    function _borrow(uint256 revnetId, Terms memory terms, address payable beneficiary, address holder)
        internal
        returns (uint256 loanId, REVLoan memory loan)
    {
        loan = _termsOf(revnetId, terms.token, terms.collateralCount, terms.prepaidFeePercent);
        if (loan.amount < terms.minBorrowAmount) {
            revert REVLoans_UnderMinBorrowAmount(terms.minBorrowAmount, loan.amount);
        }
        loanId = _nextLoanId(revnetId);
        _loans[loanId] = loan;
        totalCollateralOf[revnetId] += terms.collateralCount;
        CONTROLLER.burnTokensOf(holder, revnetId, terms.collateralCount, "");
        _lend(loanId, revnetId, loan, beneficiary, holder);
    }

    function _termsOf(uint256 revnetId, address token, uint256 collateralCount, uint256 prepaidFeePercent)
        private
        view
        returns (REVLoan memory)
    {
        if (collateralCount == 0) revert REVLoans_ZeroCollateralLoanIsInvalid(collateralCount);
        if (prepaidFeePercent < MIN_PREPAID_FEE_PERCENT || prepaidFeePercent > MAX_PREPAID_FEE_PERCENT) {
            revert REVLoans_InvalidPrepaidFeePercent(
                prepaidFeePercent, MIN_PREPAID_FEE_PERCENT, MAX_PREPAID_FEE_PERCENT
            );
        }
        JBAccountingContext memory context = _contextOf(revnetId, token);
        if (context.token == address(0)) revert REVLoans_InvalidAccountingContext(revnetId, token);
        uint256 delay = _cashOutDelayOf(revnetId);
        if (delay > block.timestamp) revert REVLoans_CashOutDelayNotFinished(delay, block.timestamp);
        (uint256 amount,) = _borrowable(revnetId, collateralCount, context.decimals, context.currency);
        if (amount == 0) revert REVLoans_ZeroBorrowAmount(revnetId, collateralCount);
        uint256 duration = Math.mulDiv(prepaidFeePercent, LOAN_LIQUIDATION_DURATION, MAX_PREPAID_FEE_PERCENT);
        return REVLoan(
            _narrow(amount),
            _narrow(collateralCount),
            uint48(block.timestamp),
            uint16(prepaidFeePercent),
            uint32(duration),
            token
        );
    }

    /// Fees that no terminal takes go to the borrower.
    function _lend(uint256 loanId, uint256 revnetId, REVLoan memory loan, address payable beneficiary, address holder)
        private
    {
        address token = loan.sourceToken;
        _noteBorrowed(revnetId, token, loan.amount);
        uint256 received = TERMINAL.useAllowanceOf(
            revnetId,
            token,
            loan.amount,
            _contextOf(revnetId, token).currency,
            0,
            payable(address(this)),
            beneficiary,
            ""
        );
        IJBTerminal revTerminal = DIRECTORY.primaryTerminalOf(REV_ID, token);
        uint256 revFee =
            address(revTerminal) == address(0) ? 0 : Math.mulDiv(loan.amount, REV_PREPAID_FEE_PERCENT, MAX_FEE);
        uint256 sourceFee = Math.mulDiv(loan.amount, loan.prepaidFeePercent, MAX_FEE);
        if (revFee + sourceFee > received) revert REVLoans_FeeAmountExceedsNetPayout(received, revFee, sourceFee);
        received -= _tryPay(revTerminal, REV_ID, token, revFee, beneficiary, abi.encodePacked(revnetId));
        _send(beneficiary, token, received - sourceFee);
        uint256 paid = _tryPay(TERMINAL, revnetId, token, sourceFee, beneficiary, abi.encodePacked(REV_ID));
        if (paid != sourceFee) _send(beneficiary, token, sourceFee);
        _mint(holder, loanId);
        emit Borrow(
            loanId, revnetId, loan, token, loan.amount, loan.collateral, sourceFee, beneficiary, _msgSender()
        );
    }

    function _narrow(uint256 value) internal pure returns (uint112) {
        if (value > type(uint112).max) revert REVLoans_OverflowAlert(value, type(uint112).max);
        return uint112(value);
    }

    function _msgSender() internal view virtual override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }

    function _msgData() internal view virtual override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _contextSuffixLength() internal view virtual override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }
}
