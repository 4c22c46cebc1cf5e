/** `session use` of a plan whose operation may have been sent before the service was restored from a backup: it is taken up or the command stops, and no other one is prepared. */
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { signedByKey } from "../sessions/support/Operated.ts"
import { testSettings } from "../support/Settings.ts"
import { sqlOn } from "../support/Sql.ts"
import { carriedByAnybody } from "../useroperations/support/Carried.ts"
import { partyOf } from "../useroperations/support/Operating.ts"
import { runHere } from "./support/InProcess.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

/** A plan is to be over before the database is marked, and a bundler takes no operation of one that ends within forty seconds: owners sign on a busy machine meanwhile. */
const LIFE_SECONDS = 90

const settings = { plans: { ...testSettings().plans, ttlSeconds: LIFE_SECONDS } }
const place = await sessionPlace({ settings })
const { bench, at, wallet, succeeded, run } = place
const owner = partyOf(place.owners[0] ?? assert.fail("no owner"))

afterAll(place.stop)

const { address, privateKey } = JSON.parse(await readFile(at("bot.json"), "utf8"))
const asBot = ["--key-file", at("bot.json")]
let session = ""

beforeAll(async () => {
  await writeFile(
    at("policy.json"),
    (await succeeded(["session", "review", "--example", "--project", "2"])).stdout
  )
  const prepare = ["session", "prepare", at("policy.json"), "--wallet", wallet, "--bot", address]
  const { stdout } = await succeeded(prepare)
  session = /^session ([0-9a-f-]{36}): prepared$/m.exec(stdout)?.[1] ?? assert.fail(stdout)
  const byOwners = ["--owner-key-file", at("owner-1.json"), "--yes", "--timeout", "100"]
  await succeeded(["session", "activate", session, ...byOwners])
})

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const operationsOf = async (plan: string): Promise<ReadonlyArray<PublicUserOperation>> =>
  JSON.parse((await succeeded(["operation", "list", "--plan", plan, "--json", ...asBot])).stdout).items

type Begun = Awaited<ReturnType<typeof begun>>

/** Of a plan that the bot was about to carry out, and nothing of it sent. */
const begun = async (amount: string) => {
  const pay = ["pay", "--amount", amount, "--session", session, "--plan-only", "--json", ...asBot]
  const { id }: { readonly id: string } = JSON.parse((await succeeded(pay)).stdout)
  const use = ["session", "use", session, id, ...asBot]
  const declined = await runHere(use, place.environment, async () => "n")
  assert.strictEqual(declined.code, ExitCode.usage, declined.stderr)
  const [operation = assert.fail("no operation")] = await operationsOf(id)
  return { id, operation, use: [...use, "--yes", "--timeout", "100"] }
}

const carried = async (operation: PublicUserOperation) => {
  const signature = await signedByKey(operation, { key: privateKeyToAccount(privateKey) })
  await carriedByAnybody(bench, { owner, operation, signature })
}

const restore = async ({ expiresAt }: PublicUserOperation) => {
  await setTimeout(expiresAt - Date.now() + 1)
  await sqlOn(bench.service.databaseUrl, "SELECT mark_restored(true)")
  await sqlOn(bench.service.databaseUrl, "UPDATE restorations SET requests_after = 0")
}

describe("an operation of a session's key", { timeout: 120_000 }, () => {
  it("is submitted by its id, as that key alone, and taken up where another bundler carried it", async () => {
    const { id, operation } = await begun("0.01ether")
    const before = sends()
    await carried(operation)
    const submit = ["operation", "submit", operation.id, "--yes"]
    const byOwner = await run(submit)
    assert.strictEqual(byOwner.code, ExitCode.usage, byOwner.stderr)
    assert.include(byOwner.stderr, "is used by its key")
    await succeeded([...submit, ...asBot])
    await succeeded(["operation", "watch", operation.id, ...asBot])
    const { stdout } = await succeeded(["plan", "show", id, ...asBot])
    assert.include(stdout, "transactions_confirmed")
    assert.strictEqual(sends() - before, 0)
  })
})

describe("a plan whose operation may have been sent before a restoration", { timeout: 120_000 }, () => {
  let executed: Begun
  let unsent: Begun

  /** The time of both goes by at once. */
  beforeAll(async () => {
    executed = await begun("0.002ether")
    await carried(executed.operation)
    unsent = await begun("0.003ether")
    await restore(unsent.operation)
  })

  it("goes on with that operation where it was executed, and sends nothing", async () => {
    const { id, use } = executed
    const before = sends()
    const { stdout } = await succeeded(use)
    assert.match(stdout, new RegExp(`^plan ${id}: transactions_confirmed$`, "m"))
    assert.deepStrictEqual([sends() - before, (await operationsOf(id)).length], [0, 1])
  })

  it("is left as it is where it was not, and the command says so each time", async () => {
    const { id, use } = unsent
    const before = sends()
    for (const _ of ["once", "again"]) {
      const { code, stderr } = await run(use)
      assert.strictEqual(code, ExitCode.unknown, stderr)
      assert.include(stderr, "it may have been sent before the service was restored from a backup")
    }
    assert.deepStrictEqual([sends() - before, (await operationsOf(id)).length], [0, 1])
  })
})
