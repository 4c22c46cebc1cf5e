// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBTerminal} from "./interfaces.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBFee} from "./structs.sol";
import {TerminalPayments} from "./TerminalPayments.sol";

/// The protocol's fee: paid to project 1 at once, or held for a while when the ruleset says so.
abstract contract TerminalFees is TerminalPayments {
    error JBMultiTerminal_FeeTerminalNotFound(address token);

    event FeeReverted(
        uint256 indexed projectId,
        address indexed token,
        uint256 indexed feeProjectId,
        uint256 amount,
        bytes reason,
        address caller
    );
    event HoldFee(
        uint256 indexed projectId,
        address indexed token,
        uint256 indexed amount,
        uint256 fee,
        address beneficiary,
        address caller
    );
    event ProcessFee(
        uint256 indexed projectId,
        address indexed token,
        uint256 indexed amount,
        bool wasHeld,
        address beneficiary,
        address caller
    );
    event ReturnHeldFees(
        uint256 indexed projectId,
        address indexed token,
        uint256 indexed amount,
        uint256 returnedFees,
        uint256 leftoverAmount,
        address caller
    );

    /// What projects received here free of a fee, and owe it for when it is cashed out untaxed.
    mapping(uint256 projectId => mapping(address token => uint256)) public feeFreeSurplusOf;

    mapping(uint256 projectId => mapping(address token => JBFee[])) private _heldFees;
    mapping(uint256 projectId => mapping(address token => uint256)) private _firstHeld;

    /// Processes up to `count` held fees, oldest first, as far as their holding time is over.
    function processHeldFeesOf(uint256 projectId, address token, uint256 count) external {
        JBFee[] storage fees = _heldFees[projectId][token];
        IJBTerminal feeTerminal = _terminalOf(JBConstants.FEE_PROJECT_ID, token);
        for (uint256 i; i < count; i++) {
            uint256 next = _firstHeld[projectId][token];
            if (next >= fees.length || fees[next].unlockTimestamp > block.timestamp) return;
            JBFee memory held = fees[next];
            delete fees[next];
            _firstHeld[projectId][token] = next + 1;
            _processFee(projectId, token, _feeOn(held.amount), held.beneficiary, feeTerminal, true);
        }
    }

    function heldFeesOf(uint256 projectId, address token, uint256 count) external view returns (JBFee[] memory) {
        JBFee[] storage fees = _heldFees[projectId][token];
        uint256 first = _firstHeld[projectId][token];
        JBFee[] memory held = new JBFee[](Math.min(count, fees.length - first));
        for (uint256 i; i < held.length; i++) {
            held[i] = fees[first + i];
        }
        return held;
    }

    /// External so that a failing fee payment can be caught.
    function executeProcessFee(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        IJBTerminal feeTerminal
    ) external onlySelf {
        if (address(feeTerminal) == address(0)) revert JBMultiTerminal_FeeTerminalNotFound(token);
        bytes memory metadata = abi.encodePacked(projectId);
        uint256 feeProjectId = JBConstants.FEE_PROJECT_ID;
        if (address(feeTerminal) == address(this) && beneficiary == address(0)) {
            _added(feeProjectId, token, amount, 0, "", metadata);
            return;
        }
        if (address(feeTerminal) == address(this)) {
            _pay(feeProjectId, token, amount, address(this), beneficiary, "", metadata);
            return;
        }
        _payAt(feeTerminal, feeProjectId, token, amount, beneficiary, metadata);
    }

    function _feeOn(uint256 amount) internal pure returns (uint256) {
        return Math.mulDiv(amount, JBConstants.FEE, JBConstants.MAX_FEE);
    }

    /// Tells even of a fee of nothing, as the deployed terminal does.
    function _takeFee(uint256 projectId, address token, uint256 amount, address beneficiary, bool hold)
        internal
        returns (uint256 fee)
    {
        fee = _feeOn(amount);
        if (hold) {
            uint48 unlockTimestamp = uint48(block.timestamp) + JBConstants.FEE_HOLDING_SECONDS;
            _heldFees[projectId][token].push(JBFee(uint224(amount), beneficiary, unlockTimestamp));
            emit HoldFee(projectId, token, amount, JBConstants.FEE, beneficiary, _msgSender());
            return fee;
        }
        IJBTerminal feeTerminal = _terminalOf(JBConstants.FEE_PROJECT_ID, token);
        _processFee(projectId, token, fee, beneficiary, feeTerminal, false);
    }

    /// Gives back the fees held for payouts that the added amount covers, in part for the last one.
    function _returnHeldFees(uint256 projectId, address token, uint256 amount)
        internal
        returns (uint256 returnedFees)
    {
        JBFee[] storage fees = _heldFees[projectId][token];
        uint256 next = _firstHeld[projectId][token];
        if (next == fees.length) return 0;
        uint256 left = amount;
        for (; left != 0 && next < fees.length; next++) {
            uint256 gross = fees[next].amount;
            uint256 net = gross - _feeOn(gross);
            if (left < net) {
                uint256 fee = Math.mulDiv(left, JBConstants.FEE, JBConstants.MAX_FEE - JBConstants.FEE);
                fees[next].amount = uint224(gross - left - fee);
                (returnedFees, left) = (returnedFees + fee, 0);
                break;
            }
            delete fees[next];
            (returnedFees, left) = (returnedFees + gross - net, left - net);
        }
        _firstHeld[projectId][token] = next;
        emit ReturnHeldFees(projectId, token, amount, returnedFees, left, _msgSender());
    }

    /// A fee that cannot be paid stays with the project, as surplus that no fee was paid for.
    function _processFee(
        uint256 projectId,
        address token,
        uint256 fee,
        address beneficiary,
        IJBTerminal feeTerminal,
        bool wasHeld
    ) private {
        try this.executeProcessFee(projectId, token, fee, beneficiary, feeTerminal) {
            emit ProcessFee(projectId, token, fee, wasHeld, beneficiary, _msgSender());
        } catch (bytes memory reason) {
            emit FeeReverted(projectId, token, JBConstants.FEE_PROJECT_ID, fee, reason, _msgSender());
            _keep(projectId, token, fee);
            feeFreeSurplusOf[projectId][token] += fee;
        }
    }
}
