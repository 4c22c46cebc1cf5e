import { assert, describe, it } from "vitest"
import type { AbiParameter } from "../../src/catalog/Abi.ts"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import type { Call, Semantic } from "../../src/plans/Plan.ts"
import { another } from "./support/Another.ts"
import { abiOf, deployment, eventInputs, judged, logOf, logsOf, OTHER, otherLog } from "./support/Receipts.ts"
import type { Evented, Scenario } from "./support/Scenario.ts"
import { scenarios } from "./support/Scenarios.ts"

/** What contradicts the plan leaves its effect in doubt, for it may be the model that is wrong. */
const expected = ({ free }: Evented, field: string): string => (free.includes(field) ? "verified" : "unknown")

/** Whether the event stays one about the call, which then says something else. */
const contradicts = ({ identity, free, role }: Evented, field: string): boolean =>
  !free.includes(field) && !(identity.includes(field) && role === "proof")

const CONTRADICTED = /has another|repayBorrowAmount is not|do not add up|paid nothing/

const withField = (scenario: Scenario, at: number, field: AbiParameter) =>
  logsOf(
    scenario.emissions.map((emission, index) => {
      if (index !== at) return emission
      const value = emission.wrong?.[field.name] ?? another(field, emission.fields[field.name])
      return { ...emission, fields: { ...emission.fields, [field.name]: value } }
    })
  )

const changed = (logs: ReadonlyArray<RawLog>, at: number, change: (log: RawLog) => Partial<RawLog>) =>
  logs.map((log, index) => (index === at ? { ...log, ...change(log) } : log))

describe.each(scenarios)("$name", scenario => {
  const { call, verifier, emissions, events } = scenario
  const logs = logsOf(emissions)

  it("is verified by its events, wherever they stand among others", () => {
    const proof: Semantic = { status: "verified", verifier, events }
    assert.deepStrictEqual(judged(call, logs), proof)
    const moved = emissions.map((emission, index) => logOf(emission, 10 + index))
    assert.deepStrictEqual(judged(call, [otherLog(30), ...moved, otherLog(1)]), proof)
    assert.deepStrictEqual(judged(call, moved.toReversed()), proof)
  })

  it("is refuted where its logs end before they begin", () => {
    assert.strictEqual(judged(call, []).status, "unknown")
  })

  it("is unknown where the catalog cannot read the calldata", () => {
    const readings: ReadonlyArray<Call> = [
      { ...call, data: `0x${"00".repeat(4)}${call.data.slice(10)}` },
      { ...call, data: `0x${call.data.slice(2, Math.min(74, call.data.length - 2))}` }
    ]
    for (const reading of readings) {
      const { status, verifier: by } = judged(reading, logs)
      assert.deepStrictEqual([status, by], ["unknown", verifier])
    }
  })

  it("is verified by its contract's present ABI where the catalog lost the one that the plan names", () => {
    const decoded = { ...call.decoded, abiHash: "ab".repeat(32) }
    assert.strictEqual(judged({ ...call, decoded }, logs).status, "verified")
  })

  it("is unknown where its target is not of the catalog", () => {
    const { status } = judged({ ...call, to: OTHER }, logs)
    assert.strictEqual(status, "unknown")
  })

  it("is unknown to a wallet that another one's events are about, where they are about a wallet", () => {
    const { status } = judged(call, logs, { account: OTHER })
    if (scenario.namesNoWallet) assert.strictEqual(status, "verified")
    else assert.notStrictEqual(status, "verified")
  })

  describe.each(emissions.map((emission, at) => ({ ...emission, at })))("its $event $at", emission => {
    const { at, contractId, event, role, repeats = role === "row" } = emission
    const fields = eventInputs(abiOf(deployment(contractId).abiHash), event)

    it.each(fields)("with another $name", field => {
      const { status, reason } = judged(call, withField(scenario, at, field))
      assert.strictEqual(status, expected(emission, field.name), reason)
      if (contradicts(emission, field.name)) assert.match(String(reason), CONTRADICTED)
    })

    it("missing", () => {
      const { status } = judged(call, logs.toSpliced(at, 1))
      assert.strictEqual(status, role === "proof" ? "unknown" : "verified")
    })

    it("of another contract", () => {
      const { status } = judged(
        call,
        changed(logs, at, () => ({ address: otherLog(0).address }))
      )
      assert.strictEqual(status, role === "proof" ? "unknown" : "verified")
    })

    it("twice", () => {
      const { status } = judged(call, [...logs, logOf(emission, logs.length)])
      assert.strictEqual(status, repeats ? "verified" : "unknown")
    })

    it("twice with two values", () => {
      const last =
        fields.find(({ name }) => contradicts(emission, name)) ??
        fields.find(({ name }) => role === "proof" && expected(emission, name) === "verified")
      if (last === undefined) {
        const decides = ({ name }: AbiParameter) =>
          !emission.identity.includes(name) && !emission.free.includes(name)
        return assert.isTrue(role === "row" || !fields.some(decides))
      }
      const odd = logsOf([
        {
          ...emission,
          fields: { ...emission.fields, [last.name]: another(last, emission.fields[last.name]) }
        }
      ])
      const extra = odd.map(log => ({ ...log, logIndex: "0x63" as const }))
      const { status } = judged(call, [...logs, ...extra])
      assert.strictEqual(status, emission.repeats ? "verified" : "unknown")
    })

    it.each<[string, (log: RawLog) => Partial<RawLog>]>([
      ["cut data", ({ data }) => (data === "0x" ? { data: "0x00" } : { data: `0x${data.slice(2, -2)}` })],
      ["more data", ({ data }) => ({ data: `${data}${"00".repeat(32)}` })],
      [
        "a topic less",
        ({ topics }) => (topics.length > 1 ? { topics: topics.slice(0, -1) } : { data: "0x" })
      ],
      ["a topic more", ({ topics }) => ({ topics: [...topics, `0x${"00".repeat(32)}`] })]
    ])("with %s cannot be read", (_, change) => {
      const { status, reason } = judged(call, changed(logs, at, change))
      assert.deepStrictEqual([status, reason], ["unknown", `a ${event} event cannot be read`])
    })

    it("is no other event", () => {
      const { status } = judged(
        call,
        changed(logs, at, ({ topics }) => ({ topics: [`0x${"9".repeat(64)}`, ...topics.slice(1)] }))
      )
      assert.strictEqual(status, role === "proof" ? "unknown" : "verified")
    })
  })
})
