// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {MetadataEntries} from "../shops/MetadataEntries.sol";
import {PoolKey} from "./PoolKey.sol";
import {PoolPrices} from "./PoolPrices.sol";
import {SandboxPools} from "./SandboxPools.sol";

/// What a pool's oracle makes an amount worth, and the least that a swap then has to give.
struct PoolQuote {
    int24 tick;
    uint256 liquidity;
    uint256 worth;
    uint256 minimum;
}

/// What a pool would give, by what its oracle has seen over a window.
abstract contract BuybackQuotes {
    uint256 private constant BASIS = 10_000;
    uint256 private constant MIN_SLIPPAGE = 200;
    uint256 private constant MAX_SLIPPAGE = 8_800;
    uint256 private constant IMPACT_UNIT = 10 ** 18;
    /// The impact at which the slippage is half way to its most.
    uint256 private constant HALF_IMPACT = 5 * 10 ** 16;

    address public poolManager;
    address public oracleHook;

    /// All zero where nothing can be traded.
    function _quote(PoolKey memory key, uint256 window, uint256 amount, bool isFirst)
        internal
        view
        returns (PoolQuote memory quote)
    {
        bytes32 id = _idOf(key);
        SandboxPools pools = SandboxPools(poolManager);
        if (pools.isStill(id) || pools.liquidityOf(id) == 0) return quote;
        (quote.tick, quote.liquidity) = _weighed(key, window);
        quote.worth = PoolPrices.worthAt(quote.tick, amount, isFirst);
        uint256 slippage = _slippageAt(quote, amount, isFirst);
        quote.minimum = quote.worth - Math.mulDiv(quote.worth, slippage, BASIS);
    }

    /// The mean tick, rounded down, and the harmonic mean of the liquidity.
    function _weighed(PoolKey memory key, uint256 window) private view returns (int24 tick, uint256 liquidity) {
        uint256 covered = SandboxPools(oracleHook).observationCoverageOf(key);
        if (covered == 0) return (SandboxPools(poolManager).tickOf(_idOf(key)), SandboxPools(poolManager).liquidityOf(_idOf(key)));
        if (covered < window) window = covered;
        uint32[] memory agos = new uint32[](2);
        agos[0] = uint32(window);
        (int56[] memory ticks, uint160[] memory perLiquidity) = SandboxPools(oracleHook).observe(key, agos);
        int256 moved = ticks[1] - ticks[0];
        tick = int24(moved / int256(window));
        if (moved < 0 && moved % int256(window) != 0) tick--;
        liquidity = (window << 128) / (perLiquidity[1] - perLiquidity[0]);
    }

    function _slippageAt(PoolQuote memory quote, uint256 amount, bool isFirst) private view returns (uint256) {
        uint256 price = PoolPrices.priceAt(quote.tick);
        uint256 base = Math.mulDiv(amount, IMPACT_UNIT, quote.liquidity);
        uint256 impact =
            isFirst ? Math.mulDiv(base, price, PoolPrices.ONE) : Math.mulDiv(base, PoolPrices.ONE, price);
        return MIN_SLIPPAGE + Math.mulDiv(MAX_SLIPPAGE - MIN_SLIPPAGE, impact, impact + HALF_IMPACT);
    }

    /// The value of the hook's entry for a purpose.
    function _asked(string memory purpose, bytes calldata metadata)
        internal
        view
        returns (bool isAsked, bytes calldata value)
    {
        return MetadataEntries.valueOf(MetadataEntries.idOf(purpose, address(this)), metadata);
    }

    function _idOf(PoolKey memory key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }
}
