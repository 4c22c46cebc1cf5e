/** Project 7 with a terminal, and the hooks that may stand behind its ruleset. */
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import type { Address } from "../../../src/values/Scalars.ts"
import { proxyCode } from "../../protocol/support/Clones.ts"
import { type Contracts, contracts } from "./Contracts.ts"
import { metadata, NATIVE, PROJECT, ruleset, ZERO } from "./Revnets.ts"

export const ACCOUNT: Address = "0x00000000000000000000000000000000000000AA"
export const BENEFICIARY: Address = "0x00000000000000000000000000000000000000bb"
export const CLONE: Address = "0x0000000000000000000000000000000000007215"

export const controllerOf = { contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }
export const currentRulesetOf = { contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }
export const primaryTerminalOf = (token: Address = NATIVE) => ({
  contract: "JBDirectory",
  function: "primaryTerminalOf",
  args: [PROJECT, token]
})
export const isTerminalOf = (chain: Contracts) => ({
  contract: "JBDirectory",
  function: "isTerminalOf",
  args: [PROJECT, chain.at("JBMultiTerminal")]
})
export const accountingContext = {
  contract: "JBMultiTerminal",
  function: "accountingContextForTokenOf",
  args: [PROJECT, NATIVE]
}
export const terminalsOf = { contract: "JBDirectory", function: "terminalsOf", args: [PROJECT] }
export const registeredRouter = {
  contract: "JBRouterTerminalRegistry",
  function: "terminalOf",
  args: [PROJECT]
}
export const registeredBuyback = { contract: "JBBuybackHookRegistry", function: "hookOf", args: [PROJECT] }
export const revnetBuyback = { contract: "REVOwner", function: "BUYBACK_HOOK" }
export const revnetShop = { contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }
export const tieredHookOf = {
  contract: "JBOmnichainDeployer",
  function: "tiered721HookOf",
  args: [PROJECT, BigInt(ruleset().id)]
}
export const extraHookOf = {
  contract: "JBOmnichainDeployer",
  function: "extraDataHookOf",
  args: [PROJECT, BigInt(ruleset().id)]
}

export const paidProject = Effect.map(contracts, chain =>
  chain
    .says(controllerOf, chain.at("JBController"))
    .says(currentRulesetOf, [ruleset(), metadata()])
    .says(primaryTerminalOf(), chain.at("JBMultiTerminal"))
    .says(terminalsOf, [chain.at("JBMultiTerminal")])
    .says(registeredRouter, ZERO)
    .says(registeredBuyback, ZERO)
    .says(revnetBuyback, ZERO)
    .says(revnetShop, ZERO)
)

export type Use = "useDataHookForPay" | "useDataHookForCashOut"

export const useHook = (chain: Contracts, use: Use, dataHook: Address) =>
  chain.says(currentRulesetOf, [ruleset(), metadata({ [use]: true, dataHook })])

const getter = (name: string) => ({ contract: "JB721TiersHook", at: CLONE, function: name })

/** A clone of the canonical 721 hook that says it is the project's. */
export const withClone = (chain: Contracts) =>
  chain
    .code(CLONE, proxyCode("solady", chain.at("JB721TiersHook")))
    .says(getter("STORE"), chain.at("JB721TiersHookStore"))
    .says(getter("DIRECTORY"), chain.at("JBDirectory"))
    .says(getter("projectId"), PROJECT)
    .says(getter("METADATA_ID_TARGET"), chain.at("JB721TiersHook"))

export const cloneGetter = getter

/** Words of a hook's specification, each of which fills 32 bytes. */
export const words = (values: ReadonlyArray<bigint | Address>) =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values.map(BigInt)
  )

export interface Spec {
  readonly hook: Address
  readonly noop?: boolean
  readonly amount?: bigint
  readonly metadata?: string
}

export const specOf = ({ hook, noop = false, amount = 0n, metadata = "0x" }: Spec) => ({
  hook,
  noop,
  amount,
  metadata
})
