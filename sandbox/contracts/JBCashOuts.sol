// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {JBConstants} from "./JBConstants.sol";

/// The bonding curve of cash-outs.
library JBCashOuts {
    function cashOutFrom(uint256 surplus, uint256 cashOutCount, uint256 totalSupply, uint256 cashOutTaxRate)
        internal
        pure
        returns (uint256)
    {
        uint256 maxRate = JBConstants.MAX_CASH_OUT_TAX_RATE;
        if (cashOutCount == 0 || cashOutTaxRate == maxRate) return 0;
        if (cashOutCount >= totalSupply) return surplus;
        uint256 base = Math.mulDiv(surplus, cashOutCount, totalSupply);
        if (cashOutTaxRate == 0) return base;
        uint256 returnedTax = Math.mulDiv(cashOutTaxRate, cashOutCount, totalSupply);
        return Math.mulDiv(base, maxRate - cashOutTaxRate + returnedTax, maxRate);
    }
}
