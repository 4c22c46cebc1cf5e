// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Tree} from "./SuckerStructs.sol";

/// A binary tree of 32 levels that grows leaf by leaf; what is not there yet hashes as zero.
library MerkleTree {
    uint256 internal constant DEPTH = 32;

    function insert(Tree storage tree, bytes32 leaf) internal {
        uint256 size = tree.count + 1;
        tree.count = size;
        bytes32 node = leaf;
        for (uint256 depth; depth < DEPTH; depth++) {
            if (size & 1 == 1) {
                tree.branch[depth] = node;
                return;
            }
            node = hashed(tree.branch[depth], node);
            size >>= 1;
        }
    }

    function root(Tree storage tree) internal view returns (bytes32 current) {
        bytes32 empty;
        uint256 count = tree.count;
        for (uint256 depth; depth < DEPTH; depth++) {
            current = (count >> depth) & 1 == 1 ? hashed(tree.branch[depth], current) : hashed(current, empty);
            empty = hashed(empty, empty);
        }
    }

    function branchRoot(bytes32 leaf, bytes32[32] calldata proof, uint256 index)
        internal
        pure
        returns (bytes32 current)
    {
        current = leaf;
        for (uint256 depth; depth < DEPTH; depth++) {
            current = (index >> depth) & 1 == 1 ? hashed(proof[depth], current) : hashed(current, proof[depth]);
        }
    }

    function hashed(bytes32 left, bytes32 right) internal pure returns (bytes32) {
        return keccak256(abi.encode(left, right));
    }
}
