// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

struct PermitDetails {
    address token;
    uint160 amount;
    uint48 expiration;
    uint48 nonce;
}

struct PermitSingle {
    PermitDetails details;
    address spender;
    uint256 sigDeadline;
}

/// Allowances that end, to spend what owners allowed this contract, given by a call or by a signature.
contract SandboxPermits {
    using SafeERC20 for IERC20;

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);
    error InvalidNonce();
    error InvalidSigner();
    error SignatureExpired(uint256 signatureDeadline);

    event Approval(
        address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration
    );
    event Permit(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration,
        uint48 nonce
    );

    struct Allowed {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    string private constant DETAILS_TYPE =
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
    bytes32 private constant DETAILS = keccak256(bytes(DETAILS_TYPE));
    bytes32 private constant SINGLE = keccak256(
        abi.encodePacked("PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", DETAILS_TYPE)
    );
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");

    mapping(address owner => mapping(address token => mapping(address spender => Allowed))) public allowance;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        _allow(allowance[msg.sender][token][spender], amount, expiration);
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function permit(address owner, PermitSingle memory permitSingle, bytes calldata signature) external {
        if (block.timestamp > permitSingle.sigDeadline) revert SignatureExpired(permitSingle.sigDeadline);
        if (!SignatureChecker.isValidSignatureNow(owner, _digestOf(permitSingle), signature)) revert InvalidSigner();
        PermitDetails memory details = permitSingle.details;
        Allowed storage allowed = allowance[owner][details.token][permitSingle.spender];
        if (allowed.nonce != details.nonce) revert InvalidNonce();
        allowed.nonce++;
        _allow(allowed, details.amount, details.expiration);
        emit Permit(
            owner, details.token, permitSingle.spender, details.amount, details.expiration, details.nonce
        );
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowed storage allowed = allowance[from][token][msg.sender];
        if (block.timestamp > allowed.expiration) revert AllowanceExpired(allowed.expiration);
        if (amount > allowed.amount) revert InsufficientAllowance(allowed.amount);
        if (allowed.amount != type(uint160).max) allowed.amount -= amount;
        IERC20(token).safeTransferFrom(from, to, amount);
    }

    /// An allowance that ends at zero holds for this block alone.
    function _allow(Allowed storage allowed, uint160 amount, uint48 expiration) private {
        allowed.amount = amount;
        allowed.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
    }

    function _digestOf(PermitSingle memory permitSingle) private view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN, keccak256("Permit2"), block.chainid, address(this)));
        bytes32 details = keccak256(abi.encode(DETAILS, permitSingle.details));
        bytes32 single = keccak256(abi.encode(SINGLE, details, permitSingle.spender, permitSingle.sigDeadline));
        return keccak256(abi.encodePacked(hex"1901", domain, single));
    }
}
