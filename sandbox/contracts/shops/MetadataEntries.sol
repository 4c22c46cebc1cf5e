// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Values of a terminal's metadata: a reserved word, a table of four-byte ids with offsets in words, the values.
library MetadataEntries {
    uint256 private constant TABLE = 32;
    uint256 private constant ENTRY = 5;
    uint256 private constant WORD = 32;

    function idOf(string memory purpose, address target) internal pure returns (bytes4) {
        return bytes4(bytes20(target) ^ bytes20(keccak256(bytes(purpose))));
    }

    /// The value may be followed by those of later entries, which decoding leaves alone.
    function valueOf(bytes4 id, bytes calldata metadata) internal pure returns (bool found, bytes calldata value) {
        value = metadata[0:0];
        if (metadata.length < TABLE + WORD) return (false, value);
        uint256 end = uint8(metadata[TABLE + 4]) * WORD;
        for (uint256 at = TABLE; at + ENTRY <= end && end <= metadata.length; at += ENTRY) {
            if (bytes4(metadata[at:at + 4]) != id) continue;
            return (true, metadata[uint8(metadata[at + 4]) * WORD:]);
        }
    }
}
