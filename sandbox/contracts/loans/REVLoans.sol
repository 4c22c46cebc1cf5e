// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBTerminal} from "../interfaces.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {JBAccountingContext} from "../structs.sol";
import {ILoanController, ILoanTerminal, JBSingleAllowance, REVLoan} from "./interfaces.sol";
import {LoanBooks} from "./LoanBooks.sol";
import {LoanFunds} from "./LoanFunds.sol";

/// Lends a revnet's surplus against its tokens, which are burned for as long as the loan runs.
contract REVLoans is LoanBooks, LoanFunds, ERC721, JBPermissioned, ERC2771Context, Ownable {
    error REVLoans_CashOutDelayNotFinished(uint256 cashOutDelay, uint256 blockTimestamp);
    error REVLoans_CollateralExceedsLoan(uint256 collateralToReturn, uint256 loanCollateral);
    error REVLoans_FeeAmountExceedsNetPayout(uint256 netAmountPaidOut, uint256 revFeeAmount, uint256 sourceFeeAmount);
    error REVLoans_InvalidAccountingContext(uint256 revnetId, address token);
    error REVLoans_InvalidPrepaidFeePercent(uint256 prepaidFeePercent, uint256 min, uint256 max);
    error REVLoans_NewBorrowAmountGreaterThanLoanAmount(uint256 newBorrowAmount, uint256 loanAmount);
    error REVLoans_NothingToRepay(uint256 repayBorrowAmount, uint256 collateralCountToReturn);
    error REVLoans_OverMaxRepayBorrowAmount(uint256 maxRepayBorrowAmount, uint256 repayBorrowAmount);
    error REVLoans_OverflowAlert(uint256 value, uint256 limit);
    error REVLoans_ReentrantLoanAction();
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
    event RepayLoan(
        uint256 indexed loanId,
        uint256 indexed revnetId,
        uint256 indexed paidOffLoanId,
        REVLoan loan,
        REVLoan paidOffLoan,
        uint256 repayBorrowAmount,
        uint256 sourceFeeAmount,
        uint256 collateralCountToReturn,
        address payable beneficiary,
        address caller
    );

    struct Repayment {
        uint256 loanId;
        uint256 revnetId;
        address owner;
        REVLoan loan;
        uint256 principal;
        uint256 fee;
        uint256 returned;
        address payable beneficiary;
    }

    uint256 private constant OPEN_LOAN = 37;
    uint256 private constant REPAY_LOAN = 39;

    address public immutable PERMIT2;
    uint256 public immutable REV_ID;
    address public immutable SUCKER_REGISTRY;

    bool private transient _acting;

    constructor(
        ILoanController controller,
        ILoanTerminal terminal,
        address suckerRegistry,
        uint256 revId,
        address owner,
        address permit2,
        address trustedForwarder
    )
        LoanBooks(controller, terminal)
        ERC721("Revnet Loans", "LOANS")
        JBPermissioned(controller.PERMISSIONS())
        ERC2771Context(trustedForwarder)
        Ownable(owner)
    {
        PERMIT2 = permit2;
        REV_ID = revId;
        SUCKER_REGISTRY = suckerRegistry;
    }

    modifier alone() {
        if (_acting) revert REVLoans_ReentrantLoanAction();
        _acting = true;
        _;
        _acting = false;
    }

    receive() external payable {}

    function borrowFrom(
        uint256 revnetId,
        address token,
        uint256 minBorrowAmount,
        uint256 collateralCount,
        address payable beneficiary,
        uint256 prepaidFeePercent,
        address holder
    ) external alone returns (uint256 loanId, REVLoan memory) {
        _requirePermissionFrom(holder, revnetId, OPEN_LOAN);
        REVLoan memory loan = _termsOf(revnetId, token, collateralCount, prepaidFeePercent);
        if (loan.amount < minBorrowAmount) revert REVLoans_UnderMinBorrowAmount(minBorrowAmount, loan.amount);
        loanId = _nextLoanId(revnetId);
        _loans[loanId] = loan;
        totalCollateralOf[revnetId] += collateralCount;
        CONTROLLER.burnTokensOf(holder, revnetId, collateralCount, "");
        _lend(loanId, revnetId, loan, beneficiary);
        _mint(holder, loanId);
        return (loanId, loan);
    }

    /// The allowance would be one of Permit2, which the sandbox lacks.
    function repayLoan(
        uint256 loanId,
        uint256 maxRepayBorrowAmount,
        uint256 collateralCountToReturn,
        address payable beneficiary,
        JBSingleAllowance calldata allowance
    ) external payable alone returns (uint256 paidOffLoanId, REVLoan memory paidOffloan) {
        Repayment memory repayment = _repaymentOf(loanId, collateralCountToReturn);
        repayment.beneficiary = beneficiary;
        _requirePermissionFrom(repayment.owner, repayment.revnetId, REPAY_LOAN);
        uint256 total = repayment.principal + repayment.fee;
        uint256 accepted = _accept(_msgSender(), repayment.loan.sourceToken, maxRepayBorrowAmount);
        if (total > accepted) revert REVLoans_OverMaxRepayBorrowAmount(accepted, total);
        (paidOffLoanId, paidOffloan) = _settle(repayment);
        if (accepted > total) _send(payable(_msgSender()), repayment.loan.sourceToken, accepted - total);
    }

    function tokenURI(uint256 loanId) public view override returns (string memory) {
        return super.tokenURI(loanId);
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
    function _lend(uint256 loanId, uint256 revnetId, REVLoan memory loan, address payable beneficiary) private {
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
        bytes memory metadata = abi.encodePacked(revnetId);
        received -= _tryPay(revTerminal, REV_ID, token, revFee, beneficiary, metadata);
        received -= _tryPay(TERMINAL, revnetId, token, sourceFee, beneficiary, metadata);
        _send(beneficiary, token, received);
        emit Borrow(
            loanId, revnetId, loan, token, loan.amount, loan.collateral, sourceFee, beneficiary, _msgSender()
        );
    }

    /// What remaining collateral would not borrow anew has to be repaid; all of it is returned once it borrows nothing.
    function _repaymentOf(uint256 loanId, uint256 collateralCountToReturn)
        private
        view
        returns (Repayment memory repayment)
    {
        REVLoan memory loan = _loans[loanId];
        repayment.owner = ownerOf(loanId);
        if (collateralCountToReturn > loan.collateral) {
            revert REVLoans_CollateralExceedsLoan(collateralCountToReturn, loan.collateral);
        }
        (repayment.loanId, repayment.loan) = (loanId, loan);
        repayment.revnetId = revnetIdOfLoanWith(loanId);
        uint256 debt = _debtOn(repayment.revnetId, loan, loan.collateral - collateralCountToReturn);
        if (debt > loan.amount) revert REVLoans_NewBorrowAmountGreaterThanLoanAmount(debt, loan.amount);
        repayment.principal = loan.amount - debt;
        repayment.returned = debt == 0 ? loan.collateral : collateralCountToReturn;
        if (repayment.principal == 0 && repayment.returned == 0) revert REVLoans_NothingToRepay(0, 0);
        repayment.fee = determineSourceFeeAmount(loan, repayment.principal);
    }

    function _debtOn(uint256 revnetId, REVLoan memory loan, uint256 collateral) private view returns (uint256 debt) {
        if (collateral == 0) return 0;
        JBAccountingContext memory context = _contextOf(revnetId, loan.sourceToken);
        (, debt) = _borrowable(revnetId, collateral, context.decimals, context.currency);
    }

    function _settle(Repayment memory repayment) private returns (uint256 paidOffLoanId, REVLoan memory rest) {
        REVLoan memory loan = repayment.loan;
        uint256 revnetId = repayment.revnetId;
        totalBorrowedFrom[revnetId][loan.sourceToken] -= repayment.principal;
        totalCollateralOf[revnetId] -= repayment.returned;
        delete _loans[repayment.loanId];
        _burn(repayment.loanId);
        rest = REVLoan(
            loan.amount - uint112(repayment.principal),
            loan.collateral - uint112(repayment.returned),
            loan.createdAt,
            loan.prepaidFeePercent,
            loan.prepaidDuration,
            loan.sourceToken
        );
        paidOffLoanId = repayment.loanId;
        if (rest.amount != 0) {
            paidOffLoanId = _nextLoanId(revnetId);
            _loans[paidOffLoanId] = rest;
            _mint(repayment.owner, paidOffLoanId);
        }
        _payBack(repayment);
        _emitRepaid(repayment, paidOffLoanId, rest);
    }

    function _payBack(Repayment memory repayment) private {
        (uint256 revnetId, address token) = (repayment.revnetId, repayment.loan.sourceToken);
        bytes memory metadata = abi.encodePacked(revnetId);
        uint256 added = repayment.principal + repayment.fee;
        added -= _tryPay(TERMINAL, revnetId, token, repayment.fee, repayment.beneficiary, metadata);
        if (added != 0) {
            uint256 value = _offer(address(TERMINAL), token, added);
            TERMINAL.addToBalanceOf{value: value}(revnetId, token, added, false, "", metadata);
        }
        if (repayment.returned != 0) {
            CONTROLLER.mintTokensOf(revnetId, repayment.returned, repayment.beneficiary, "", false);
        }
    }

    function _emitRepaid(Repayment memory repayment, uint256 paidOffLoanId, REVLoan memory rest) private {
        emit RepayLoan(
            repayment.loanId,
            repayment.revnetId,
            paidOffLoanId,
            repayment.loan,
            rest,
            repayment.principal,
            repayment.fee,
            repayment.returned,
            repayment.beneficiary,
            _msgSender()
        );
    }

    function _narrow(uint256 value) private pure returns (uint112) {
        if (value > type(uint112).max) revert REVLoans_OverflowAlert(value, type(uint112).max);
        return uint112(value);
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
