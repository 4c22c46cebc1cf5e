// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Prices of pools: square roots with 96 binary places, of which a tick is the logarithm to the base of the root of 1.0001.
library PoolPrices {
    uint256 internal constant ONE = 2 ** 96;
    int24 internal constant LAST_TICK = 887_272;
    uint256 private constant FINE = 2 ** 128;
    /// The root of 1.0001 with 128 binary places.
    uint256 private constant STEP = 0x1000346d6ff11672ae55ad00f5c38565c;

    function priceAt(int24 tick) internal pure returns (uint160) {
        uint256 left = uint24(tick < 0 ? -tick : tick);
        uint256 fine = FINE;
        for (uint256 power = STEP; left != 0; power = Math.mulDiv(power, power, FINE)) {
            if (left & 1 == 1) fine = Math.mulDiv(fine, power, FINE);
            left >>= 1;
        }
        if (tick < 0) fine = type(uint256).max / fine;
        return uint160(Math.ceilDiv(fine, FINE / ONE));
    }

    /// The last tick that the price has reached.
    function tickAt(uint160 price) internal pure returns (int24 tick) {
        int24 above = LAST_TICK;
        tick = -LAST_TICK;
        while (above - tick > 1) {
            int24 middle = tick + (above - tick) / 2;
            if (priceAt(middle) <= price) tick = middle;
            else above = middle;
        }
    }

    /// What an amount is worth of the other currency at a tick.
    function worthAt(int24 tick, uint256 amount, bool isFirst) internal pure returns (uint256) {
        uint256 price = priceAt(tick);
        uint256 squared = price * price;
        return isFirst ? Math.mulDiv(squared, amount, 2 ** 192) : Math.mulDiv(2 ** 192, amount, squared);
    }

    /// Where a price goes that an amount of the first currency is sold at, and what that gives of the second.
    function afterFirst(uint256 price, uint256 liquidity, uint256 amount)
        internal
        pure
        returns (uint160 next, uint256 given)
    {
        uint256 scaled = liquidity * ONE;
        next = uint160(Math.mulDiv(scaled, price, scaled + amount * price, Math.Rounding.Ceil));
        given = Math.mulDiv(liquidity, price - next, ONE);
    }

    function afterSecond(uint256 price, uint256 liquidity, uint256 amount)
        internal
        pure
        returns (uint160 next, uint256 given)
    {
        next = uint160(price + amount * ONE / liquidity);
        given = Math.mulDiv(liquidity * ONE, next - price, next) / price;
    }

    /// What liquidity over the whole range between two ticks consists of at a price.
    function held(uint256 price, int24 lower, int24 upper, uint256 liquidity)
        internal
        pure
        returns (uint256 first, uint256 second)
    {
        uint256 top = priceAt(upper);
        uint256 scaled = Math.mulDiv(liquidity * ONE, top - price, top, Math.Rounding.Ceil);
        first = Math.ceilDiv(scaled, price);
        second = Math.mulDiv(liquidity, price - priceAt(lower), ONE, Math.Rounding.Ceil);
    }
}
