// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {PoolKey} from "./PoolKey.sol";
import {SandboxPermits} from "./SandboxPermits.sol";
import {IPoolTrader, SandboxPools} from "./SandboxPools.sol";

/// Adds liquidity to pools, as the first of several actions says; the others are to settle and to give back the rest.
contract SandboxPositions is IPoolTrader {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    struct Minted {
        PoolKey key;
        int24 lower;
        int24 upper;
        uint256 liquidity;
        uint128 most0;
        uint128 most1;
        address owner;
        bytes hookData;
    }

    SandboxPools public immutable POOLS;
    SandboxPermits public immutable PERMITS;

    uint256 private _count;
    address private transient _payer;

    constructor(SandboxPools pools, SandboxPermits permits) {
        POOLS = pools;
        PERMITS = permits;
    }

    receive() external payable {}

    function modifyLiquidities(bytes calldata unlockData, uint256) external payable {
        (, bytes[] memory parameters) = abi.decode(unlockData, (bytes, bytes[]));
        Minted memory minted = _decoded(parameters[0]);
        emit Transfer(address(0), minted.owner, ++_count);
        _payer = msg.sender;
        uint256 value = minted.key.currency0 == address(0) ? msg.value : 0;
        POOLS.addLiquidity{value: value}(
            minted.key, minted.lower, minted.upper, minted.liquidity, bytes32(_count)
        );
        Address.sendValue(payable(msg.sender), address(this).balance);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(POOLS));
        (address token, uint256 amount) = abi.decode(data, (address, uint256));
        PERMITS.transferFrom(_payer, msg.sender, uint160(amount), token);
        return "";
    }

    /// A struct with a dynamic member, written without the offset that would lead to it.
    function _decoded(bytes memory parameters) private pure returns (Minted memory) {
        return abi.decode(bytes.concat(bytes32(uint256(32)), parameters), (Minted));
    }
}
