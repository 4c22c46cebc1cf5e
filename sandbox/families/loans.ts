/** Loans of revnets, and one that the first account took. */
import { encodeFunctionData, parseAbi, parseEther } from "viem"
import { addressOf } from "../addresses.ts"
import REVLoans from "../artifacts/REVLoans.json" with { type: "json" }
import { call, NATIVE_TOKEN, type SandboxAccounts, type SandboxCall } from "../calls.ts"
import type { Deployed } from "../contracts.ts"
import { protocolAbi } from "../protocolAbi.ts"
import { FEE_REVNET_ID, REVNET_ID } from "./revnets.ts"

export const loanContracts: ReadonlyArray<Deployed> = [
  {
    artifact: REVLoans,
    contractId: "@rev-net/core-v6:src/REVLoans.sol:REVLoans",
    arguments: deployer => ({ revId: FEE_REVNET_ID, terminal: addressOf("JBMultiTerminal", deployer) })
  }
]

const loansAbi = parseAbi([
  "struct Permissions { address operator; uint64 projectId; uint8[] permissionIds; }",
  "struct Loan { uint112 amount; uint112 collateral; uint48 createdAt; uint16 prepaidFeePercent; uint32 prepaidDuration; address sourceToken; }",
  "function setPermissionsFor(address account, Permissions permissionsData)",
  "function borrowFrom(uint256 revnetId, address token, uint256 minBorrowAmount, uint256 collateralCount, address beneficiary, uint256 prepaidFeePercent, address holder) returns (uint256 loanId, Loan)"
])

const BURN_TOKENS = 11
const PAYMENT = parseEther("2")
const COLLATERAL = parseEther("500")
const PREPAID_FEE_PERCENT = 25n

/** Pays the revnet for tokens, and borrows against some of them. */
export const loanSeed = ({ owner }: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const operator = addressOf("REVLoans", owner)
  const pay = encodeFunctionData({
    abi: protocolAbi,
    functionName: "pay",
    args: [REVNET_ID, NATIVE_TOKEN, PAYMENT, owner, 0n, "", "0x"]
  })
  const permit = encodeFunctionData({
    abi: loansAbi,
    functionName: "setPermissionsFor",
    args: [owner, { operator, projectId: REVNET_ID, permissionIds: [BURN_TOKENS] }]
  })
  const borrow = encodeFunctionData({
    abi: loansAbi,
    functionName: "borrowFrom",
    args: [REVNET_ID, NATIVE_TOKEN, 0n, COLLATERAL, owner, PREPAID_FEE_PERCENT, owner]
  })
  return [
    call(addressOf("JBMultiTerminal", owner), pay, PAYMENT),
    call(addressOf("JBPermissions", owner), permit),
    call(operator, borrow)
  ]
}
