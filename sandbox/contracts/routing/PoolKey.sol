// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// The zero address stands for the native token.
struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}
