// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Never deployed: its creation code runs inside one `eth_call` and makes many calls that need nothing of each other.
/// Asked is a row of: 20 bytes of address, 2 bytes of size, and as many bytes of calldata; the size 0xffff asks for
/// the hash of the address's code instead. Answered is a row of: 1 byte, which is one where it is told; 4 bytes of
/// size; and the bytes.
contract PackedCalls {
    constructor(bytes memory asked) {
        assembly {
            let at := add(asked, 32)
            let end := add(at, mload(asked))
            let answered := mload(0x40)
            let free := answered
            for {} lt(at, end) {} {
                let to := shr(96, mload(at))
                let size := shr(240, mload(add(at, 20)))
                at := add(at, 22)
                switch size
                case 0xffff {
                    mstore8(free, 1)
                    mstore(add(free, 1), shl(224, 32))
                    mstore(add(free, 5), extcodehash(to))
                    free := add(free, 37)
                }
                default {
                    let told := staticcall(gas(), to, at, size, 0, 0)
                    let length := returndatasize()
                    mstore8(free, told)
                    mstore(add(free, 1), shl(224, length))
                    free := add(free, 5)
                    returndatacopy(free, 0, length)
                    free := add(free, length)
                    at := add(at, size)
                }
            }
            return(answered, sub(free, answered))
        }
    }
}
