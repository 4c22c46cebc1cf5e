import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { type CallBudget, makeCallBudget } from "../../src/chain/CallBudget.ts"
import type { Work } from "../../src/chain/Work.ts"

const LIMIT = 1000
const RELAY = 200
const RELAY_LATE = 12
const PROCESS = 100
const VERIFICATION = 30
const ACCEPTED = 20

const read = (account: string): Work => ({ kind: "read", account })
const relay = (account: string): Work => ({ kind: "relay", account })
const verification = (address: string): Work => ({ kind: "verification", address, wasAccepted: false })
const acceptedBefore = (address: string): Work => ({ kind: "verification", address, wasAccepted: true })
const process: Work = { kind: "process" }

const drained = ({ take }: CallBudget, work: Work): number => {
  let taken = 0
  while (take(work, 1) === undefined) taken += 1
  return taken
}

const accounts = Array.from({ length: 50 }, (_, index) => `account ${index}`)
const drainedBy = (budget: CallBudget, make: (who: string) => Work): number =>
  accounts.reduce((sum, who) => sum + drained(budget, make(who)), 0)

const budget = makeCallBudget(LIMIT)

describe("the budget of upstream calls", () => {
  it.effect(
    "lets reads of all accounts take nothing of what submission, recovery and verification have",
    () =>
      Effect.gen(function* () {
        const made = yield* budget
        assert.isAtMost(drainedBy(made, read), LIMIT - RELAY - PROCESS - VERIFICATION - ACCEPTED)
        assert.strictEqual(drained(made, process), PROCESS + RELAY / 2 - RELAY_LATE)
        assert.isAtLeast(drained(made, relay("account 0")), Math.floor(RELAY / 8))
        assert.isAtLeast(drained(made, verification("192.0.2.1")), Math.floor(VERIFICATION / 2))
      })
  )

  it.effect("keeps each account's share from the others' reads", () =>
    Effect.gen(function* () {
      const made = yield* budget
      drained(made, read("greedy"))
      for (const modest of ["a", "b", "c"]) assert.isAtLeast(drained(made, read(modest)), 81, modest)
    })
  )

  it.effect("lets submissions of one account take neither the others' nor recovery's", () =>
    Effect.gen(function* () {
      const made = yield* budget
      drained(made, relay("greedy"))
      assert.isAtLeast(drained(made, relay("modest")), RELAY / 8)
      assert.isAtLeast(drained(made, process), PROCESS)
    })
  )

  it.effect(
    "lets signatures of nobody's take their own small part alone, and no address that of another",
    () =>
      Effect.gen(function* () {
        const made = yield* budget
        const taken = drained(made, verification("192.0.2.1"))
        assert.isAtMost(taken, VERIFICATION)
        assert.isAbove(drained(made, verification("192.0.2.2")), 0)
        assert.isAtLeast(drained(made, read("a")), 360)
      })
  )

  it.effect(
    "keeps something for whose contracts were accepted, however many others come, minute after minute",
    () =>
      Effect.gen(function* () {
        const made = yield* budget
        for (let minute = 0; minute < 3; minute++) {
          drainedBy(made, verification)
          assert.isAtLeast(drained(made, acceptedBefore("192.0.2.1")), ACCEPTED / 2)
          yield* TestClock.adjust("1 minute")
        }
      })
  )

  it.effect("lets those be verified as others once theirs is used", () =>
    Effect.gen(function* () {
      const made = yield* budget
      assert.isAbove(drained(made, acceptedBefore("192.0.2.1")), ACCEPTED)
      assert.strictEqual(made.take(acceptedBefore("192.0.2.1"), 1)?.context?.limit, 2)
    })
  )

  it.effect("never gives more than there is, whoever asks", () =>
    Effect.gen(function* () {
      const made = yield* budget
      const makes = [read, relay, verification, acceptedBefore, () => process]
      const sum = makes.reduce((found, make) => found + drainedBy(made, make), 0)
      assert.isAtMost(sum, LIMIT)
    })
  )

  it.effect("says whose it is that ended, and when there is more", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("45 seconds")
      const made = yield* budget
      const told = (work: Work) => {
        drained(made, work)
        const refusal = made.take(work, 1)
        assert.strictEqual(refusal?.retryAfterSeconds, 15)
        return refusal?.context
      }
      assert.deepStrictEqual(told(read("a")), { per: "account", limit: 81 })
      assert.deepStrictEqual(told(relay("a")), { per: "account", limit: 25 + 81 })
      assert.deepStrictEqual(told(verification("a")), { per: "client address", limit: 3 })
      assert.deepStrictEqual(told(process), { per: "process", limit: LIMIT })
      yield* TestClock.adjust("15 seconds")
      for (const work of [read("a"), relay("a"), verification("a"), process])
        assert.isUndefined(made.take(work, 1))
    })
  )

  it.effect("tells who came too late for a share that it was none of theirs", () =>
    Effect.gen(function* () {
      const made = yield* budget
      drainedBy(made, read)
      const refusal = made.take(read("the last"), 1)
      assert.strictEqual(refusal?.context?.limit, 0)
      assert.match(refusal?.detail ?? "", /^So many came in this minute/)
    })
  )

  it.effect("notes what must not be refused beyond its bound", () =>
    Effect.gen(function* () {
      const made = yield* budget
      assert.isUndefined(made.note(PROCESS + 1))
      assert.isAbove(drained(made, process), 0)
      drained(made, process)
      assert.isUndefined(made.note(1))
    })
  )
})
