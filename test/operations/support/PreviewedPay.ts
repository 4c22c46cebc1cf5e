/** A payment to project 7 that its terminal previews. */
import { Effect } from "effect"
import { runQuotePay } from "../../../src/operations/payments/quote_pay/Run.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { type Contracts, REVERTED } from "./Contracts.ts"
import { ACCOUNT, BENEFICIARY, paidProject, type Spec, specOf } from "./Payments.ts"
import { NATIVE, PROJECT, ruleset } from "./Revnets.ts"

export const AMOUNT = 10n ** 18n
export const USDC: Address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"

export const input = (changes: Readonly<Record<string, unknown>> = {}) => ({
  project: { chainId: 1, projectId: String(PROJECT) },
  account: ACCOUNT,
  token: NATIVE,
  amount: String(AMOUNT),
  beneficiary: BENEFICIARY,
  ...changes
})

interface Preview {
  readonly beneficiary?: bigint
  readonly reserved?: bigint
  readonly specs?: ReadonlyArray<Spec>
  readonly rulesetId?: number
  readonly contract?: string
  readonly token?: Address
}

export const previewed = (chain: Contracts, preview: Preview = {}) => {
  const { beneficiary = 800n, reserved = 200n, specs = [], rulesetId = ruleset().id } = preview
  const { contract = "JBMultiTerminal", token = NATIVE } = preview
  return chain.says(
    { contract, function: "previewPayFor", args: [PROJECT, token, AMOUNT, BENEFICIARY, "0x"] },
    [ruleset({ id: rulesetId }), beneficiary, reserved, specs.map(specOf)]
  )
}

const routedPreview = {
  contract: "JBRouterTerminalRegistry",
  function: "previewPayFor",
  args: [PROJECT, NATIVE, AMOUNT, BENEFICIARY, "0x"]
}

export const chain = Effect.map(paidProject, world => previewed(world).tells(routedPreview, REVERTED))

export const quoted = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  world.answers(runQuotePay, input(changes))

export const refusal = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  Effect.map(quoted(world, changes), ({ refused }) => refused)
