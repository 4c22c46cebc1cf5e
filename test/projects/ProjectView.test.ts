import { Effect, Exit } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import artifact from "../../sandbox/artifacts/LimitsWithUse.json" with { type: "json" }
import { LIMITS_PROGRAM } from "../../src/projects/LimitsProgram.ts"
import { readProject } from "../../src/projects/ProjectView.ts"
import { PinnedContracts } from "../../src/protocol/PinnedContracts.ts"
import { startPinnedSandbox } from "./support/PinnedSandbox.ts"

const bench = await startPinnedSandbox()

afterAll(() => bench.stop())

const view = (projectId: string) =>
  Effect.flatMap(PinnedContracts, contracts =>
    Effect.flatMap(contracts.snapshotOf(31337), snapshot => readProject(snapshot, projectId))
  )

const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11"
/** Of the directory; without it nothing else of a project can be judged. */
const CONTROLLER_OF = "0x5dd8f6aa"

const VOLATILE = new Set(["evidence", "coverage"])

/** A part that is not unknown is what it was when nothing was broken. */
const assertSameWhereKnown = (cut: unknown, whole: unknown, at = ""): void => {
  if (typeof cut !== "object" || cut === null || typeof whole !== "object" || whole === null) {
    assert.strictEqual(cut, whole, at)
    return
  }
  if (Reflect.get(cut, "status") === "unknown") return
  assert.sameMembers(Object.keys(cut), Object.keys(whole), at)
  for (const [key, member] of Object.entries(cut))
    if (!VOLATILE.has(key)) assertSameWhereKnown(member, Reflect.get(whole, key), `${at}/${key}`)
}

describe("a project's view", () => {
  it("tells every part of the demo project in three round trips", async () => {
    const before = bench.proxy.roundTrips()
    const { coverage, evidence, owner, terminals } = await bench.runtime.runPromise(view("2"))
    assert.strictEqual(bench.proxy.roundTrips() - before, 3)
    assert.deepInclude(coverage, { complete: true, unknown: [] })
    assert.deepEqual(owner, { status: "known", value: bench.sandbox.manifest.accounts.owner })
    assert.lengthOf(evidence, 1)
    assert.strictEqual(terminals.status, "known")
  })

  it("says of every read that the node refuses that its value is unknown, and makes nothing up", async () => {
    const { breaker, runtime } = bench
    breaker.asked = []
    const whole = await runtime.runPromise(view("2"))
    const asked = breaker.asked.filter(read => !read.includes(MULTICALL3))
    assert.isAbove(asked.length, 20)
    for (const [index, read] of asked.entries()) {
      breaker.breaks = each => each === read
      const exit = await runtime.runPromiseExit(view("2"))
      breaker.breaks = () => false
      if (read.includes(CONTROLLER_OF)) {
        assert.isTrue(Exit.isFailure(exit), read)
        continue
      }
      const cut = Exit.isSuccess(exit) ? exit.value : assert.fail(read)
      assert.isFalse(cut.coverage.complete, `${index} ${read}`)
      assertSameWhereKnown(cut, whole)
    }
  })

  it("refuses a project that is not there", async () => {
    const absent = await bench.runtime.runPromise(Effect.flip(view("404")))
    assert.strictEqual(absent._tag, "PROJECT_NOT_FOUND")
  })

  it("runs the program that its source compiles to", () => {
    assert.strictEqual(LIMITS_PROGRAM, artifact.bytecode)
  })
})
