/** What an effect is proved by is stored with its step, which must not be lost for it. */
import { Either, Option } from "effect"
import { assert, describe, it } from "vitest"
import { doubted } from "../../src/effects/Judgement.ts"
import type { EffectProof } from "../../src/effects/Predicate.ts"
import { verifierOf } from "../../src/effects/Verify.ts"
import type { Call, Semantic } from "../../src/plans/Plan.ts"
import { predicates } from "./support/Installed.ts"
import { judged, logsOf, OTHER } from "./support/Receipts.ts"
import { scenarios } from "./support/Scenarios.ts"

const [scenario = assert.fail("there is no scenario")] = scenarios
const { call, emissions, verifier } = scenario

const judging = (judge: () => EffectProof, over: { readonly before?: Semantic } = {}) => {
  const changed = predicates.map(each => ({ ...each, asks: () => Option.none(), judge }))
  return judged(call, logsOf(emissions), over, Either.getOrThrow(verifierOf(changed)))
}

/** As of a predicate that shows a text which a contract emitted. */
const showing = (text: string) => judging(() => Either.right([{ event: "Named", name: text }]))

describe("the events that prove an effect", () => {
  it("are kept as they are", () => {
    const events = [{ event: "Named", name: "a name" }]
    assert.deepStrictEqual(showing("a name"), { status: "verified", verifier, events })
  })

  it.each([
    ["long ones", "a".repeat(9_000), "the events that prove the effect are larger than what is kept"],
    ["ones with a NUL", "a\0b", "the events that prove the effect hold a NUL, which is not kept"],
    [
      "ones cut in two",
      "a\ud83d",
      "the events that prove the effect hold half a character, which is not kept"
    ]
  ])("are kept by their hash: %s", (_, text, reason) => {
    const { status, events = [], reason: told } = showing(text)
    assert.deepStrictEqual([status, told], ["unknown", reason])
    assert.hasAllKeys(events[0], ["count", "sha256"])
    assert.notInclude(JSON.stringify(events), "\\u0000")
  })
})

describe("what a predicate of a team may do", () => {
  const mistaken: Semantic = { status: "unknown", verifier, reason: "its predicate failed" }

  it("counts in integers, which are kept as text", () => {
    const { events } = judging(() => Either.right([{ event: "Named", count: 2n ** 64n }]))
    assert.deepStrictEqual(events, [{ event: "Named", count: "18446744073709551616" }])
  })

  it("throws, which proves nothing and takes nothing back", () => {
    const throwing = () => {
      throw new Error("a mistake")
    }
    assert.deepStrictEqual(judging(throwing), mistaken)
    const before: Semantic = { status: "verified", verifier }
    assert.deepStrictEqual(judging(throwing, { before }), before)
  })

  it("shows what is no JSON, which proves nothing", () => {
    for (const value of [Number.NaN, new Date(0), Symbol("a")])
      assert.deepStrictEqual(
        judging(() => Either.right([{ event: "Named", value }])),
        mistaken
      )
  })

  it("gives no verdict, which proves nothing", () => {
    for (const verdict of [undefined, null, {}, Either.right("a text"), Either.left("a text")])
      assert.deepStrictEqual(
        judging(() => JSON.parse(JSON.stringify(verdict ?? null))),
        mistaken
      )
  })

  it.each([
    ["a".repeat(9_000), "the reason is larger than what is kept"],
    ["a\0b", "the reason holds a NUL, which is not kept"],
    ["a\ud83d", "the reason holds half a character, which is not kept"],
    ["a word", "a word"]
  ])("doubts for a reason, which is kept where it can be", (reason, told) => {
    assert.deepStrictEqual(
      judging(() => doubted(reason)),
      { status: "unknown", verifier, reason: told }
    )
  })
})

describe.each<readonly [string, Call]>([
  ["the catalog cannot read the calldata", { ...call, data: "0x12345678" }],
  ["the catalog does not have the target on its chain", { ...call, to: OTHER }]
])("a process that has no verdict, for %s", (reason, planned) => {
  const judgedBefore = (before?: Semantic) =>
    judged(planned, logsOf(emissions), before === undefined ? {} : { before })

  it("leaves what one that could found, and proves nothing by itself", () => {
    for (const status of ["verified", "unknown", "failed"] as const) {
      const before: Semantic = { status, verifier }
      assert.deepStrictEqual(judgedBefore(before), before)
    }
    assert.deepStrictEqual(judgedBefore(), { status: "unknown", verifier, reason })
  })
})

describe("a process without a predicate for the call", () => {
  const without = Either.getOrThrow(verifierOf([]))
  const judgedBefore = (before?: Semantic) =>
    judged(call, logsOf(emissions), before === undefined ? {} : { before }, without)

  it("has none of it modelled", () => {
    assert.deepStrictEqual(judgedBefore(), { status: "unmodeled" })
    assert.deepStrictEqual(judgedBefore({ status: "unmodeled" }), { status: "unmodeled" })
  })

  it("leaves what one with a predicate found", () => {
    for (const status of ["verified", "unknown", "failed"] as const) {
      const before: Semantic = { status, verifier }
      assert.deepStrictEqual(judgedBefore(before), before)
    }
  })
})
