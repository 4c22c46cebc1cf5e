// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {PoolKey} from "./PoolKey.sol";

/// A pool manager and the oracle of its pools in one: nothing is swapped, and every pool has always stood at the price of one.
contract SandboxPools {
    error SandboxPools_NoPool(bytes32 poolId);

    uint256 private constant POOLS_SLOT = 6;
    uint256 private constant LIQUIDITY_OFFSET = 3;
    uint160 private constant PRICE_OF_ONE = 2 ** 96;
    uint128 private constant LIQUIDITY = 10 ** 21;
    uint32 private constant COVERAGE = 2 days;

    /// The words of storage where Uniswap's pool manager has them.
    mapping(bytes32 slot => bytes32 word) public extsload;
    mapping(address currency0 => mapping(address currency1 => PoolKey)) private _pools;

    /// The pool's hooks are this contract.
    function makePool(address currency0, address currency1, uint24 fee, int24 tickSpacing) external {
        PoolKey memory key = PoolKey(currency0, currency1, fee, tickSpacing, address(this));
        uint256 slot = uint256(keccak256(abi.encode(keccak256(abi.encode(key)), POOLS_SLOT)));
        extsload[bytes32(slot)] = bytes32(uint256(PRICE_OF_ONE));
        extsload[bytes32(slot + LIQUIDITY_OFFSET)] = bytes32(uint256(LIQUIDITY));
        _pools[currency0][currency1] = key;
    }

    /// The empty key where there is none.
    function poolBetween(address tokenA, address tokenB) external view returns (PoolKey memory) {
        return tokenA < tokenB ? _pools[tokenA][tokenB] : _pools[tokenB][tokenA];
    }

    function isInitialized(PoolKey memory key) public view returns (bool) {
        return extsload[keccak256(abi.encode(keccak256(abi.encode(key)), POOLS_SLOT))] != 0;
    }

    function observationCoverageOf(PoolKey calldata key) external view returns (uint32 oldestSecondsAgo) {
        return isInitialized(key) ? COVERAGE : 0;
    }

    function observe(PoolKey calldata key, uint32[] calldata secondsAgos)
        external
        view
        returns (int56[] memory tickCumulatives, uint160[] memory secondsPerLiquidityCumulativeX128s)
    {
        if (!isInitialized(key)) revert SandboxPools_NoPool(keccak256(abi.encode(key)));
        tickCumulatives = new int56[](secondsAgos.length);
        secondsPerLiquidityCumulativeX128s = new uint160[](secondsAgos.length);
        for (uint256 i; i < secondsAgos.length; i++) {
            uint256 moment = block.timestamp - secondsAgos[i];
            secondsPerLiquidityCumulativeX128s[i] = uint160((moment << 128) / LIQUIDITY);
        }
    }
}
