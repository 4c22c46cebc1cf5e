import { Either } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { AbiParameter } from "../../src/catalog/Abi.ts"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import { decodeValues } from "../../src/protocol/AbiValues.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { abiOf, deployment, eventInputs, type Fields, judged, logOf, logsOf } from "./support/Receipts.ts"
import type { Evented, Scenario } from "./support/Scenario.ts"
import { scenarios } from "./support/Scenarios.ts"

const INTEGER = /^uint([0-9]+)$/

const hex = (bytes: fc.Arbitrary<Uint8Array>) => bytes.map(value => `0x${Buffer.from(value).toString("hex")}`)

const exactly = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Values of the type, among them ones next to what stands there. */
const FIXED_BYTES = /^bytes(\d+)$/

const valueOf = ({ type, components = [] }: AbiParameter, now: unknown): fc.Arbitrary<unknown> => {
  if (type.endsWith("[]"))
    return fc.array(valueOf({ name: "", type: type.slice(0, -2), components }, first(now)), { maxLength: 4 })
  const bits = Number(INTEGER.exec(type)?.[1] ?? 0)
  if (bits > 0) {
    const max = (1n << BigInt(bits)) - 1n
    const near = fc.bigInt({ min: -3n, max: 3n }).map(by => BigInt(String(now ?? 1)) + by)
    const any = fc.bigInt({ min: 0n, max })
    return fc.oneof(near, any).map(value => String(value < 0n ? 0n : value > max ? max : value))
  }
  switch (type) {
    case "tuple":
      return fc.record(
        Object.fromEntries(components.map(part => [part.name, valueOf(part, memberOf(now, part.name))]))
      )
    case "address":
      return hex(exactly(20)).map(checksummed)
    case "bool":
      return fc.boolean()
    case "string":
      return fc.string({ maxLength: 8 })
    case "bytes":
      return hex(fc.uint8Array({ maxLength: 40 }))
    default:
      return hex(exactly(Number(FIXED_BYTES.exec(type)?.[1] ?? 32)))
  }
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const inputsOf = ({ contractId, event }: Evented) => eventInputs(abiOf(deployment(contractId).abiHash), event)

/** Whether the proof may stand although this field has become another. */
const mayStand = ({ free, allows }: Evented, field: string, value: unknown): boolean =>
  free.includes(field) ||
  (allows?.[field]?.(typeof value === "string" ? value : canonicalJson(value)) ?? false)

const differs = (fields: Fields, name: string, value: unknown) =>
  canonicalJson(fields[name]) !== canonicalJson(value)

const anEvent = (scenario: Scenario) => fc.nat({ max: scenario.emissions.length - 1 })

const aChange = (scenario: Scenario) =>
  anEvent(scenario).chain(at => {
    const emission = scenario.emissions[at] ?? assert.fail("no such event")
    return fc
      .constantFrom(...inputsOf(emission))
      .chain(field =>
        valueOf(field, emission.fields[field.name]).map(value => ({ at, emission, field, value }))
      )
  })

const fieldsOf = (emission: Evented, log: RawLog): Fields | undefined => {
  const inputs = inputsOf(emission)
  const indexed = inputs.filter(({ indexed }) => indexed)
  const others = inputs.filter(({ indexed }) => !indexed)
  const words = decodeValues(
    indexed,
    `0x${log.topics
      .slice(1)
      .map(topic => topic.slice(2))
      .join("")}`
  )
  const rest = decodeValues(others, log.data)
  if (Either.isLeft(words) || Either.isLeft(rest)) return undefined
  const values = [...words.right, ...rest.right]
  return Object.fromEntries([...indexed, ...others].map(({ name }, index) => [name, values[index]]))
}

const flipped = (text: `0x${string}`, bit: number): `0x${string}` => {
  const bytes = Buffer.from(text.slice(2), "hex")
  const index = Math.floor(bit / 8) % Math.max(bytes.length, 1)
  bytes[index] = (bytes[index] ?? 0) ^ (1 << (bit % 8))
  return `0x${bytes.toString("hex")}`
}

describe.each(scenarios)("$name", scenario => {
  const emitted = logsOf(scenario.emissions)

  it("never survives another value of a field that matters", () => {
    fc.assert(
      fc.property(aChange(scenario), ({ at, emission, field, value }) => {
        fc.pre(differs(emission.fields, field.name, value))
        const changed = { ...emission, fields: { ...emission.fields, [field.name]: value } }
        const { status } = judged(scenario.call, emitted.with(at, logOf(changed, at)))
        if (!mayStand(emission, field.name, value)) assert.notStrictEqual(status, "verified")
      }),
      { numRuns: 100 }
    )
  })

  it("never survives a flipped bit unless it is one of a free field", () => {
    const place = fc.tuple(
      anEvent(scenario),
      fc.nat(),
      fc.integer({ min: 0, max: 3 }),
      fc.nat({ max: 4_095 })
    )
    fc.assert(
      fc.property(place, ([at, , topic, bit]) => {
        const emission = scenario.emissions[at] ?? assert.fail("no such event")
        const log = emitted[at] ?? assert.fail("no such log")
        const inTopics = topic > 0 && topic < log.topics.length
        fc.pre(inTopics || log.data !== "0x")
        const damaged = inTopics
          ? { ...log, topics: log.topics.map((each, index) => (index === topic ? flipped(each, bit) : each)) }
          : { ...log, data: flipped(log.data, bit) }
        const fields = fieldsOf(emission, damaged)
        const changes = Object.keys(emission.fields).filter(
          name => fields === undefined || differs(emission.fields, name, fields[name])
        )
        const stands =
          fields !== undefined &&
          changes.length > 0 &&
          changes.every(name => mayStand(emission, name, fields[name]))
        const { status } = judged(scenario.call, emitted.with(at, damaged))
        if (!stands) assert.notStrictEqual(status, "verified")
      }),
      { numRuns: 100 }
    )
  })
})
