import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import artifact from "../../sandbox/artifacts/LimitsWithUse.json" with { type: "json" }
import { LIMITS_PROGRAM } from "../../src/projects/LimitsProgram.ts"
import { readProject } from "../../src/projects/ProjectView.ts"
import { PinnedContracts } from "../../src/protocol/PinnedContracts.ts"
import { type PinnedSandbox, startPinnedSandbox } from "./support/PinnedSandbox.ts"

let bench: PinnedSandbox

beforeAll(async () => {
  bench = await startPinnedSandbox()
})

afterAll(() => bench.stop())

const view = (projectId: string) =>
  Effect.flatMap(PinnedContracts, contracts =>
    Effect.flatMap(contracts.snapshotOf(31337), snapshot => readProject(snapshot, projectId))
  )

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

  it("runs the program that its source compiles to", () => {
    assert.strictEqual(LIMITS_PROGRAM, artifact.bytecode)
  })
})
