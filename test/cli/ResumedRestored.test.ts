/** What an earlier run signed is paid for once where the service was restored from a backup since. */
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createPublicClient, createTestClient, http } from "viem"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { neverClaimed, restoredBeforeClaims } from "../support/LostClaims.ts"
import { type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { testSettings } from "../support/Settings.ts"
import { until } from "../support/Until.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

const PLANS_LIVE_SECONDS = 30

let cli: Cli
let sandbox: Sandbox

beforeAll(async () => {
  const plans = { ...testSettings().plans, ttlSeconds: PLANS_LIVE_SECONDS }
  const parts = await Promise.all([buildCli(), startSandbox({ settings: { plans } })])
  cli = parts[0]
  sandbox = parts[1]
  const enrolled = await run(["account", "enroll"])
  assert.strictEqual(enrolled.code, 0, enrolled.stderr)
})

afterAll(async () => {
  await sandbox.stop()
  await cli.remove()
})

const env = () => ({
  FUNDING_URL: sandbox.service.url,
  FUNDING_RPC: sandbox.chain.url,
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>) => runHere(args, env())

const pay = (amount: string, ...more: ReadonlyArray<string>) =>
  run(["pay", "--project", "2", "--amount", amount, "--yes", ...more])

const plansOf = async (amount: string): Promise<ReadonlyArray<Plan>> => {
  const listed = await run(["plan", "list", "--json", "--most", "100"])
  const all: ReadonlyArray<Plan> = JSON.parse(listed.stdout).items
  return all.filter(({ calls }) => calls[0]?.value === amount)
}

const onlyPlanOf = async (amount: string): Promise<Plan> => {
  const [plan, ...others] = await plansOf(amount)
  assert.deepStrictEqual(others, [])
  return plan ?? assert.fail("no plan")
}

const mine = (blocks: number) =>
  createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) }).mine({ blocks })

const sentBy = (address: `0x${string}`) =>
  createPublicClient({ transport: http(sandbox.chain.url) }).getTransactionCount({ address })

/** A plan's life is counted from its block. */
beforeEach(() => mine(1))

/** Mined, and not yet confirmed, by a run that waits no longer. */
const leftUndecided = async (amount: string): Promise<Plan> => {
  const { code, stderr } = await pay(amount, "--timeout", "1")
  assert.strictEqual(code, 5, stderr)
  return onlyPlanOf(amount)
}

/** Signed by an earlier run, and on no chain nor on its way to one. */
const leftNowhere = async (amount: string): Promise<Plan> => {
  const node = createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) })
  await node.setAutomine(false)
  const plan = await leftUndecided(amount)
  await node.dropTransaction({ hash: plan.steps[0]?.transaction?.hash ?? assert.fail("nothing left") })
  await node.setAutomine(true)
  return plan
}

const databaseUrl = () => sandbox.service.databaseUrl

/** Each time the same, and nothing of the wallet's leaves by it. */
const assertStopped = async (amount: string, { id, account }: Plan, ...more: ReadonlyArray<string>) => {
  const before = await sentBy(account)
  for (let again = 0; again < 2; again++) {
    const { code, stderr } = await pay(amount, ...more)
    assert.strictEqual(code, 4, stderr)
    for (const word of [`the plan ${id}`, "the service was restored", "--anew"])
      assert.include(stderr.toLowerCase(), word)
  }
  assert.strictEqual(await sentBy(account), before)
  await onlyPlanOf(amount)
}

/** What is kept of signed steps, and not the command's own record. */
const forgetSteps = async () => {
  const directory = join(cli.directory, "state")
  for (const name of await readdir(directory)) {
    const text = await readFile(join(directory, name), "utf8")
    if (text.includes("submission")) await rm(join(directory, name))
  }
}

/** Their time goes by at once, and before any restoration. */
beforeAll(async () => {
  await mine(1)
  await leftUndecided("4002")
  await mine(1)
  await leftNowhere("4005")
})

const expired = async (amount: string): Promise<Plan> => {
  const plan = await onlyPlanOf(amount)
  await until(
    async () => Date.now(),
    now => now > plan.expiresAt + 1000
  )
  return plan
}

/** Nothing that arrived in time can still be admitted. */
const whollyOver = async (amount: string): Promise<Plan> => {
  const plan = await onlyPlanOf(amount)
  await setTimeout(plan.expiresAt + 61_000 - Date.now())
  return plan
}

describe("a plan that an earlier run signed for", { timeout: 120_000 }, () => {
  it("is followed by another one where it expired, and the service was not restored since", async () => {
    const { id } = await whollyOver("4005")
    await neverClaimed(databaseUrl(), id)
    await mine(1)
    const again = await pay("4005", "--timeout", "1")
    assert.strictEqual(again.code, 5, again.stderr)
    assert.include(again.stderr, "preparing another one for what is left")
    assert.strictEqual((await plansOf("4005")).length, 2)
  })

  it.each([
    ["is ended by the mark", "4001", leftUndecided],
    ["expired before it", "4002", expired]
  ] as const)("and that %s is taken up from the chain", async (_, amount, left) => {
    const plan = await left(amount)
    const before = await sentBy(plan.account)
    await restoredBeforeClaims(databaseUrl(), plan.id)
    await mine(3)
    const again = await pay(amount)
    assert.strictEqual(again.code, 0, again.stderr)
    assert.strictEqual(await sentBy(plan.account), before)
    const { steps } = await onlyPlanOf(amount)
    assert.strictEqual(steps[0]?.dispatch?.status, "already-observed")
  })

  it("is stopped at where no chain has what was signed, which is kept, and begun anew on purpose", async () => {
    const plan = await leftNowhere("4003")
    await restoredBeforeClaims(databaseUrl(), plan.id)
    await assertStopped("4003", plan)
    await mine(1)
    const anew = await pay("4003", "--anew", "--timeout", "1")
    assert.strictEqual(anew.code, 5, anew.stderr)
    assert.strictEqual((await plansOf("4003")).length, 2)
  })

  it("is stopped at where what was signed is not kept, or leaves by another way", async () => {
    const plan = await leftUndecided("4004")
    await restoredBeforeClaims(databaseUrl(), plan.id)
    await assertStopped("4004", plan, "--sponsor")
    await forgetSteps()
    await assertStopped("4004", plan)
  })
})
