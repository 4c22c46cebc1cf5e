// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {PoolKey} from "./PoolKey.sol";
import {PoolPrices} from "./PoolPrices.sol";

interface IPoolTrader {
    /// To hand over what is taken: a token and its amount. Ether comes with the call.
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

struct Observation {
    uint256 timestamp;
    int256 ticks;
    uint256 perLiquidity;
}

/// A pool manager and the oracle of its pools. All liquidity of a pool lies over the whole range of prices.
contract SandboxPools {
    using SafeERC20 for IERC20;

    error SandboxPools_NoPool(bytes32 poolId);
    error SandboxPools_NotObserved(bytes32 poolId, uint256 secondsAgo);
    error PoolAlreadyInitialized();

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        uint24 fee,
        int24 tickSpacing,
        address hooks,
        uint160 sqrtPriceX96,
        int24 tick
    );
    event ModifyLiquidity(
        bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt
    );
    event Swap(
        bytes32 indexed id,
        address indexed sender,
        int128 amount0,
        int128 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick,
        uint24 fee
    );

    uint256 private constant POOLS_SLOT = 6;
    uint256 private constant LIQUIDITY_OFFSET = 3;
    uint160 private constant PRICE_OF_ONE = 2 ** 96;
    uint128 private constant STILL_LIQUIDITY = 10 ** 21;
    uint256 private constant STILL_COVERAGE = 2 days;
    uint256 private constant MILLION = 1_000_000;

    /// The words of storage where Uniswap's pool manager has them.
    mapping(bytes32 slot => bytes32 word) public extsload;
    /// Such a pool is looked at alone: nothing lies in it and nobody trades there.
    mapping(bytes32 poolId => bool) public isStill;
    mapping(address currency0 => mapping(address currency1 => PoolKey)) private _pools;
    mapping(bytes32 poolId => Observation[]) private _observations;
    /// Of pools that name this contract as their hooks, where another one keeps them.
    SandboxPools private _keeper;

    function initialize(PoolKey calldata key, uint160 sqrtPriceX96) external returns (int24 tick) {
        bytes32 id = _idOf(key);
        if (isInitialized(key)) revert PoolAlreadyInitialized();
        tick = PoolPrices.tickAt(sqrtPriceX96);
        _pools[key.currency0][key.currency1] = key;
        _setPrice(id, sqrtPriceX96, tick, key.fee);
        _observations[id].push(Observation(block.timestamp, 0, 0));
        if (key.hooks.code.length != 0 && key.hooks != address(this)) SandboxPools(key.hooks).keepHere();
        emit Initialize(
            id, key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks, sqrtPriceX96, tick
        );
    }

    /// The caller keeps pools that name this contract.
    function keepHere() external {
        _keeper = SandboxPools(msg.sender);
    }

    /// A pool that stands still at the price of one; its hooks are this contract.
    function makePool(address currency0, address currency1, uint24 fee, int24 tickSpacing) external {
        PoolKey memory key = PoolKey(currency0, currency1, fee, tickSpacing, address(this));
        bytes32 id = _idOf(key);
        delete _observations[id];
        _setPrice(id, PRICE_OF_ONE, 0, fee);
        _setLiquidity(id, STILL_LIQUIDITY);
        _observations[id].push(Observation(block.timestamp - STILL_COVERAGE, 0, 0));
        _pools[currency0][currency1] = key;
        isStill[id] = true;
    }

    /// Takes what the liquidity consists of: ether with the call, tokens from the caller's allowance.
    function addLiquidity(PoolKey calldata key, int24 lower, int24 upper, uint256 liquidity, bytes32 salt)
        external
        payable
        returns (uint256 first, uint256 second)
    {
        bytes32 id = _idOf(key);
        (uint160 price,) = _priceOf(id);
        (first, second) = PoolPrices.held(price, lower, upper, liquidity);
        emit ModifyLiquidity(id, msg.sender, lower, upper, int256(liquidity), salt);
        _setLiquidity(id, uint128(liquidityOf(id) + liquidity));
        _observe(id);
        if (key.currency0 == address(0)) Address.sendValue(payable(msg.sender), msg.value - first);
        else _take(key.currency0, first);
        _take(key.currency1, second);
    }

    /// Sells the whole amount of one currency for the other.
    function swap(PoolKey calldata key, bool isFirst, uint256 amount) external payable returns (uint256 given) {
        bytes32 id = _idOf(key);
        if (isStill[id] || liquidityOf(id) == 0) revert SandboxPools_NoPool(id);
        given = _trade(id, key.fee, isFirst, amount);
        (address taken, address paid) =
            isFirst ? (key.currency0, key.currency1) : (key.currency1, key.currency0);
        if (taken != address(0)) _take(taken, amount);
        if (paid == address(0)) Address.sendValue(payable(msg.sender), given);
        else IERC20(paid).safeTransfer(msg.sender, given);
    }

    /// The empty key where there is none.
    function poolBetween(address tokenA, address tokenB) external view returns (PoolKey memory) {
        return tokenA < tokenB ? _pools[tokenA][tokenB] : _pools[tokenB][tokenA];
    }

    function observationCoverageOf(PoolKey calldata key) external view returns (uint32 oldestSecondsAgo) {
        if (address(_keeper) != address(0)) return _keeper.observationCoverageOf(key);
        Observation[] storage all = _observations[_idOf(key)];
        return all.length == 0 ? 0 : uint32(block.timestamp - all[0].timestamp);
    }

    function observe(PoolKey calldata key, uint32[] calldata secondsAgos)
        external
        view
        returns (int56[] memory tickCumulatives, uint160[] memory secondsPerLiquidityCumulativeX128s)
    {
        if (address(_keeper) != address(0)) return _keeper.observe(key, secondsAgos);
        bytes32 id = _idOf(key);
        if (!isInitialized(key)) revert SandboxPools_NoPool(id);
        tickCumulatives = new int56[](secondsAgos.length);
        secondsPerLiquidityCumulativeX128s = new uint160[](secondsAgos.length);
        for (uint256 i; i < secondsAgos.length; i++) {
            Observation memory seen = _observedAt(id, secondsAgos[i]);
            tickCumulatives[i] = int56(seen.ticks);
            secondsPerLiquidityCumulativeX128s[i] = uint160(seen.perLiquidity);
        }
    }

    function isInitialized(PoolKey memory key) public view returns (bool) {
        return extsload[_slotOf(_idOf(key))] != 0;
    }

    function liquidityOf(bytes32 id) public view returns (uint256) {
        return uint256(extsload[bytes32(uint256(_slotOf(id)) + LIQUIDITY_OFFSET)]);
    }

    function tickOf(bytes32 id) external view returns (int24 tick) {
        (, tick) = _priceOf(id);
    }

    function _trade(bytes32 id, uint24 fee, bool isFirst, uint256 amount) private returns (uint256 given) {
        _observe(id);
        uint256 liquidity = liquidityOf(id);
        uint256 charged = amount * (MILLION - fee) / MILLION;
        (uint160 price,) = _priceOf(id);
        (price, given) = isFirst
            ? PoolPrices.afterFirst(price, liquidity, charged)
            : PoolPrices.afterSecond(price, liquidity, charged);
        _setPrice(id, price, PoolPrices.tickAt(price), fee);
        int128 taken = -int128(int256(amount));
        int128 paid = int128(int256(given));
        _tellSwap(id, isFirst ? taken : paid, isFirst ? paid : taken, fee);
    }

    function _take(address token, uint256 amount) private {
        IPoolTrader(msg.sender).unlockCallback(abi.encode(token, amount));
    }

    function _tellSwap(bytes32 id, int128 amount0, int128 amount1, uint24 fee) private {
        (uint160 price, int24 tick) = _priceOf(id);
        emit Swap(id, msg.sender, amount0, amount1, price, uint128(liquidityOf(id)), tick, fee);
    }

    /// At the first change of a block, before a trade but after liquidity came.
    function _observe(bytes32 id) private {
        Observation[] storage all = _observations[id];
        if (all[all.length - 1].timestamp == block.timestamp) return;
        all.push(_observedAt(id, 0));
    }

    function _observedAt(bytes32 id, uint256 secondsAgo) private view returns (Observation memory) {
        Observation[] storage all = _observations[id];
        uint256 target = block.timestamp - secondsAgo;
        uint256 last = all.length;
        while (last != 0 && all[last - 1].timestamp > target) last--;
        if (last == 0) revert SandboxPools_NotObserved(id, secondsAgo);
        Observation memory before = all[last - 1];
        uint256 passed = target - before.timestamp;
        if (last < all.length) {
            Observation memory next = all[last];
            uint256 between = next.timestamp - before.timestamp;
            return Observation(
                target,
                before.ticks + (next.ticks - before.ticks) / int256(between) * int256(passed),
                before.perLiquidity + (next.perLiquidity - before.perLiquidity) * passed / between
            );
        }
        (, int24 tick) = _priceOf(id);
        uint256 liquidity = liquidityOf(id);
        return Observation(
            target,
            before.ticks + tick * int256(passed),
            before.perLiquidity + (passed << 128) / (liquidity == 0 ? 1 : liquidity)
        );
    }

    function _priceOf(bytes32 id) private view returns (uint160 price, int24 tick) {
        uint256 word = uint256(extsload[_slotOf(id)]);
        return (uint160(word), int24(uint24(word >> 160)));
    }

    function _setPrice(bytes32 id, uint160 price, int24 tick, uint24 fee) private {
        extsload[_slotOf(id)] =
            bytes32(uint256(price) | uint256(uint24(tick)) << 160 | uint256(fee) << 208);
    }

    function _setLiquidity(bytes32 id, uint128 liquidity) private {
        extsload[bytes32(uint256(_slotOf(id)) + LIQUIDITY_OFFSET)] = bytes32(uint256(liquidity));
    }

    function _slotOf(bytes32 id) private pure returns (bytes32) {
        return keccak256(abi.encode(id, POOLS_SLOT));
    }

    function _idOf(PoolKey memory key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }
}
