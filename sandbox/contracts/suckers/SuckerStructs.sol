// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

enum JBSuckerState {
    ENABLED,
    DEPRECATION_PENDING,
    SENDING_DISABLED,
    DEPRECATED
}

struct JBTokenMapping {
    address localToken;
    uint32 minGas;
    bytes32 remoteToken;
}

struct JBSuckerDeployerConfig {
    address deployer;
    bytes32 peer;
    JBTokenMapping[] mappings;
}

struct JBSuckersPair {
    address local;
    bytes32 remote;
    uint256 remoteChainId;
}

struct JBRemoteToken {
    bool enabled;
    bool emergencyHatch;
    uint32 minGas;
    bytes32 addr;
}

struct JBInboxTreeRoot {
    uint64 nonce;
    bytes32 root;
}

struct Tree {
    bytes32[32] branch;
    uint256 count;
}

struct JBOutboxTree {
    uint64 nonce;
    uint192 numberOfClaimsSent;
    uint256 balance;
    Tree tree;
}

struct JBLeaf {
    uint256 index;
    bytes32 beneficiary;
    uint256 projectTokenCount;
    uint256 terminalTokenAmount;
    bytes32 metadata;
}

struct JBClaim {
    address token;
    JBLeaf leaf;
    bytes32[32] proof;
}

struct JBSourceContext {
    bytes32 token;
    uint8 decimals;
    uint128 surplus;
    uint128 balance;
}

struct JBChainAccounting {
    uint256 chainId;
    uint256 totalSupply;
    JBSourceContext[] contexts;
    uint256 timestamp;
}

struct JBPeerChainValue {
    uint256 value;
    uint256 peerChainId;
    uint256 snapshotTimestamp;
}

struct JBPeerChainContext {
    uint32 currency;
    uint8 decimals;
    uint128 surplus;
    uint128 balance;
}

struct JBAccountingSnapshot {
    uint8 version;
    JBChainAccounting[] accounts;
}

struct JBMessageRoot {
    uint8 version;
    bytes32 token;
    uint256 amount;
    JBInboxTreeRoot remoteRoot;
    JBChainAccounting[] accounts;
}
