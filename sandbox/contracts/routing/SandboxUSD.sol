// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IJBPriceFeed} from "../interfaces.sol";

/// Dollars that anybody may mint, and what an ether costs in them.
contract SandboxUSD is ERC20, IJBPriceFeed {
    uint256 private constant DOLLARS_FOR_AN_ETHER = 2000;

    constructor(address first, uint256 amount) ERC20("Sandbox USD", "sUSD") {
        _mint(first, amount);
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(from == address(0) || balanceOf(from) >= value, "balance");
        super._update(from, to, value);
    }

    function currentUnitPrice(uint256 decimals_) external pure returns (uint256) {
        return DOLLARS_FOR_AN_ETHER * 10 ** decimals_;
    }
}
