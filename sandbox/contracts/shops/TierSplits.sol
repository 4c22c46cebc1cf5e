// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IJBDirectory, IJBSplits, IJBTerminal} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBSplit, JBSplitGroup, JBTokenAmount} from "../structs.sol";
import {JB721TierConfig} from "./ShopStructs.sol";

/// What the splits of tiers get of their prices; what they do not take goes back to the project.
library TierSplits {
    using SafeERC20 for IERC20;

    /// Groups of a hook's own address are its own to set.
    function groupOf(uint256 tierId) internal view returns (uint256) {
        return tierId << 160 | uint160(address(this));
    }

    function set(IJBSplits splits, uint256 projectId, uint256[] memory ids, JB721TierConfig[] memory tiers) internal {
        for (uint256 i; i < ids.length; i++) {
            if (tiers[i].splits.length == 0) continue;
            JBSplitGroup[] memory groups = new JBSplitGroup[](1);
            groups[0] = JBSplitGroup(groupOf(ids[i]), tiers[i].splits);
            splits.setSplitGroupsOf(projectId, 0, groups);
        }
    }

    /// The first word of what was told before the payment are the tiers, the second their amounts.
    function pay(
        IJBSplits splits,
        IJBDirectory directory,
        uint256 projectId,
        JBTokenAmount calldata forwarded,
        bytes memory told
    ) internal {
        address token = forwarded.token;
        if (token != JBConstants.NATIVE_TOKEN) {
            IERC20(token).safeTransferFrom(msg.sender, address(this), forwarded.value);
        }
        (uint256[] memory tierIds, uint256[] memory amounts) = abi.decode(told, (uint256[], uint256[]));
        uint256 back;
        for (uint256 i; i < tierIds.length; i++) {
            back += _payGroup(directory, splits.splitsOf(projectId, 0, groupOf(tierIds[i])), token, amounts[i]);
        }
        if (back != 0) _add(directory.primaryTerminalOf(projectId, token), projectId, token, back);
    }

    function _payGroup(IJBDirectory directory, JBSplit[] memory group, address token, uint256 amount)
        private
        returns (uint256 back)
    {
        uint256 left = amount;
        uint256 percentLeft = JBConstants.SPLITS_TOTAL_PERCENT;
        for (uint256 i; i < group.length; i++) {
            uint256 part = left * group[i].percent / percentLeft;
            percentLeft -= group[i].percent;
            left -= part;
            if (part != 0 && !_paySplit(directory, group[i], token, part)) back += part;
        }
        return back + left;
    }

    function _paySplit(IJBDirectory directory, JBSplit memory split, address token, uint256 amount)
        private
        returns (bool sent)
    {
        if (split.projectId != 0) {
            IJBTerminal terminal = directory.primaryTerminalOf(split.projectId, token);
            if (address(terminal) == address(0)) return false;
            if (split.preferAddToBalance) _add(terminal, split.projectId, token, amount);
            else _payProject(terminal, split, token, amount);
            return true;
        }
        if (split.beneficiary == address(0)) return false;
        if (token != JBConstants.NATIVE_TOKEN) {
            IERC20(token).safeTransfer(split.beneficiary, amount);
            return true;
        }
        (sent,) = split.beneficiary.call{value: amount}("");
    }

    function _payProject(IJBTerminal terminal, JBSplit memory split, address token, uint256 amount) private {
        uint256 value = _offer(terminal, token, amount);
        terminal.pay{value: value}(split.projectId, token, amount, split.beneficiary, 0, "", "");
    }

    function _add(IJBTerminal terminal, uint256 projectId, address token, uint256 amount) private {
        uint256 value = _offer(terminal, token, amount);
        terminal.addToBalanceOf{value: value}(projectId, token, amount, false, "", "");
    }

    function _offer(IJBTerminal terminal, address token, uint256 amount) private returns (uint256 value) {
        if (token == JBConstants.NATIVE_TOKEN) return amount;
        IERC20(token).forceApprove(address(terminal), amount);
    }
}
