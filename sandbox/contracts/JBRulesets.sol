// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBDirectory, IJBRulesetApprovalHook, IJBRulesets} from "./interfaces.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBControlled} from "./JBControlled.sol";
import {JBApprovalStatus, JBRuleset} from "./structs.sol";

/// Each ruleset of a project is based on the one it follows; the clock and the approval hooks say which applies.
contract JBRulesets is JBControlled, IJBRulesets {
    error JBRulesets_InvalidRulesetApprovalHook(IJBRulesetApprovalHook hook);
    error JBRulesets_InvalidRulesetDuration(uint256 duration, uint256 limit);
    error JBRulesets_InvalidRulesetEndTime(uint256 timestamp, uint256 limit);
    error JBRulesets_InvalidWeight(uint256 weight, uint256 limit);
    error JBRulesets_InvalidWeightCutPercent(uint256 percent);
    error JBRulesets_WeightCacheRequired(uint256 projectId);

    event RulesetInitialized(
        uint256 indexed rulesetId, uint256 indexed projectId, uint256 indexed basedOnId, address caller
    );
    event RulesetQueued(
        uint256 indexed rulesetId,
        uint256 indexed projectId,
        uint256 duration,
        uint256 weight,
        uint256 weightCutPercent,
        IJBRulesetApprovalHook approvalHook,
        uint256 metadata,
        uint256 mustStartAtOrAfter,
        address caller
    );
    event WeightCacheUpdated(uint256 projectId, uint112 weight, uint256 weightCutMultiple, address caller);

    struct WeightCache {
        uint112 weight;
        uint144 multiple;
    }

    uint256 private constant INHERIT_WEIGHT = 1;
    uint256 private constant MAX_CUTS_PER_CALL = 20_000;

    mapping(uint256 projectId => uint256) public latestRulesetIdOf;
    mapping(uint256 projectId => mapping(uint256 rulesetId => JBRuleset)) private _rulesets;
    mapping(uint256 projectId => mapping(uint256 rulesetId => WeightCache)) private _weightCaches;

    constructor(IJBDirectory directory) JBControlled(directory) {}

    function queueFor(
        uint256 projectId,
        uint256 duration,
        uint256 weight,
        uint256 weightCutPercent,
        IJBRulesetApprovalHook approvalHook,
        uint256 metadata,
        uint256 mustStartAtOrAfter
    ) external onlyControllerOf(projectId) returns (JBRuleset memory) {
        if (mustStartAtOrAfter == 0) mustStartAtOrAfter = block.timestamp;
        _requireValid(duration, weight, weightCutPercent, approvalHook, mustStartAtOrAfter);
        JBRuleset memory ruleset;
        uint256 latestId = latestRulesetIdOf[projectId];
        ruleset.id = uint48(latestId >= block.timestamp ? latestId + 1 : block.timestamp);
        ruleset.duration = uint32(duration);
        ruleset.weight = uint112(weight);
        ruleset.weightCutPercent = uint32(weightCutPercent);
        ruleset.approvalHook = approvalHook;
        ruleset.metadata = metadata;
        _place(projectId, ruleset, mustStartAtOrAfter);
        _rulesets[projectId][ruleset.id] = ruleset;
        latestRulesetIdOf[projectId] = ruleset.id;
        emit RulesetInitialized(ruleset.id, projectId, ruleset.basedOnId, msg.sender);
        emit RulesetQueued(
            ruleset.id,
            projectId,
            duration,
            weight,
            weightCutPercent,
            approvalHook,
            metadata,
            mustStartAtOrAfter,
            msg.sender
        );
        return ruleset;
    }

    function updateRulesetWeightCache(uint256 projectId, uint256 rulesetId) external {
        JBRuleset memory ruleset = _rulesets[projectId][rulesetId];
        if (ruleset.duration == 0 || ruleset.weightCutPercent == 0) return;
        WeightCache storage cache = _weightCaches[projectId][rulesetId];
        uint256 multiple = (block.timestamp - ruleset.start) / ruleset.duration;
        multiple = Math.min(multiple, cache.multiple + MAX_CUTS_PER_CALL);
        uint256 weight = deriveWeightFrom(
            projectId,
            ruleset.start,
            ruleset.duration,
            ruleset.weight,
            ruleset.weightCutPercent,
            rulesetId,
            ruleset.start + multiple * ruleset.duration
        );
        (cache.weight, cache.multiple) = (uint112(weight), uint144(multiple));
        emit WeightCacheUpdated(projectId, uint112(weight), multiple, msg.sender);
    }

    function currentOf(uint256 projectId) external view returns (JBRuleset memory ruleset) {
        ruleset = _startedOf(projectId);
        if (ruleset.duration == 0 || block.timestamp < uint256(ruleset.start) + ruleset.duration) return ruleset;
        _cycle(projectId, ruleset, block.timestamp - ruleset.duration + 1);
    }

    function upcomingOf(uint256 projectId) external view returns (JBRuleset memory ruleset) {
        ruleset = _startedOf(projectId);
        if (ruleset.duration != 0) _cycle(projectId, ruleset, block.timestamp + 1);
        JBRuleset memory pending = _firstPendingOf(projectId);
        bool cyclesFirst = ruleset.duration != 0 && ruleset.start < pending.start;
        if (pending.id != 0 && !cyclesFirst) return pending;
        if (ruleset.duration == 0) delete ruleset;
    }

    function latestQueuedOf(uint256 projectId)
        external
        view
        returns (JBRuleset memory ruleset, JBApprovalStatus approvalStatus)
    {
        ruleset = _rulesets[projectId][latestRulesetIdOf[projectId]];
        approvalStatus = _approvalStatusOf(projectId, ruleset);
    }

    function currentApprovalStatusForLatestRulesetOf(uint256 projectId) external view returns (JBApprovalStatus) {
        return _approvalStatusOf(projectId, _rulesets[projectId][latestRulesetIdOf[projectId]]);
    }

    function getRulesetOf(uint256 projectId, uint256 rulesetId) external view returns (JBRuleset memory ruleset) {
        return _rulesets[projectId][rulesetId];
    }

    /// From the newest or another one on, each followed by what it is based on; an id that was never queued is shown with nothing but itself.
    function allOf(uint256 projectId, uint256 startingId, uint256 size)
        external
        view
        returns (JBRuleset[] memory rulesets)
    {
        uint256 firstId = startingId == 0 ? latestRulesetIdOf[projectId] : startingId;
        uint256 count;
        for (uint256 id = firstId; id != 0 && count < size; id = _rulesets[projectId][id].basedOnId) count++;
        rulesets = new JBRuleset[](count);
        uint256 next = firstId;
        for (uint256 i; i < count; i++) {
            rulesets[i] = _rulesets[projectId][next];
            rulesets[i].id = uint48(next);
            next = rulesets[i].basedOnId;
        }
    }

    function deriveStartFrom(uint256 baseRulesetStart, uint256 baseRulesetDuration, uint256 mustStartAtOrAfter)
        public
        pure
        returns (uint256 start)
    {
        if (baseRulesetDuration == 0) return mustStartAtOrAfter;
        uint256 nextStart = baseRulesetStart + baseRulesetDuration;
        if (nextStart >= mustStartAtOrAfter) return nextStart;
        return nextStart + Math.ceilDiv(mustStartAtOrAfter - nextStart, baseRulesetDuration) * baseRulesetDuration;
    }

    function deriveCycleNumberFrom(
        uint256 baseRulesetCycleNumber,
        uint256 baseRulesetStart,
        uint256 baseRulesetDuration,
        uint256 start
    ) public pure returns (uint256) {
        if (baseRulesetDuration == 0) return baseRulesetCycleNumber + 1;
        return baseRulesetCycleNumber + (start - baseRulesetStart) / baseRulesetDuration;
    }

    function deriveWeightFrom(
        uint256 projectId,
        uint256 baseRulesetStart,
        uint256 baseRulesetDuration,
        uint256 baseRulesetWeight,
        uint256 baseRulesetWeightCutPercent,
        uint256 baseRulesetCacheId,
        uint256 start
    ) public view returns (uint256 weight) {
        weight = baseRulesetWeight;
        if (baseRulesetWeightCutPercent == 0) return weight;
        uint256 cuts = baseRulesetDuration == 0 ? 1 : (start - baseRulesetStart) / baseRulesetDuration;
        WeightCache memory cache = _weightCaches[projectId][baseRulesetCacheId];
        if (cache.multiple != 0 && cache.multiple <= cuts) (weight, cuts) = (cache.weight, cuts - cache.multiple);
        if (cuts > MAX_CUTS_PER_CALL) revert JBRulesets_WeightCacheRequired(projectId);
        uint256 kept = JBConstants.MAX_WEIGHT_CUT_PERCENT - baseRulesetWeightCutPercent;
        for (; cuts != 0 && weight != 0; cuts--) weight = weight * kept / JBConstants.MAX_WEIGHT_CUT_PERCENT;
    }

    function _requireValid(
        uint256 duration,
        uint256 weight,
        uint256 weightCutPercent,
        IJBRulesetApprovalHook hook,
        uint256 mustStartAtOrAfter
    ) private view {
        if (duration > type(uint32).max) revert JBRulesets_InvalidRulesetDuration(duration, type(uint32).max);
        if (weightCutPercent > JBConstants.MAX_WEIGHT_CUT_PERCENT) {
            revert JBRulesets_InvalidWeightCutPercent(weightCutPercent);
        }
        if (weight > type(uint112).max) revert JBRulesets_InvalidWeight(weight, type(uint112).max);
        uint256 end = mustStartAtOrAfter + duration;
        if (end > type(uint48).max) revert JBRulesets_InvalidRulesetEndTime(end, type(uint48).max);
        if (address(hook) == address(0)) return;
        if (!ERC165Checker.supportsInterface(address(hook), type(IJBRulesetApprovalHook).interfaceId)) {
            revert JBRulesets_InvalidRulesetApprovalHook(hook);
        }
    }

    /// Sets what depends on the predecessor: base, start (after its approval hook's time), cycle number and an inherited weight.
    function _place(uint256 projectId, JBRuleset memory ruleset, uint256 mustStartAtOrAfter) private view {
        JBRuleset memory base = _baseFor(projectId, mustStartAtOrAfter);
        if (base.id == 0) {
            (ruleset.cycleNumber, ruleset.start) = (1, uint48(mustStartAtOrAfter));
            return;
        }
        if (address(base.approvalHook) != address(0)) {
            mustStartAtOrAfter = Math.max(mustStartAtOrAfter, ruleset.id + base.approvalHook.DURATION());
        }
        uint256 start = deriveStartFrom(base.start, base.duration, mustStartAtOrAfter);
        ruleset.basedOnId = base.id;
        ruleset.start = uint48(start);
        ruleset.cycleNumber = uint48(deriveCycleNumberFrom(base.cycleNumber, base.start, base.duration, start));
        if (ruleset.weight == INHERIT_WEIGHT) ruleset.weight = uint112(_weightAt(projectId, base, start));
    }

    /// The latest ruleset, or its own base when it was refused or is replaced before it starts.
    function _baseFor(uint256 projectId, uint256 mustStartAtOrAfter) private view returns (JBRuleset memory base) {
        base = _rulesets[projectId][latestRulesetIdOf[projectId]];
        if (base.id == 0) return base;
        JBApprovalStatus status = _approvalStatusOf(projectId, base);
        bool acceptable = status == JBApprovalStatus.Approved || status == JBApprovalStatus.Empty;
        bool stays = acceptable;
        if (block.timestamp < base.start) {
            bool endsBefore = mustStartAtOrAfter >= uint256(base.start) + base.duration;
            bool expected = acceptable || status == JBApprovalStatus.ApprovalExpected;
            stays = endsBefore ? expected : status == JBApprovalStatus.Approved;
        }
        if (!stays) base = _rulesets[projectId][base.basedOnId];
    }

    /// The newest ruleset that has started and was not refused, as it was stored.
    function _startedOf(uint256 projectId) private view returns (JBRuleset memory ruleset) {
        ruleset = _rulesets[projectId][latestRulesetIdOf[projectId]];
        while (ruleset.id != 0) {
            JBApprovalStatus status = _approvalStatusOf(projectId, ruleset);
            bool accepted = status == JBApprovalStatus.Approved || status == JBApprovalStatus.Empty;
            if (accepted && ruleset.start <= block.timestamp) return ruleset;
            ruleset = _rulesets[projectId][ruleset.basedOnId];
        }
    }

    /// The earliest ruleset that has not started and may still be approved.
    function _firstPendingOf(uint256 projectId) private view returns (JBRuleset memory pending) {
        JBRuleset memory ruleset = _rulesets[projectId][latestRulesetIdOf[projectId]];
        while (ruleset.start > block.timestamp) {
            JBApprovalStatus status = _approvalStatusOf(projectId, ruleset);
            if (status != JBApprovalStatus.Failed) pending = ruleset;
            ruleset = _rulesets[projectId][ruleset.basedOnId];
        }
    }

    function _cycle(uint256 projectId, JBRuleset memory ruleset, uint256 mustStartAtOrAfter) private view {
        uint256 start = deriveStartFrom(ruleset.start, ruleset.duration, mustStartAtOrAfter);
        ruleset.weight = uint112(_weightAt(projectId, ruleset, start));
        ruleset.cycleNumber =
            uint48(deriveCycleNumberFrom(ruleset.cycleNumber, ruleset.start, ruleset.duration, start));
        ruleset.start = uint48(start);
    }

    function _weightAt(uint256 projectId, JBRuleset memory base, uint256 start) private view returns (uint256) {
        return deriveWeightFrom(
            projectId, base.start, base.duration, base.weight, base.weightCutPercent, base.id, start
        );
    }

    /// A ruleset is approved by the hook of the ruleset it is based on.
    function _approvalStatusOf(uint256 projectId, JBRuleset memory ruleset) private view returns (JBApprovalStatus) {
        IJBRulesetApprovalHook hook = _rulesets[projectId][ruleset.basedOnId].approvalHook;
        if (ruleset.basedOnId == 0 || address(hook) == address(0)) return JBApprovalStatus.Empty;
        return hook.approvalStatusOf(projectId, ruleset);
    }
}
