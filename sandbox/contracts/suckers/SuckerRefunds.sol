// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBConstants} from "../JBConstants.sol";
import {SuckerTransfers} from "./SuckerTransfers.sol";

/// Gives back what a transport did not need, and keeps for later what its sender cannot take.
abstract contract SuckerRefunds is SuckerTransfers {
    event RetainedTransportPaymentRefund(address indexed account, uint256 amount, address caller);
    event RetainedTransportPaymentRefundClaimed(
        address indexed account, address indexed beneficiary, uint256 amount, address caller
    );
    event TransportPaymentRefundFailed(address indexed recipient, uint256 amount, address caller);

    error JBSucker_NoRetainedTransportPaymentRefund(address account);
    error JBSucker_RefundFailed(address beneficiary, uint256 amount);

    uint256 public retainedTransportPaymentRefundBalance;
    mapping(address account => uint256) private _retainedOf;

    function claimRetainedTransportPaymentRefund(address beneficiary) external {
        address account = _msgSender();
        uint256 amount = _retainedOf[account];
        if (amount == 0) revert JBSucker_NoRetainedTransportPaymentRefund(account);
        _retainedOf[account] = 0;
        retainedTransportPaymentRefundBalance -= amount;
        emit RetainedTransportPaymentRefundClaimed(account, beneficiary, amount, account);
        if (!_paid(beneficiary, amount)) revert JBSucker_RefundFailed(beneficiary, amount);
    }

    function retainedTransportPaymentRefundOf(address account) external view returns (uint256 amount) {
        return _retainedOf[account];
    }

    /// What is kept for somebody backs no claim.
    function amountToAddToBalanceOf(address token) public view override returns (uint256) {
        uint256 kept = token == JBConstants.NATIVE_TOKEN ? retainedTransportPaymentRefundBalance : 0;
        return super.amountToAddToBalanceOf(token) - kept;
    }

    function _refund(uint256 amount) internal {
        address sender = _msgSender();
        if (amount == 0 || _paid(sender, amount)) return;
        _retainedOf[sender] += amount;
        retainedTransportPaymentRefundBalance += amount;
        emit TransportPaymentRefundFailed(sender, amount, sender);
        emit RetainedTransportPaymentRefund(sender, amount, sender);
    }

    function _paid(address to, uint256 amount) private returns (bool isPaid) {
        (isPaid,) = to.call{value: amount}("");
    }
}
