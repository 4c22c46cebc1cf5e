// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBSplitHook, IJBTerminal} from "./interfaces.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBSplit, JBSplitHookContext} from "./structs.sol";
import {TerminalFees} from "./TerminalFees.sol";

/// Divides a payout between splits; what leaves the protocol owes the fee, each part rounded alone, what reaches a project here does not.
abstract contract TerminalPayouts is TerminalFees {
    error JBMultiTerminal_MintNotAllowed(uint256 projectId, address terminal);
    error JBMultiTerminal_RecipientProjectTerminalNotFound(uint256 projectId, address token);
    error JBMultiTerminal_SplitHookInvalid(IJBSplitHook hook);

    event PayoutReverted(uint256 indexed projectId, JBSplit split, uint256 amount, bytes reason, address caller);
    event PayoutTransferReverted(
        uint256 indexed projectId,
        address addr,
        address token,
        uint256 amount,
        uint256 fee,
        bytes reason,
        address caller
    );
    event SendPayoutToSplit(
        uint256 indexed projectId,
        uint256 indexed rulesetId,
        uint256 indexed group,
        JBSplit split,
        uint256 amount,
        uint256 netAmount,
        address caller
    );

    /// External so that a failing split undoes no more than itself.
    function executePayout(
        JBSplit calldata split,
        uint256 projectId,
        address token,
        uint256 amount,
        address originalMessageSender
    ) external onlySelf returns (uint256 netPayoutAmount, uint256 feeEligibleAmount) {
        address payable beneficiary =
            split.beneficiary == address(0) ? payable(originalMessageSender) : split.beneficiary;
        IJBTerminal terminal;
        address recipient = beneficiary;
        if (address(split.hook) != address(0)) {
            recipient = address(split.hook);
        } else if (split.projectId != 0) {
            terminal = _terminalOf(split.projectId, token);
            if (address(terminal) == address(0)) {
                revert JBMultiTerminal_RecipientProjectTerminalNotFound(split.projectId, token);
            }
            recipient = address(terminal);
        }
        bool free = recipient == address(this) || _isFeelessFor(recipient, projectId, originalMessageSender);
        uint256 fee = free ? 0 : _feeOn(amount);
        feeEligibleAmount = fee * (JBConstants.MAX_FEE / JBConstants.FEE);
        netPayoutAmount = amount - fee;
        if (address(split.hook) != address(0)) _payHook(split, projectId, token, netPayoutAmount);
        else if (split.projectId == 0) _send(beneficiary, token, netPayoutAmount);
        else _payProject(terminal, split, projectId, token, netPayoutAmount, beneficiary);
    }

    function _payoutToSplits(uint256 projectId, address token, uint256 rulesetId, uint256 amount)
        internal
        returns (uint256 leftover, uint256 feeEligibleAmount)
    {
        uint256 groupId = uint256(uint160(token));
        JBSplit[] memory splits = SPLITS.splitsOf(projectId, rulesetId, groupId);
        uint256 percentLeft = JBConstants.SPLITS_TOTAL_PERCENT;
        leftover = amount;
        for (uint256 i; i < splits.length; i++) {
            uint256 payout = Math.mulDiv(leftover, splits[i].percent, percentLeft);
            percentLeft -= splits[i].percent;
            leftover -= payout;
            (uint256 net, uint256 eligible) =
                payout == 0 ? (0, 0) : _tryPayout(splits[i], projectId, token, payout);
            feeEligibleAmount += eligible;
            emit SendPayoutToSplit(projectId, rulesetId, groupId, splits[i], payout, net, _msgSender());
        }
    }

    /// The owner gets the leftover; what it cannot receive stays with the project, though it counts as paid out.
    function _payoutToOwner(uint256 projectId, address token, uint256 amount, address payable owner)
        internal
        returns (uint256 netAmount, uint256 feeEligibleAmount)
    {
        bool feeless = _isFeeless(owner, projectId);
        uint256 fee = feeless ? 0 : _feeOn(amount);
        try this.executeTransferTo(owner, token, amount - fee) {
            return (amount - fee, feeless ? 0 : amount);
        } catch (bytes memory reason) {
            emit PayoutTransferReverted(projectId, owner, token, amount - fee, fee, reason, _msgSender());
            _keep(projectId, token, amount);
            return (amount, 0);
        }
    }

    function _tryPayout(JBSplit memory split, uint256 projectId, address token, uint256 amount)
        private
        returns (uint256, uint256)
    {
        try this.executePayout(split, projectId, token, amount, _msgSender()) returns (uint256 net, uint256 eligible) {
            return (net, eligible);
        } catch (bytes memory reason) {
            emit PayoutReverted(projectId, split, amount, reason, _msgSender());
            _keep(projectId, token, amount);
            return (0, 0);
        }
    }

    function _payHook(JBSplit calldata split, uint256 projectId, address token, uint256 amount) private {
        if (!split.hook.supportsInterface(type(IJBSplitHook).interfaceId)) {
            revert JBMultiTerminal_SplitHookInvalid(split.hook);
        }
        uint256 decimals = _contextOf(projectId, token).decimals;
        uint256 groupId = uint256(uint160(token));
        uint256 value = _offer(address(split.hook), token, amount);
        split.hook.processSplitWith{value: value}(
            JBSplitHookContext(token, amount, decimals, projectId, groupId, split)
        );
    }

    function _payProject(
        IJBTerminal terminal,
        JBSplit calldata split,
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary
    ) private {
        bytes memory metadata = abi.encodePacked(projectId);
        if (split.projectId == projectId && !split.preferAddToBalance) {
            revert JBMultiTerminal_MintNotAllowed(projectId, address(terminal));
        }
        if (address(terminal) != address(this)) {
            if (split.preferAddToBalance) _addAt(terminal, split.projectId, token, amount, metadata);
            else _payAt(terminal, split.projectId, token, amount, beneficiary, metadata);
            return;
        }
        feeFreeSurplusOf[split.projectId][token] += amount;
        if (split.preferAddToBalance) {
            _added(split.projectId, token, amount, 0, "", metadata);
        } else {
            _pay(split.projectId, token, amount, address(this), beneficiary, "", metadata);
        }
    }
}
