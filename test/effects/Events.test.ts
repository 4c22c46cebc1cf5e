import { Either } from "effect"
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem"
import { assert, describe, it } from "vitest"
import { type AbiParameter, canonicalType } from "../../src/catalog/Abi.ts"
import { type EventFields, eventsOf } from "../../src/effects/Events.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { TIERS_HOOK } from "./support/ContractIds.ts"
import { ACCOUNT, abiOf, deployment, eventInputs, OTHER, otherLog } from "./support/Receipts.ts"

const eventEntryOf = (name: string, inputs: ReadonlyArray<AbiParameter>) => ({
  type: "event" as const,
  name,
  inputs
})

const emitted = (name: string, types: ReadonlyArray<string>, topics: ReadonlyArray<Hex>, data: Hex) => ({
  ...otherLog(0, data),
  topics: [keccak256Utf8(`${name}(${types.join(",")})`), ...topics]
})

const addressWord = encodeAbiParameters(parseAbiParameters("address"), [ACCOUNT])

describe("an indexed value without a fixed size", () => {
  it("is read by its hash, of a pinned contract", () => {
    const { abiHash } = deployment(TIERS_HOOK)
    const emitter = { address: OTHER, abi: abiOf(abiHash) }
    const types = eventInputs(emitter.abi, "SetName").map(canonicalType)
    const name = keccak256Utf8("Shop")
    const logs = [emitted("SetName", types, [name], addressWord)]
    const about = (fields: EventFields) => eventsOf(logs, { emitter, event: "SetName", about: fields })
    assert.deepStrictEqual(about({ name }), Either.right([{ name, caller: ACCOUNT }]))
    assert.deepStrictEqual(about({ name: keccak256Utf8("Stall") }), Either.right([]))
  })

  it.each([
    { type: "string" },
    { type: "bytes" },
    { type: "uint256[]" },
    { type: "address[2]" },
    { type: "tuple", components: [{ name: "a", type: "uint256" }] },
    { type: "tuple[]", components: [{ name: "a", type: "uint256" }] }
  ])("is read by its hash: $type", parameter => {
    const inputs = [
      { ...parameter, name: "value", indexed: true },
      { name: "by", type: "address", indexed: true }
    ]
    const value = keccak256("0x1234")
    const emitter = { address: OTHER, abi: [eventEntryOf("Told", inputs)] }
    const logs = [emitted("Told", inputs.map(canonicalType), [value, addressWord], "0x")]
    assert.deepStrictEqual(
      eventsOf(logs, { emitter, event: "Told", about: { by: ACCOUNT } }),
      Either.right([{ value, by: ACCOUNT }])
    )
  })
})
