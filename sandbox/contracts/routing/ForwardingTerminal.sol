// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPermit2} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {Permits} from "../Permits.sol";
import {JBAccountingContext} from "../structs.sol";

interface IWrappedEther {
    function withdraw(uint256 amount) external;
}

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

    function _handOn(uint256 projectId, address token, uint256 amount) internal returns (bytes memory answer) {
        (address next, address taken) = _routeFor(projectId, token);
        if (next == address(0)) _refuseRoute(projectId, token);
        uint256 value = msg.value;
        if (token != JBConstants.NATIVE_TOKEN) {
            if (value != 0) _refuseValue();
            if (!Permits.pull(address(PERMIT2), token, _msgSender(), amount)) _refuseAmount(amount);
            if (taken == JBConstants.NATIVE_TOKEN) {
                IWrappedEther(token).withdraw(amount);
                value = amount;
            } else {
                IERC20(token).forceApprove(next, amount);
            }
        }
        bool succeeded;
        (succeeded, answer) = next.call{value: value}(_callWith(taken));
        _orRevert(succeeded, answer);
        if (taken != JBConstants.NATIVE_TOKEN) IERC20(token).forceApprove(next, 0);
    }

    /// What the next terminal answers, as it answers it; zeros where there is no route.
    function _askNext(uint256 projectId, address token) internal view {
        (address next, address taken) = _routeFor(projectId, token);
        if (next == address(0)) return;
        (bool succeeded, bytes memory answer) = next.staticcall(_callWith(taken));
        _orRevert(succeeded, answer);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    /// The call that came, for the token that the next terminal takes: the second argument of each.
    function _callWith(address taken) private pure returns (bytes memory data) {
        data = msg.data;
        assembly ("memory-safe") {
            mstore(add(data, 68), taken)
        }
    }

    function _orRevert(bool succeeded, bytes memory answer) private pure returns (bytes memory) {
        if (succeeded) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    /// The terminal, and the token that it is to be paid in.
    function _routeFor(uint256 projectId, address token) internal view virtual returns (address next, address taken);

    function _refuseRoute(uint256 projectId, address token) internal view virtual;

    function _refuseValue() internal virtual;

    function _refuseAmount(uint256 amount) internal pure virtual;
}
