// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {WebAuthn} from "@openzeppelin/contracts/utils/cryptography/WebAuthn.sol";

/// An owner of wallets that signs by one passkey for ever: by its assertion over what is signed, of a user whom the authenticator verified.
contract PasskeyOwner is IERC1271 {
    error NotOnCurve();

    /// What Safe 1.4.1 asks its owners by, and takes for a yes.
    bytes4 private constant OF_BYTES = bytes4(keccak256("isValidSignature(bytes,bytes)"));
    bytes4 private constant REFUSED = 0xffffffff;

    bytes32 public immutable X;
    bytes32 public immutable Y;

    constructor(bytes32 x, bytes32 y) {
        if (!P256.isValidPublicKey(x, y)) revert NotOnCurve();
        X = x;
        Y = y;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return _signed(hash, signature) ? IERC1271.isValidSignature.selector : REFUSED;
    }

    /// The challenge of the assertion is the Keccak-256 of the data.
    function isValidSignature(bytes calldata data, bytes calldata signature) external view returns (bytes4) {
        return _signed(keccak256(data), signature) ? OF_BYTES : REFUSED;
    }

    function _signed(bytes32 hash, bytes calldata signature) private view returns (bool) {
        (bool decoded, WebAuthn.WebAuthnAuth calldata assertion) = WebAuthn.tryDecodeAuth(signature);
        return decoded && WebAuthn.verify(abi.encodePacked(hash), assertion, X, Y);
    }
}
