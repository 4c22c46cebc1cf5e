// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// Forwards what is paid for a bundle of a provider's to the provider, and says so; it keeps nothing.
contract PrepaidPayments is ReentrancyGuardTransient {
    error CalldataLength(uint256 length);
    error DeadlineExceeded();
    error RecipientRefused();

    event Prepayment(bytes16 indexed bundle, uint256 amount, uint40 deadline);

    address payable public immutable RECIPIENT;

    constructor(address payable recipient) {
        RECIPIENT = recipient;
    }

    /// A payment in the second of its deadline is in time.
    function prepayment(bytes16 bundle, uint40 deadline) external payable nonReentrant {
        if (msg.data.length != 68) revert CalldataLength(msg.data.length);
        if (block.timestamp > deadline) revert DeadlineExceeded();
        (bool taken,) = RECIPIENT.call{value: msg.value}("");
        if (!taken) revert RecipientRefused();
        emit Prepayment(bundle, msg.value, deadline);
    }
}
