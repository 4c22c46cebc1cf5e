// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {JBSingleAllowance} from "../Permits.sol";
import {JBAccountingContext} from "../structs.sol";
import {ILoanController, ILoanTerminal, REVLoan} from "./interfaces.sol";
import {LoanBooks} from "./LoanBooks.sol";
import {LoanFunds} from "./LoanFunds.sol";
import {LoanLending} from "./LoanLending.sol";

/// Lends a revnet's surplus against its tokens, which are burned for as long as the loan runs.
contract REVLoans is LoanLending, Ownable {
    error REVLoans_CollateralExceedsLoan(uint256 collateralToReturn, uint256 loanCollateral);
    error REVLoans_NewBorrowAmountGreaterThanLoanAmount(uint256 newBorrowAmount, uint256 loanAmount);
    error REVLoans_NotEnoughCollateral(uint256 collateralCountToRemove, uint256 loanCollateral);
    error REVLoans_NothingToRepay(uint256 repayBorrowAmount, uint256 collateralCountToReturn);
    error REVLoans_OverMaxRepayBorrowAmount(uint256 maxRepayBorrowAmount, uint256 repayBorrowAmount);
    error REVLoans_ReallocatingMoreCollateralThanBorrowedAmountAllows(uint256 newBorrowAmount, uint256 loanAmount);
    error REVLoans_ReentrantLoanAction();
    error REVLoans_SourceMismatch(address expectedToken, address actualToken);

    event Liquidate(uint256 indexed loanId, uint256 indexed revnetId, REVLoan loan, address caller);
    event ReallocateCollateral(
        uint256 indexed loanId,
        uint256 indexed revnetId,
        uint256 indexed reallocatedLoanId,
        REVLoan reallocatedLoan,
        uint256 removedCollateralCount,
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
    uint256 private constant REALLOCATE_LOAN = 38;
    uint256 private constant REPAY_LOAN = 39;

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
        LoanLending(revId)
        LoanFunds(permit2)
        ERC721("Revnet Loans", "LOANS")
        JBPermissioned(controller.PERMISSIONS())
        ERC2771Context(trustedForwarder)
        Ownable(owner)
    {
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
        return _borrow(revnetId, Terms(token, minBorrowAmount, collateralCount, prepaidFeePercent), beneficiary, holder);
    }

    function repayLoan(
        uint256 loanId,
        uint256 maxRepayBorrowAmount,
        uint256 collateralCountToReturn,
        address payable beneficiary,
        JBSingleAllowance calldata allowance
    ) external payable alone returns (uint256 paidOffLoanId, REVLoan memory paidOffloan) {
        Repayment memory repayment;
        (repayment.loanId, repayment.beneficiary) = (loanId, beneficiary);
        (repayment.owner, repayment.revnetId) = _permittedOwnerOf(loanId, REPAY_LOAN);
        _appraise(repayment, collateralCountToReturn);
        uint256 total = repayment.principal + repayment.fee;
        uint256 accepted = _accept(_msgSender(), repayment.loan.sourceToken, maxRepayBorrowAmount, allowance);
        if (total > accepted) revert REVLoans_OverMaxRepayBorrowAmount(accepted, total);
        (paidOffLoanId, paidOffloan) = _settle(repayment);
        if (accepted > total) _send(payable(_msgSender()), repayment.loan.sourceToken, accepted - total);
    }

    /// Takes collateral that the debt no longer needs out of a loan, and borrows on it and some more anew.
    function reallocateCollateralFromLoan(
        uint256 loanId,
        uint256 collateralCountToTransfer,
        address token,
        uint256 minBorrowAmount,
        uint256 collateralCountToAdd,
        address payable beneficiary,
        uint256 prepaidFeePercent
    )
        external
        alone
        returns (uint256 reallocatedLoanId, uint256 newLoanId, REVLoan memory reallocatedLoan, REVLoan memory newLoan)
    {
        Terms memory terms =
            Terms(token, minBorrowAmount, collateralCountToTransfer + collateralCountToAdd, prepaidFeePercent);
        (reallocatedLoanId, reallocatedLoan) = _reallocate(loanId, collateralCountToTransfer, token);
        address owner = ownerOf(reallocatedLoanId);
        (newLoanId, newLoan) = _borrow(revnetIdOfLoanWith(loanId), terms, beneficiary, owner);
    }

    /// The first is a number within the revnet; loans that are gone or still run are passed over.
    function liquidateExpiredLoansFrom(uint256 revnetId, uint256 startingLoanId, uint256 count) external alone {
        uint256 last = totalLoansBorrowedFor[revnetId];
        for (uint256 i; i < count && startingLoanId + i <= last; i++) {
            uint256 loanId = _loanIdOf(revnetId, startingLoanId + i);
            REVLoan memory loan = _loans[loanId];
            if (loan.createdAt == 0 || block.timestamp - loan.createdAt <= LOAN_LIQUIDATION_DURATION) continue;
            _noteGone(revnetId, loan.sourceToken, loan.amount, loan.collateral);
            delete _loans[loanId];
            _burn(loanId);
            emit Liquidate(loanId, revnetId, loan, _msgSender());
        }
    }

    function tokenURI(uint256 loanId) public view override returns (string memory) {
        return super.tokenURI(loanId);
    }

    function _permittedOwnerOf(uint256 loanId, uint256 permissionId)
        private
        view
        returns (address owner, uint256 revnetId)
    {
        (owner, revnetId) = (_ownerOf(loanId), revnetIdOfLoanWith(loanId));
        _requirePermissionFrom(owner, revnetId, permissionId);
    }

    function _reallocate(uint256 loanId, uint256 count, address token)
        private
        returns (uint256 reallocatedLoanId, REVLoan memory loan)
    {
        (address owner, uint256 revnetId) = _permittedOwnerOf(loanId, REALLOCATE_LOAN);
        loan = _loans[loanId];
        if (token != loan.sourceToken) revert REVLoans_SourceMismatch(loan.sourceToken, token);
        if (count > loan.collateral) revert REVLoans_NotEnoughCollateral(count, loan.collateral);
        uint256 debt = _debtOn(revnetId, loan, loan.collateral - count);
        if (debt < loan.amount) {
            revert REVLoans_ReallocatingMoreCollateralThanBorrowedAmountAllows(debt, loan.amount);
        }
        _noteGone(revnetId, loan.sourceToken, 0, count);
        delete _loans[loanId];
        _burn(loanId);
        CONTROLLER.mintTokensOf(revnetId, count, owner, "", false);
        loan.collateral -= _narrow(count);
        reallocatedLoanId = _nextLoanId(revnetId);
        _loans[reallocatedLoanId] = loan;
        _mint(owner, reallocatedLoanId);
        emit ReallocateCollateral(loanId, revnetId, reallocatedLoanId, loan, count, _msgSender());
    }

    /// What remaining collateral would not borrow anew has to be repaid; all of it is returned once it borrows nothing.
    function _appraise(Repayment memory repayment, uint256 collateralCountToReturn) private view {
        REVLoan memory loan = _loans[repayment.loanId];
        if (collateralCountToReturn > loan.collateral) {
            revert REVLoans_CollateralExceedsLoan(collateralCountToReturn, loan.collateral);
        }
        repayment.loan = loan;
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
        _noteGone(revnetId, loan.sourceToken, repayment.principal, repayment.returned);
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

    /// A fee that the terminal does not take is added to the balance too.
    function _payBack(Repayment memory repayment) private {
        (uint256 revnetId, address token) = (repayment.revnetId, repayment.loan.sourceToken);
        bytes memory metadata = abi.encodePacked(REV_ID);
        _add(TERMINAL, revnetId, token, repayment.principal, metadata);
        if (repayment.returned != 0) {
            CONTROLLER.mintTokensOf(revnetId, repayment.returned, repayment.beneficiary, "", false);
        }
        uint256 fee = repayment.fee;
        fee -= _tryPay(TERMINAL, revnetId, token, fee, repayment.beneficiary, metadata);
        _add(TERMINAL, revnetId, token, fee, metadata);
    }

    function _emitRepaid(Repayment memory repayment, uint256 paidOffLoanId, REVLoan memory rest) private {
        emit RepayLoan(
            repayment.loanId,
            repayment.revnetId,
            paidOffLoanId,
            repayment.loan,
            rest,
            repayment.principal + repayment.fee,
            repayment.fee,
            repayment.returned,
            repayment.beneficiary,
            _msgSender()
        );
    }

    function _msgSender() internal view override(Context, LoanLending) returns (address) {
        return LoanLending._msgSender();
    }

    function _msgData() internal view override(Context, LoanLending) returns (bytes calldata) {
        return LoanLending._msgData();
    }

    function _contextSuffixLength() internal view override(Context, LoanLending) returns (uint256) {
        return LoanLending._contextSuffixLength();
    }
}
