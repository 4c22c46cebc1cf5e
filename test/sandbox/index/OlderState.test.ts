import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { deploySandbox } from "../../../sandbox/deploy.ts"
import { type RunningIndex, runIndex } from "../../../sandbox/index/Run.ts"
import { dumpState } from "../../../src/embedded/ChainRpc.ts"
import { type Anvil, startAnvil } from "../../support/Anvil.ts"
import { type FreshDatabase, freshDatabase } from "../../support/Postgres.ts"
import { answered } from "./Support.ts"

let directory: string
let chain: Anvil
let database: FreshDatabase
let index: RunningIndex | undefined

/** The same chain in a new process, as after a restart. */
const restarted = async (): Promise<Anvil> => {
  const file = join(directory, "state.json")
  await writeFile(file, await Effect.runPromise(dumpState(chain.url)))
  await chain.stop()
  return startAnvil({ args: ["--load-state", file] })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "older-state-"))
  chain = await startAnvil()
  database = await freshDatabase()
})

afterAll(async () => {
  await index?.stop()
  await chain.stop()
  await database.drop()
  await rm(directory, { recursive: true })
})

describe("a chain that forgot the state after its older blocks", () => {
  it("is read with what it holds now", async () => {
    const { deployments } = await deploySandbox(chain.url)
    chain = await restarted()
    index = await runIndex({
      databaseUrl: database.url,
      rpcUrl: chain.url,
      addresses: Object.fromEntries(deployments.map(({ alias, address }) => [alias, address])),
      report: () => {}
    })
    assert.deepStrictEqual(
      await answered(index, "{ projects(where: {projectId: 2}) { items { balance } } }"),
      {
        items: [{ balance: "10000000000000000000" }]
      }
    )
    assert.deepStrictEqual(
      await answered(index, "{ payEvents(where: {projectId: 2}) { items { amount } } }"),
      {
        items: [{ amount: "10000000000000000000" }]
      }
    )
  })
})
