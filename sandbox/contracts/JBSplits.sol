// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBDirectory, IJBSplits} from "./interfaces.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBControlled} from "./JBControlled.sol";
import {JBSplit, JBSplitGroup} from "./structs.sol";

/// Who shares a project's payouts and reserved tokens, by ruleset and group; ruleset 0 holds the fallback.
contract JBSplits is JBControlled, IJBSplits {
    error JBSplits_PreviousLockedSplitsNotIncluded(uint256 projectId, uint256 rulesetId);
    error JBSplits_TotalPercentExceeds100(
        uint256 projectId, uint256 rulesetId, uint256 groupId, uint256 percentTotal
    );
    error JBSplits_ZeroSplitPercent(uint256 projectId, uint256 rulesetId, uint256 groupId, uint256 splitIndex);

    event SetSplit(
        uint256 indexed projectId, uint256 indexed rulesetId, uint256 indexed groupId, JBSplit split, address caller
    );

    uint256 public constant FALLBACK_RULESET_ID = 0;

    mapping(uint256 projectId => mapping(uint256 rulesetId => mapping(uint256 groupId => JBSplit[]))) private _splits;

    constructor(IJBDirectory directory) JBControlled(directory) {}

    /// Groups whose low bits are the caller's address are the caller's own, whatever the project.
    function setSplitGroupsOf(uint256 projectId, uint256 rulesetId, JBSplitGroup[] calldata splitGroups) external {
        for (uint256 i; i < splitGroups.length; i++) {
            if (address(uint160(splitGroups[i].groupId)) != msg.sender) _requireController(projectId);
            _set(projectId, rulesetId, splitGroups[i].groupId, splitGroups[i].splits);
        }
    }

    function splitsOf(uint256 projectId, uint256 rulesetId, uint256 groupId)
        external
        view
        returns (JBSplit[] memory splits)
    {
        splits = _splits[projectId][rulesetId][groupId];
        if (splits.length == 0) splits = _splits[projectId][FALLBACK_RULESET_ID][groupId];
    }

    function _set(uint256 projectId, uint256 rulesetId, uint256 groupId, JBSplit[] calldata splits) private {
        JBSplit[] storage stored = _splits[projectId][rulesetId][groupId];
        for (uint256 i; i < stored.length; i++) {
            if (stored[i].lockedUntil > block.timestamp && !_keeps(splits, stored[i])) {
                revert JBSplits_PreviousLockedSplitsNotIncluded(projectId, rulesetId);
            }
        }
        delete _splits[projectId][rulesetId][groupId];
        uint256 total;
        for (uint256 i; i < splits.length; i++) {
            if (splits[i].percent == 0) revert JBSplits_ZeroSplitPercent(projectId, rulesetId, groupId, i);
            total += splits[i].percent;
            if (total > JBConstants.SPLITS_TOTAL_PERCENT) {
                revert JBSplits_TotalPercentExceeds100(projectId, rulesetId, groupId, total);
            }
            stored.push(splits[i]);
            emit SetSplit(projectId, rulesetId, groupId, splits[i], msg.sender);
        }
    }

    /// A locked split may only stay as it is or be locked for longer.
    function _keeps(JBSplit[] calldata splits, JBSplit memory locked) private pure returns (bool) {
        for (uint256 i; i < splits.length; i++) {
            JBSplit memory candidate = splits[i];
            if (candidate.lockedUntil < locked.lockedUntil) continue;
            candidate.lockedUntil = locked.lockedUntil;
            if (keccak256(abi.encode(candidate)) == keccak256(abi.encode(locked))) return true;
        }
        return false;
    }
}
