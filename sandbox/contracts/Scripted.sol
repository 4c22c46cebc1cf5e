// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// Answers, reverts and emits what a test has told it to, and makes minimal proxies, which are told by themselves.
contract Scripted {
    struct Log {
        bytes32[] topics;
        bytes data;
    }

    struct Reply {
        bool known;
        bool reverts;
        bytes data;
        Log[] logs;
    }

    error Scripted_NotTold(bytes callData);

    event Scripted_Cloned(address indexed clone, address indexed implementation);

    mapping(bytes32 callHash => Reply) private _replies;

    receive() external payable {}

    /// The reply to exactly this calldata goes before the reply to its selector.
    fallback() external payable {
        Reply storage reply = _replies[keccak256(msg.data)];
        if (!reply.known) reply = _replies[keccak256(msg.data[:4])];
        if (!reply.known) revert Scripted_NotTold(msg.data);
        for (uint256 i; i < reply.logs.length; i++) {
            _emit(reply.logs[i]);
        }
        bytes memory data = reply.data;
        bool reverts = reply.reverts;
        assembly ("memory-safe") {
            if reverts { revert(add(data, 32), mload(data)) }
            return(add(data, 32), mload(data))
        }
    }

    /// Four bytes of calldata stand for every call of that function.
    function scriptReply(bytes calldata callData, bool reverts, bytes calldata data, Log[] calldata logs) external {
        Reply storage reply = _replies[keccak256(callData)];
        (reply.known, reply.reverts, reply.data) = (true, reverts, data);
        delete reply.logs;
        for (uint256 i; i < logs.length; i++) {
            Log storage log = reply.logs.push();
            log.topics = logs[i].topics;
            log.data = logs[i].data;
        }
    }

    function scriptErc1167(address implementation) external returns (address clone) {
        clone = Clones.clone(implementation);
        emit Scripted_Cloned(clone, implementation);
    }

    /// The 44 bytes of Solady's LibClone behind the 9 bytes that put them there.
    function scriptSolady(address implementation) external returns (address clone) {
        bytes memory creation = abi.encodePacked(
            hex"602c3d8160093d39f33d3d3d3d363d3d37363d73", implementation, hex"5af43d3d93803e602a57fd5bf3"
        );
        assembly ("memory-safe") {
            clone := create(0, add(creation, 32), mload(creation))
        }
        emit Scripted_Cloned(clone, implementation);
    }

    function _emit(Log storage log) private {
        bytes memory data = log.data;
        bytes32[] memory topics = log.topics;
        uint256 count = topics.length;
        assembly ("memory-safe") {
            let at := add(topics, 32)
            let from := add(data, 32)
            let size := mload(data)
            switch count
            case 0 { log0(from, size) }
            case 1 { log1(from, size, mload(at)) }
            case 2 { log2(from, size, mload(at), mload(add(at, 32))) }
            case 3 { log3(from, size, mload(at), mload(add(at, 32)), mload(add(at, 64))) }
            default { log4(from, size, mload(at), mload(add(at, 32)), mload(add(at, 64)), mload(add(at, 96))) }
        }
    }
}
