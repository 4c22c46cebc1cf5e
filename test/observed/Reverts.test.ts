/** Whether what recorded calls reverted with is told by its name, whichever contract behind the called one said it. */
import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import { type Abi, type AbiError, canonicalType, selectorOfEntry } from "../../src/catalog/Abi.ts"
import { encodeValues } from "../../src/protocol/AbiValues.ts"
import { contractNames } from "../../src/protocol/ContractNames.ts"
import { decodeRevert } from "../../src/protocol/RevertReason.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { catalog } from "../effects/support/Receipts.ts"
import { abisByName, pinnedAbis } from "./EventEntries.ts"
import { type Call, type Revert, recordingOf, scenarios, type Value } from "./Recording.ts"

const { passedErrors } = Effect.runSync(contractNames(catalog))

const isError = (entry: Abi[number]): entry is AbiError => entry.type === "error"

const signatureOf = ({ name, inputs }: AbiError) => `${name}(${inputs.map(canonicalType).join(",")})`

/** What is said by contracts outside the protocol stays unnamed: Permit2, WETH and libraries of clones. */
const declared = new Map(
  pinnedAbis
    .flat()
    .filter(isError)
    .map(entry => [signatureOf(entry), entry] as const)
)

const isObject = (value: Value): value is Readonly<Record<string, Value>> =>
  typeof value === "object" && value !== null

const dataOf = (entry: AbiError, { args }: Revert) => {
  const values = isObject(args) ? Object.values(args) : []
  const selector = selectorOfEntry(entry) ?? assert.fail(`${entry.name} has no selector`)
  const data: Hex = `${selector}${Either.getOrThrow(encodeValues(entry.inputs, values)).slice(2)}`
  return data
}

const reverted = (scenario: string) =>
  recordingOf(scenario).steps.flatMap(step => {
    if (step.kind === "time" || step.kind === "preparation") return []
    const abi = abisByName.get(step.contract)
    const entry = declared.get(step.revert?.error ?? "")
    return step.revert === undefined || abi === undefined || entry === undefined
      ? []
      : [{ step, abi, entry, data: dataOf(entry, step.revert) }]
  })

const told = ({ index, contract, function: name }: Call) => `${index} ${contract}.${name.split("(")[0]}`

describe("a recorded revert", () => {
  it.each(scenarios)("is named: %s", scenario => {
    for (const { step, abi, entry, data } of reverted(scenario))
      assert.strictEqual(decodeRevert([...abi, ...passedErrors], data).name, entry.name, told(step))
  })
})
