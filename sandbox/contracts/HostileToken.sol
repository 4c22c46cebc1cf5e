// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A token whose transfers say yes and move nothing, and call whatever they were told to before they do.
contract HostileToken {
    event HostileToken_Called(bool success, bytes answer);

    address private _callee;
    bytes private _data;

    function callDuringTransfers(address callee, bytes calldata data) external {
        (_callee, _data) = (callee, data);
    }

    function transfer(address, uint256) external returns (bool) {
        if (_callee != address(0)) {
            (bool success, bytes memory answer) = _callee.call(_data);
            emit HostileToken_Called(success, answer);
        }
        return true;
    }
}
