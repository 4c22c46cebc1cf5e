// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// As the entry point of ERC-4337 v0.7 hands it over.
struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

/// Pays for operations that its signer signed, from its deposit at the entry point, for as long as the signature says.
contract SandboxPaymaster {
    error DataLength(uint256 length);

    /// Address, gas limits of verification and of what comes after.
    uint256 private constant HEAD = 52;
    /// From there: validUntil, validAfter (6 bytes each) and the signature (65 bytes).
    uint256 private constant SIGNATURE = HEAD + 12;
    uint256 private constant END = SIGNATURE + 65;

    address public immutable SIGNER;

    constructor(address signer) {
        SIGNER = signer;
    }

    /// Keeps nothing, so that it matters not who asks.
    function validatePaymasterUserOp(PackedUserOperation calldata operation, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        bytes calldata data = operation.paymasterAndData;
        if (data.length != END) revert DataLength(data.length);
        bytes32 signed = MessageHashUtils.toEthSignedMessageHash(hashOf(operation));
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecover(signed, data[SIGNATURE:]);
        bool failed = fault != ECDSA.RecoverError.NoError || signer != SIGNER;
        uint256 validUntil = uint48(bytes6(data[HEAD:]));
        uint256 validAfter = uint48(bytes6(data[HEAD + 6:]));
        return ("", (failed ? 1 : 0) | (validUntil << 160) | (validAfter << 208));
    }

    /// Of all but the two signatures.
    function hashOf(PackedUserOperation calldata operation) public view returns (bytes32) {
        return keccak256(
            abi.encode(
                block.chainid,
                operation.sender,
                operation.nonce,
                keccak256(operation.initCode),
                keccak256(operation.callData),
                operation.accountGasLimits,
                operation.preVerificationGas,
                operation.gasFees,
                keccak256(operation.paymasterAndData[:SIGNATURE])
            )
        );
    }
}
