/** A receipt proves the arguments that were planned and no others, but for those that no event tells. */
import { assert, describe, it } from "vitest"
import { type AbiParameter, canonicalSignature, functionsOf } from "../../src/catalog/Abi.ts"
import { anotherLeaf } from "./support/Another.ts"
import { abiOf, callTo, judged, logsOf } from "./support/Receipts.ts"
import type { Scenario } from "./support/Scenario.ts"
import { scenarios } from "./support/Scenarios.ts"

/** Permits and proofs lead to the effect, bounds hold where it happened, and the rest is what its contract keeps to itself. */
const UNTOLD: Readonly<Record<string, ReadonlyArray<string>>> = {
  "a payment in the native token": ["amount", "minReturnedTokens"],
  "a payment in a token that charges for its transfer": ["token", "amount", "minReturnedTokens"],
  "a payment for tiers": ["amount", "minReturnedTokens"],
  "a payment that the registry leads straight to the terminal": ["amount"],
  "a payment for tiers that a router leads to the terminal": ["amount"],
  "money added to a balance": ["amount", "shouldReturnHeldFees"],
  "a cash-out from the treasury": ["tokenToReclaim", "minTokensReclaimed"],
  "a cash-out by a swap": ["tokenToReclaim"],
  payouts: ["token", "currency", "minTokensPaidOut"],
  "payouts whose fee is told": ["token", "currency", "minTokensPaidOut"],
  "a draw on the surplus allowance": ["token", "currency", "minTokensPaidOut"],
  "a launched project": ["rulesetConfigurations"],
  "a new loan": ["minBorrowAmount"],
  "a whole repayment": ["maxRepayBorrowAmount", "collateralCountToReturn", "allowance"],
  "a repayment in part": ["maxRepayBorrowAmount", "allowance"],
  "a pool for ether": ["fee", "tickSpacing"],
  "a revnet with the usual shop": ["accountingContextsToAccept"],
  "a revnet with a shop of its own": ["accountingContextsToAccept", "tiered721HookConfiguration"],
  "a project launched with a shop": ["deployTiersHookConfig", "controller", "salt"],
  "a project launched with an empty shop": ["deployTiersHookConfig", "controller", "salt"],
  "a bridge claim": ["claimData.proof"],
  "several bridge claims": ["claims[].proof"]
}

interface Changed {
  readonly path: string
  readonly value: unknown
}

const elements = (type: string) => type.replace(/\[[0-9]*\]$/, "")

/** The value with another leaf, for each of its leaves. */
const changesOf = (parameter: AbiParameter, value: unknown, path: string): ReadonlyArray<Changed> => {
  const { type, components = [] } = parameter
  if (Array.isArray(value))
    return value.flatMap((element, index) =>
      changesOf({ ...parameter, type: elements(type) }, element, `${path}[]`).map(changed => ({
        path: changed.path,
        value: value.with(index, changed.value)
      }))
    )
  if (type === "tuple")
    return components.flatMap(component => {
      const member = Object(value)[component.name]
      return changesOf(component, member, `${path}.${component.name}`).map(changed => ({
        path: changed.path,
        value: { ...Object(value), [component.name]: changed.value }
      }))
    })
  return [{ path, value: anotherLeaf(type, value) }]
}

const callsOf = ({ call }: Scenario) => {
  const { contractId, abiHash, function: signature, args } = call.decoded
  const entry = functionsOf(abiOf(abiHash)).find(found => canonicalSignature(found) === signature)
  return (entry?.inputs ?? []).flatMap((parameter, position) =>
    changesOf(parameter, args[position], parameter.name).map(({ path, value }) => ({
      path,
      call: callTo(contractId, signature, args.with(position, value), { value: call.value })
    }))
  )
}

describe("a receipt", () => {
  it.each(scenarios)("of $name proves no other argument", scenario => {
    const logs = logsOf(scenario.emissions)
    assert.strictEqual(judged(scenario.call, logs).status, "verified")
    const untold = UNTOLD[scenario.name] ?? []
    const proved = callsOf(scenario).filter(({ call }) => judged(call, logs).status === "verified")
    const found = new Set(proved.map(({ path }) => untold.find(each => path.startsWith(each)) ?? path))
    assert.sameMembers([...found], [...untold])
  })
})
