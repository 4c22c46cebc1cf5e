import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { payCalls } from "../../../src/operations/payments/PayCalls.ts"
import { cashOutCalls } from "../../../src/operations/payments/prepare_cash_out/Run.ts"
import { payoutCalls } from "../../../src/operations/payments/prepare_payout/Run.ts"
import type { Spending } from "../../../src/operations/shared/Allowance.ts"
import { agreesWithEthers, anAddress, aProject, aUint, someBytes } from "../../support/Encodings.ts"
import { aPayment, NATIVE } from "../../support/Payments.ts"

const MULTI_TERMINAL = "0x130f5dd2bd8805443cf41755253d778a75a67f53"
const ROUTER_REGISTRY = "0xe0427f250fdb0379c8e98e884ee4570521208cbc"

const terminal = new Interface([
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256)",
  "function cashOutTokensOf(address holder, uint256 projectId, uint256 cashOutCount, address tokenToReclaim, uint256 minTokensReclaimed, address payable beneficiary, bytes metadata) returns (uint256)",
  "function sendPayoutsOf(uint256 projectId, address token, uint256 amount, uint256 currency, uint256 minTokensPaidOut) returns (uint256)"
])
const erc20 = new Interface(["function approve(address spender, uint256 value) returns (bool)"])

const slippageBps = fc.integer({ min: 0, max: 1000 })

describe("the calldata of", () => {
  it("prepare_pay is that of an independent encoding, its approvals exact and before it", () => {
    const route = fc.constantFrom("multi-terminal" as const, "router-terminal" as const)
    const allowance = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
    agreesWithEthers({
      id: "prepare_pay",
      input: fc.record({
        ...aPayment,
        slippageBps,
        metadata: someBytes(),
        memo: fc.string({ maxLength: 80, unit: "grapheme" })
      }),
      facts: fc.record({ route, minimum: aUint(256), allowance }),
      calls: (input, { route, minimum, allowance }) => {
        const spender = route === "multi-terminal" ? MULTI_TERMINAL : ROUTER_REGISTRY
        const { token, amount } = input
        const spends: Spending = { token, spender, needed: BigInt(amount), allowance }
        return payCalls(input, {
          route,
          minimumBeneficiaryTokenCount: minimum,
          spends: token === NATIVE ? undefined : spends
        })
      },
      independent: (input, { route, minimum, allowance }) => {
        const { project, token, amount, beneficiary, memo, metadata } = input
        const to = route === "multi-terminal" ? MULTI_TERMINAL : ROUTER_REGISTRY
        const approve = (value: bigint) => ({
          to: token,
          data: erc20.encodeFunctionData("approve", [to, value])
        })
        const isShort = token !== NATIVE && allowance < BigInt(amount)
        return [
          ...(isShort && allowance > 0n ? [approve(0n)] : []),
          ...(isShort ? [approve(BigInt(amount))] : []),
          {
            to,
            data: terminal.encodeFunctionData("pay", [
              project.projectId,
              token,
              amount,
              beneficiary,
              minimum,
              memo,
              metadata
            ]),
            value: token === NATIVE ? BigInt(amount) : 0n
          }
        ]
      }
    })
  })

  it("prepare_cash_out is that of an independent encoding", () => {
    agreesWithEthers({
      id: "prepare_cash_out",
      input: fc.record({
        project: aProject,
        holder: anAddress,
        cashOutCount: aUint(256, 1n),
        tokenToReclaim: anAddress,
        beneficiary: anAddress,
        slippageBps,
        account: anAddress
      }),
      facts: fc.record({ terminalMinimum: aUint(256), metadata: someBytes() }),
      calls: cashOutCalls,
      independent: (input, { terminalMinimum, metadata }) => {
        const { holder, project, cashOutCount, tokenToReclaim, beneficiary } = input
        const args = [
          holder,
          project.projectId,
          cashOutCount,
          tokenToReclaim,
          terminalMinimum,
          beneficiary,
          metadata
        ]
        return [{ to: MULTI_TERMINAL, data: terminal.encodeFunctionData("cashOutTokensOf", args) }]
      }
    })
  })

  it("prepare_payout is that of an independent encoding", () => {
    agreesWithEthers({
      id: "prepare_payout",
      input: fc.record({
        project: aProject,
        account: anAddress,
        token: anAddress,
        amount: aUint(256, 1n),
        currency: fc.integer({ min: 1, max: 4_294_967_295 }),
        slippageBps
      }),
      facts: fc.record({ minimumTokensPaidOut: aUint(256) }),
      calls: payoutCalls,
      independent: ({ project, token, amount, currency }, { minimumTokensPaidOut }) => [
        {
          to: MULTI_TERMINAL,
          data: terminal.encodeFunctionData("sendPayoutsOf", [
            project.projectId,
            token,
            amount,
            currency,
            minimumTokensPaidOut
          ])
        }
      ]
    })
  })
})
