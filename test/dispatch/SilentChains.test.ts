import { Effect } from "effect"
import { assert, beforeEach, describe, it } from "vitest"
import { RpcInvalidResponse, RpcTimeout, RpcUnavailable } from "../../src/chain/refusals.ts"
import { SilentChains } from "../../src/dispatch/SilentChains.ts"
import { setClock } from "../support/Clocks.ts"

const CHAIN = 10
const OTHER = 11
const STEPS: ReadonlyArray<{ readonly planId: string }> = ["a", "a", "b", "c"].map(planId => ({ planId }))

let passed = 0
let asked: Array<string> = []
let runtime: SilentChains["Type"]

beforeEach(async () => {
  passed = 0
  asked = []
  runtime = await Effect.runPromise(Effect.provide(SilentChains, SilentChains.layer))
})

type Answer = "all" | "none" | RpcInvalidResponse | RpcTimeout | RpcUnavailable

/** Which plans a chain is asked for, where its answer takes so long. */
const askedFor = async (answer: Answer, millis: number, chainId = CHAIN): Promise<string> => {
  asked = []
  const see = runtime.sparing((_, steps: typeof STEPS) =>
    Effect.suspend(() => {
      asked.push(...steps.map(({ planId }) => planId))
      passed += millis
      if (typeof answer !== "string") return Effect.fail(answer)
      return Effect.succeed(answer === "all" ? [...steps] : [])
    })
  )
  const clock = setClock(
    () => 0,
    () => passed
  )
  await Effect.runPromise(see(chainId, STEPS).pipe(Effect.ignore, Effect.withClock(clock)))
  return asked.join("")
}

const LONG = 5_000
const REST = 10_000
const ALL = "aabc"
const ONE = "aa"

describe("a chain that recovery asks", () => {
  it.each([new RpcTimeout(), new RpcUnavailable(), "none"] as const)(
    "rests after it told nothing for long, then shows by one plan that it answers: %s",
    async silence => {
      assert.strictEqual(await askedFor(silence, LONG), ALL)
      assert.strictEqual(await askedFor("all", 0), "")
      assert.strictEqual(await askedFor("all", 0, OTHER), ALL)
      passed += REST
      assert.strictEqual(await askedFor(silence, LONG), ONE)
      assert.strictEqual(await askedFor("all", 0), "")
      passed += REST
      assert.strictEqual(await askedFor("all", LONG), ONE)
      assert.strictEqual(await askedFor("all", 0), ALL)
    }
  )

  it("is asked on where it refuses at once, or its answer cannot be read, or is slow", async () => {
    assert.strictEqual(await askedFor(new RpcUnavailable(), 10), ALL)
    assert.strictEqual(await askedFor(new RpcInvalidResponse(), LONG), ALL)
    assert.strictEqual(await askedFor("all", LONG), ALL)
    assert.strictEqual(await askedFor("all", 0), ALL)
  })

  it("rests for all others while one plan shows whether it answers", async () => {
    await askedFor(new RpcTimeout(), LONG)
    passed += REST
    const others: Array<string> = []
    const clock = setClock(
      () => 0,
      () => passed
    )
    const see = (_: number, steps: typeof STEPS) => {
      others.push(steps.map(({ planId }) => planId).join(""))
      return Effect.as(Effect.yieldNow(), [...steps])
    }
    const both = Effect.all(
      [runtime.sparing(see)(CHAIN, STEPS), runtime.sparing(see)(CHAIN, STEPS.slice(2))],
      { concurrency: "unbounded" }
    )
    await Effect.runPromise(Effect.withClock(both, clock))
    assert.deepStrictEqual(others, [ONE])
  })
})
