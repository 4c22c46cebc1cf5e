// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPermit2} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBAccountingContext} from "../structs.sol";

/// A terminal that keeps nothing: what it takes in it hands on with the same call.
abstract contract ForwardingTerminal is ERC2771Context {
    using SafeERC20 for IERC20;

    IPermit2 public immutable PERMIT2;

    constructor(IPermit2 permit2, address trustedForwarder) ERC2771Context(trustedForwarder) {
        PERMIT2 = permit2;
    }

    function addAccountingContextsFor(uint256 projectId, JBAccountingContext[] calldata accountingContexts) external {}

    function addToBalanceOf(
        uint256 projectId,
        address token,
        uint256 amount,
        bool shouldReturnHeldFees,
        string calldata memo,
        bytes calldata metadata
    ) external payable {
        _handOn(projectId, token, amount);
    }

    function _handOn(uint256 projectId, address token, uint256 amount) internal returns (bytes memory) {
        address next = _nextFor(projectId, token);
        if (token != JBConstants.NATIVE_TOKEN) {
            if (msg.value != 0) _refuseValue();
            IERC20(token).safeTransferFrom(_msgSender(), address(this), amount);
            IERC20(token).forceApprove(next, amount);
        }
        (bool succeeded, bytes memory answer) = next.call{value: msg.value}(msg.data);
        return _orRevert(succeeded, answer);
    }

    /// What the next terminal answers, as it answers it.
    function _askNext(uint256 projectId, address token) internal view {
        (bool succeeded, bytes memory answer) = _nextFor(projectId, token).staticcall(msg.data);
        _orRevert(succeeded, answer);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    function _orRevert(bool succeeded, bytes memory answer) private pure returns (bytes memory) {
        if (succeeded) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    function _nextFor(uint256 projectId, address token) internal view virtual returns (address);

    function _refuseValue() internal virtual;
}
