/** A payout of project 7, divided between two splits and its owner. */
import { Effect } from "effect"
import { runQuotePayout } from "../../../src/operations/payments/quote_payout/Run.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import type { Contracts } from "./Contracts.ts"
import { ACCOUNT, accountingContext, BENEFICIARY, isTerminalOf, paidProject } from "./Payments.ts"
import { NATIVE, PROJECT, ruleset, ZERO } from "./Revnets.ts"

export const NATIVE_CURRENCY = 61_166

export const input = (changes: Readonly<Record<string, unknown>> = {}) => ({
  project: { chainId: 1, projectId: String(PROJECT) },
  account: ACCOUNT,
  token: NATIVE,
  amount: "1000",
  currency: NATIVE_CURRENCY,
  ...changes
})

export const payout = (currency = NATIVE_CURRENCY) => ({
  contract: "JBMultiTerminal",
  function: "sendPayoutsOf",
  args: [PROJECT, NATIVE, 1_000n, BigInt(currency), 0n]
})
export const splitsOf = {
  contract: "JBSplits",
  function: "splitsOf",
  args: [PROJECT, BigInt(ruleset().id), BigInt(NATIVE)]
}
export const split = (percent: number, to: object = {}) => ({
  percent,
  projectId: 0n,
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: 0,
  hook: ZERO,
  ...to
})

export const OWNER: Address = "0x00000000000000000000000000000000000000cc"
export const ownerOf = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }
export const feelessAddresses = { contract: "JBMultiTerminal", function: "FEELESS_ADDRESSES" }
export const isFeelessFor = (recipient: Address) => ({
  contract: "JBFeelessAddresses",
  function: "isFeelessFor",
  args: [recipient, PROJECT, ACCOUNT]
})
export const primaryTerminalOf = (projectId: bigint) => ({
  contract: "JBDirectory",
  function: "primaryTerminalOf",
  args: [projectId, NATIVE]
})

export const executed = (paid: object, amount: bigint) => ({
  contract: "JBMultiTerminal",
  function: "executePayout",
  args: [paid, PROJECT, NATIVE, amount, ACCOUNT]
})
export const transferred = (amount: bigint, to = OWNER) => ({
  contract: "JBMultiTerminal",
  function: "executeTransferTo",
  args: [to, NATIVE, amount]
})
export const limitOf = (world: Contracts, currency = NATIVE_CURRENCY) => ({
  contract: "JBFundAccessLimits",
  function: "payoutLimitOf",
  args: [PROJECT, BigInt(ruleset().id), world.at("JBMultiTerminal"), NATIVE, BigInt(currency)]
})
export const usedOf = (world: Contracts, currency = NATIVE_CURRENCY) => ({
  contract: "JBTerminalStore",
  function: "usedPayoutLimitOf",
  args: [world.at("JBMultiTerminal"), PROJECT, NATIVE, BigInt(ruleset().cycleNumber), BigInt(currency)]
})

export const PAID = { status: "known", value: null }

/** What the terminal's call to itself gives for a part that arrives. */
export const arriving = (amount: bigint) => [amount, amount]

export const chain = Effect.map(paidProject, world =>
  world
    .says(limitOf(world), 5_000n)
    .says(usedOf(world), 1_000n)
    .says(executed(split(500_000_000), 500n), arriving(500n))
    .says(executed(split(333_333_333), 333n), arriving(333n))
    .says(transferred(167n), [])
    .says(ownerOf, OWNER)
    .says(feelessAddresses, world.at("JBFeelessAddresses"))
    .says(isFeelessFor(OWNER), false)
    .says(isFeelessFor(BENEFICIARY), false)
    .says(isTerminalOf(world), true)
    .says(accountingContext, { token: NATIVE, decimals: 18, currency: NATIVE_CURRENCY })
    .says(payout(), 1_000n)
    .says(splitsOf, [split(500_000_000), split(333_333_333)])
)

export const unforeseen = Effect.map(chain, world => Object.assign(world, { foresees: false }))

export const quoted = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  world.answers(runQuotePayout, input(changes))

export const refusal = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  Effect.map(quoted(world, changes), ({ refused }) => refused)
