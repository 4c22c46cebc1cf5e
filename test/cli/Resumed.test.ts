/** What an earlier run of the same command signed is paid for once, whatever the next one is asked to do and whatever the service still knows. */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createTestClient, http } from "viem"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { testSettings } from "../support/Settings.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"

const PLANS_LIVE_SECONDS = 20

let cli: Cli
let sandbox: Sandbox
let proxy: LosingProxy

beforeAll(async () => {
  const plans = { ...testSettings().plans, ttlSeconds: PLANS_LIVE_SECONDS }
  const parts = await Promise.all([buildCli(), startSandbox({ settings: { plans } })])
  cli = parts[0]
  sandbox = parts[1]
  proxy = await losingProxy(sandbox.service.url)
  const enrolled = await run(["account", "enroll"])
  assert.strictEqual(enrolled.code, 0, enrolled.stderr)
})

afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
  await cli.remove()
})

const env = (url = proxy.url) => ({
  FUNDING_URL: url,
  FUNDING_RPC: sandbox.chain.url,
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>, answer?: string) =>
  runHere(args, env(), answer === undefined ? undefined : async () => answer)

const sql = (text: string, values: ReadonlyArray<unknown>) => sqlOn(sandbox.service.databaseUrl, text, values)

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...["pay", "--project", "2", "--amount", amount],
  ...more
]

const plansOf = async (amount: string): Promise<ReadonlyArray<Plan>> => {
  const listed = await run(["plan", "list", "--json", "--most", "100"])
  const all: ReadonlyArray<Plan> = JSON.parse(listed.stdout).items
  return all.filter(({ calls }) => calls[0]?.value === amount)
}

const mine = (blocks: number) =>
  createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) }).mine({ blocks })

/** A plan's life is counted from its block. */
beforeEach(() => mine(1))

/** Mined, and not yet confirmed, by a run that waits no longer. */
const leftUndecided = async (amount: string): Promise<void> => {
  const { code, stderr } = await run(pay(amount, "--yes", "--timeout", "1"))
  assert.strictEqual(code, 5, stderr)
  assert.include(stderr, "Not decided after 1 seconds")
}

/** As programs of before November 28 kept what they began. */
const unmark = async (): Promise<void> => {
  const directory = env().FUNDING_STATE_DIR
  for (const name of await readdir(directory)) {
    const { signing, ...kept } = JSON.parse(await readFile(join(directory, name), "utf8"))
    if (signing !== undefined) await writeFile(join(directory, name), JSON.stringify(kept))
  }
}

/** Of what is final, as the service tells that. */
const withUnknownEffects = (text: string): string =>
  text
    .replaceAll('"status":"verified"', '"status":"unknown"')
    .replaceAll(/"finality":"\w+"/g, '"finality":"finalized"')
    .replaceAll('"transactions_confirmed"', '"pending"')

/** Of one whose nonce the wallet spent otherwise, for good. */
const withNonceElsewhere = (text: string): string =>
  text
    .replaceAll('"status":"verified"', '"status":"unknown","reason":"WALLET_NONCE_CONSUMED"')
    .replaceAll('"state":"confirmed"', '"state":"reorged"')
    .replaceAll('"transactions_confirmed"', '"reorged"')

const assertOneFor = async (amount: string) => {
  const plans = await plansOf(amount)
  assert.strictEqual(plans.length, 1)
  assert.strictEqual(plans[0]?.steps[0]?.dispatch?.count, 1)
}

/** Their time goes by while the others are tried. */
beforeAll(async () => {
  for (const amount of ["3003", "3005"]) {
    await mine(1)
    await leftUndecided(amount)
  }
})

describe("a plan that an earlier run signed for", { timeout: 120_000 }, () => {
  it("is gone on with where the service is reached by another URL", async () => {
    proxy.lose(/submissions$/)
    const lost = await run(pay("3000", "--yes"))
    proxy.lose(undefined)
    assert.strictEqual(lost.code, 4, lost.stderr)
    await mine(3)
    const again = await runHere(pay("3000", "--yes", "--timeout", "30"), env(sandbox.service.url))
    assert.strictEqual(again.code, 0, again.stderr)
    await assertOneFor("3000")
  })

  it("is not forgotten by a run that only looks", async () => {
    await leftUndecided("3001")
    const looked = await run(pay("3001", "--plan-only"))
    assert.strictEqual(looked.code, 0, looked.stderr)
    assert.include(looked.stdout, "the same command without --plan-only goes on with it")
    await mine(3)
    const again = await run(pay("3001", "--yes"))
    assert.strictEqual(again.code, 0, again.stderr)
    await assertOneFor("3001")
  })

  it("is not forgotten by a run that only looks where an older program sent it, which kept no word of that", async () => {
    await leftUndecided("3007")
    await unmark()
    const looked = await run(pay("3007", "--plan-only"))
    assert.strictEqual(looked.code, 0, looked.stderr)
    assert.include(looked.stdout, "the same command without --plan-only goes on with it")
    await mine(3)
    const again = await run(pay("3007", "--yes"))
    assert.strictEqual(again.code, 0, again.stderr)
    await assertOneFor("3007")
  })

  it("is not forgotten by a run whose person declines, which does not say that nothing was signed", async () => {
    proxy.lose(/submissions$/)
    const lost = await run(pay("3002", "--yes"))
    proxy.lose(undefined)
    assert.strictEqual(lost.code, 4, lost.stderr)
    const [{ id } = assert.fail("no plan")] = await plansOf("3002")
    proxy.alter(text => text.replaceAll(/"transaction":\{[^{}]*\},?/g, ""))
    const declined = await run(pay("3002"), "n")
    proxy.alter(undefined)
    assert.strictEqual(declined.code, 5, declined.stderr)
    assert.include(declined.stdout, "This run signed nothing; an earlier one did, or was about to.")
    await mine(3)
    const again = await run(pay("3002", "--yes"))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.include(again.stdout, id)
    await assertOneFor("3002")
  })

  it("is not forgotten where another one is prepared in its place, and nobody agrees to that", async () => {
    await leftUndecided("3006")
    const [{ id: first } = assert.fail("no plan")] = await plansOf("3006")
    const looked = await run(pay("3006", "--anew", "--plan-only"))
    assert.strictEqual(looked.code, 0, looked.stderr)
    const declined = await run(pay("3006", "--anew"), "n")
    assert.strictEqual(declined.code, 1, declined.stderr)
    await mine(3)
    const again = await run(pay("3006", "--yes"))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.include(again.stdout, first)
    const left = (await plansOf("3006")).filter(({ steps }) => steps[0]?.dispatch !== undefined)
    assert.deepStrictEqual(
      left.map(({ id }) => id),
      [first]
    )
  })

  it("is not paid for once more where the service knows nothing of it any more", async () => {
    await leftUndecided("3004")
    const [{ id } = assert.fail("no plan")] = await plansOf("3004")
    await sql("DELETE FROM idempotency_keys WHERE plan = $1", [id])
    for (let again = 0; again < 2; again++) {
      const { code, stderr } = await run(pay("3004", "--yes"))
      assert.strictEqual(code, 4, stderr)
      assert.include(stderr, `An earlier run signed for the plan ${id}`)
      assert.include(stderr, "--anew")
    }
    const sent = (await plansOf("3004")).flatMap(({ steps }) => steps[0]?.dispatch ?? [])
    assert.strictEqual(sent.length, 1)
  })

  it.each([
    ["what it did is not known for good", "3003", withUnknownEffects, "Look at its transaction"],
    ["another has its nonce for good", "3005", withNonceElsewhere, "Look at what the wallet sent"]
  ] as const)("is done no second time where %s, but by --anew", async (_, amount, altered, advice) => {
    const [{ expiresAt } = assert.fail("no plan")] = await plansOf(amount)
    await mine(3)
    await until(
      async () => Date.now(),
      now => now > expiresAt + 1000
    )
    proxy.alter(altered)
    for (let again = 0; again < 2; again++) {
      const { code, stdout, stderr } = await run(pay(amount, "--yes"))
      assert.strictEqual(code, 5, stdout)
      assert.include(stderr, `it is not done again. ${advice}`, stdout)
    }
    proxy.alter(undefined)
    await assertOneFor(amount)
    await mine(1)
    await run(pay(amount, "--yes", "--anew", "--timeout", "1"))
    assert.strictEqual((await plansOf(amount)).length, 2)
  })
})
