import { Either } from "effect"
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem"
import { assert, describe, it } from "vitest"
import { type AbiParameter, canonicalType } from "../../src/catalog/Abi.ts"
import { type EventFields, eventsOf } from "../../src/effects/Events.ts"
import { between } from "../../src/effects/Judgement.ts"
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

describe("an event whose name its contract has twice", () => {
  const inputsOf = (type: string) => [{ name: "value", type }]
  const abi = ["uint256", "int8"].map(type => eventEntryOf("Told", inputsOf(type)))
  const emitter = { address: OTHER, abi }
  const word = encodeAbiParameters(parseAbiParameters("uint256"), [7n])
  const logs = [emitted("Told", ["int8"], [], word)]
  const told = (event: string) => eventsOf(logs, { emitter, event, about: {} })

  it("is read by its signature", () => {
    assert.deepStrictEqual(told("Told(int8)"), Either.right([{ value: "7" }]))
    assert.deepStrictEqual(told("Told(uint256)"), Either.right([]))
  })

  it("is none by its name, or by another signature", () => {
    for (const event of ["Told", "Told(uint8)", "Told()"])
      assert.deepStrictEqual(told(event), Either.left(`the contract's ABI has not one ${event} event`))
  })
})

describe("a range", () => {
  it("may have an end below zero, and values", () => {
    const holds = (value: string) => between("-5", "2")(value)
    assert.deepStrictEqual(["-6", "-5", "-1", "0", "2", "3"].filter(holds), ["-5", "-1", "0", "2"])
  })
})
