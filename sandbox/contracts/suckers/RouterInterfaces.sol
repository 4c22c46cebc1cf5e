// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

struct TokenAmount {
    address token;
    uint256 amount;
}

/// What a router of CCIP is given.
struct RoutedMessage {
    bytes receiver;
    bytes data;
    TokenAmount[] tokenAmounts;
    address feeToken;
    bytes extraArgs;
}

/// What a router of CCIP delivers.
struct DeliveredMessage {
    bytes32 messageId;
    uint64 sourceChainSelector;
    bytes sender;
    bytes data;
    TokenAmount[] destTokenAmounts;
}

interface IRouter {
    function ccipSend(uint64 destinationChainSelector, RoutedMessage calldata message)
        external
        payable
        returns (bytes32);
    function getFee(uint64 destinationChainSelector, RoutedMessage calldata message) external view returns (uint256);
    function getWrappedNative() external view returns (address);
}

interface IRouterDeployer {
    function ccipRemoteChainId() external view returns (uint256);
    function ccipRemoteChainSelector() external view returns (uint64);
    function ccipRouter() external view returns (address);
}

interface IRoutedReceiver {
    function ccipReceive(DeliveredMessage calldata any2EvmMessage) external;
}

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 wad) external;
}
