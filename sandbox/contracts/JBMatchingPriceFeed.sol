// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBPriceFeed} from "./interfaces.sol";

/// The price of one thing in itself, for two currency ids that name it.
contract JBMatchingPriceFeed is IJBPriceFeed {
    constructor() {}

    function currentUnitPrice(uint256 decimals) external view returns (uint256) {
        return 10 ** decimals;
    }
}
