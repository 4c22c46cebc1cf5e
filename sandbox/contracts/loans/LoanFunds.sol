// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IJBTerminal} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBSingleAllowance, Permits} from "../Permits.sol";

/// Takes funds in and sends them on, to terminals as far as these take them.
abstract contract LoanFunds {
    using SafeERC20 for IERC20;

    error REVLoans_FeeOnTransferSourceUnsupported(address token, uint256 expectedAmount, uint256 creditedAmount);
    error REVLoans_NoMsgValueAllowed(uint256 msgValue, address token);
    error REVLoans_OverflowAlert(uint256 value, uint256 limit);
    error REVLoans_PermitAllowanceNotEnough(uint256 allowanceAmount, uint256 requiredAmount);

    address public immutable PERMIT2;

    constructor(address permit2) {
        PERMIT2 = permit2;
    }

    function _tryPay(
        IJBTerminal terminal,
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        bytes memory metadata
    ) internal returns (uint256 paid) {
        if (amount == 0 || address(terminal) == address(0)) return 0;
        uint256 value = _offer(address(terminal), token, amount);
        try terminal.pay{value: value}(projectId, token, amount, beneficiary, 0, "", metadata) {
            paid = amount;
        } catch {}
        _withdraw(address(terminal), token);
    }

    function _add(IJBTerminal terminal, uint256 projectId, address token, uint256 amount, bytes memory metadata)
        internal
    {
        if (amount == 0) return;
        uint256 value = _offer(address(terminal), token, amount);
        terminal.addToBalanceOf{value: value}(projectId, token, amount, false, "", metadata);
        _withdraw(address(terminal), token);
    }

    /// A signature that Permit2 refuses leaves what was allowed before.
    function _accept(address payer, address token, uint256 amount, JBSingleAllowance memory signed)
        internal
        returns (uint256)
    {
        if (token == JBConstants.NATIVE_TOKEN) return msg.value;
        if (msg.value != 0) revert REVLoans_NoMsgValueAllowed(msg.value, token);
        if (signed.amount != 0) {
            if (signed.amount < amount) revert REVLoans_PermitAllowanceNotEnough(signed.amount, amount);
            Permits.allow(PERMIT2, token, payer, signed);
        }
        uint256 before = IERC20(token).balanceOf(address(this));
        if (!Permits.pull(PERMIT2, token, payer, amount)) revert REVLoans_OverflowAlert(amount, type(uint160).max);
        uint256 credited = IERC20(token).balanceOf(address(this)) - before;
        if (credited != amount) revert REVLoans_FeeOnTransferSourceUnsupported(token, amount, credited);
        return amount;
    }

    function _offer(address to, address token, uint256 amount) private returns (uint256 value) {
        if (token == JBConstants.NATIVE_TOKEN) return amount;
        IERC20(token).forceApprove(to, amount);
    }

    function _withdraw(address to, address token) private {
        if (token != JBConstants.NATIVE_TOKEN) IERC20(token).forceApprove(to, 0);
    }

    function _send(address payable recipient, address token, uint256 amount) internal {
        if (token == JBConstants.NATIVE_TOKEN) Address.sendValue(recipient, amount);
        else IERC20(token).safeTransfer(recipient, amount);
    }
}
