// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// The word `index` of what the call `call` answered, put at the byte `at` of the calldata: itself, or what it
/// leaves of the minuend where there is one.
struct Word {
    uint256 call;
    uint256 index;
    uint256 at;
    uint256 minuend;
}

struct Call {
    address to;
    bytes data;
    Word[] words;
}

struct Answer {
    bool told;
    bytes data;
}

/// Never deployed: its creation code runs inside one `eth_call` and makes calls that need words of earlier answers,
/// so that what follows from one another costs no further round trip. A call whose words are not there is not made.
contract DependentCalls {
    /// In place of a byte of the calldata: the word is the address to call.
    uint256 private constant TARGET = type(uint256).max;

    constructor(Call[] memory calls) {
        Answer[] memory answers = new Answer[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            if (_prepare(calls[i], answers)) {
                (answers[i].told, answers[i].data) = calls[i].to.staticcall(calls[i].data);
            }
        }
        bytes memory result = abi.encode(answers);
        assembly {
            return(add(result, 32), mload(result))
        }
    }

    function _prepare(Call memory made, Answer[] memory answers) private pure returns (bool) {
        for (uint256 i; i < made.words.length; i++) {
            Word memory wanted = made.words[i];
            bytes memory source = answers[wanted.call].data;
            if (!answers[wanted.call].told || source.length < 32 * (wanted.index + 1)) return false;
            uint256 word;
            uint256 start = 32 * (wanted.index + 1);
            assembly {
                word := mload(add(source, start))
            }
            if (wanted.minuend != 0) {
                if (word > wanted.minuend) return false;
                word = wanted.minuend - word;
            }
            if (wanted.at == TARGET) {
                made.to = address(uint160(word));
                continue;
            }
            bytes memory data = made.data;
            uint256 at = wanted.at + 32;
            assembly {
                mstore(add(data, at), word)
            }
        }
        return true;
    }
}
