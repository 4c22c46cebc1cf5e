// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    IJBController,
    IJBDirectory,
    IJBPermissions,
    IJBPrices,
    IJBRulesets,
    IJBTerminal,
    IJBTerminalStore
} from "../interfaces.sol";

/// What loans call beyond the interfaces of the core.

struct REVLoan {
    uint112 amount;
    uint112 collateral;
    uint48 createdAt;
    uint16 prepaidFeePercent;
    uint32 prepaidDuration;
    address sourceToken;
}

interface ILoanController is IJBController {
    function DIRECTORY() external view returns (IJBDirectory);
    function PERMISSIONS() external view returns (IJBPermissions);
    function PRICES() external view returns (IJBPrices);
    function RULESETS() external view returns (IJBRulesets);
}

interface ILoanStore is IJBTerminalStore {
    function currentTotalSurplusOf(uint256 projectId, uint256 decimals, uint256 currency)
        external
        view
        returns (uint256);
}

interface ILoanTerminal is IJBTerminal {
    function STORE() external view returns (ILoanStore);
    function useAllowanceOf(
        uint256 projectId,
        address token,
        uint256 amount,
        uint256 currency,
        uint256 minTokensPaidOut,
        address payable beneficiary,
        address payable feeBeneficiary,
        string calldata memo
    ) external returns (uint256 netAmountPaidOut);
}

interface IRevnetOwner {
    function cashOutDelayOf(uint256 revnetId) external view returns (uint256 cashOutDelay);
}
