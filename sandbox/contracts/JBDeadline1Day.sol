// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IJBRulesetApprovalHook} from "./interfaces.sol";
import {JBApprovalStatus, JBRuleset} from "./structs.sol";

/// Approves a ruleset queued at least one day before it starts.
contract JBDeadline1Day is ERC165, IJBRulesetApprovalHook {
    uint256 public constant DURATION = 1 days;

    constructor() {}

    function approvalStatusOf(uint256, JBRuleset memory ruleset) external view returns (JBApprovalStatus) {
        if (uint256(ruleset.id) + DURATION > ruleset.start) return JBApprovalStatus.Failed;
        bool locked = block.timestamp + DURATION >= ruleset.start;
        return locked ? JBApprovalStatus.Approved : JBApprovalStatus.ApprovalExpected;
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC165, IERC165) returns (bool) {
        return interfaceId == type(IJBRulesetApprovalHook).interfaceId || super.supportsInterface(interfaceId);
    }
}
