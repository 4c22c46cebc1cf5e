// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PermitDetails, PermitSingle, SandboxPermits} from "./routing/SandboxPermits.sol";

/// What an owner signs for Permit2 when a terminal or a loan shall take tokens by it.
struct JBSingleAllowance {
    uint256 sigDeadline;
    uint160 amount;
    uint48 expiration;
    uint48 nonce;
    bytes signature;
}

/// Takes tokens by the owner's allowance, or by Permit2 where there is one.
library Permits {
    using SafeERC20 for IERC20;

    /// A signature that Permit2 refuses changes nothing; where Permit2 is missing all are taken for good.
    function allow(address permit2, address token, address owner, JBSingleAllowance memory signed)
        internal
        returns (bool isAllowed, bytes memory reason)
    {
        PermitDetails memory details = PermitDetails(token, signed.amount, signed.expiration, signed.nonce);
        PermitSingle memory permit = PermitSingle(details, address(this), signed.sigDeadline);
        return permit2.call(abi.encodeCall(SandboxPermits.permit, (owner, permit, signed.signature)));
    }

    /// False where the allowance is too small for an amount beyond what Permit2 counts.
    function pull(address permit2, address token, address owner, uint256 amount) internal returns (bool) {
        if (IERC20(token).allowance(owner, address(this)) >= amount || permit2.code.length == 0) {
            IERC20(token).safeTransferFrom(owner, address(this), amount);
            return true;
        }
        if (amount > type(uint160).max) return false;
        SandboxPermits(permit2).transferFrom(owner, address(this), uint160(amount), token);
        return true;
    }
}
