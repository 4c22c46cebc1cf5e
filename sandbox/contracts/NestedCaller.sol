// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Calls what it is asked to, and pays back whoever pays it with the call that it was told.
contract NestedCaller {
    event NestedCaller_PaidBack(bool success);

    bytes private _payback;

    function callNested(address target, bytes calldata data) external payable {
        (bool success, bytes memory answer) = target.call{value: msg.value}(data);
        if (success) return;
        assembly ("memory-safe") { revert(add(answer, 32), mload(answer)) }
    }

    function payBackWith(bytes calldata data) external {
        _payback = data;
    }

    receive() external payable {
        if (_payback.length == 0) return;
        (bool success,) = msg.sender.call{value: msg.value}(_payback);
        emit NestedCaller_PaidBack(success);
    }
}
