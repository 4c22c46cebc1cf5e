/** A plan that ended a moment ago: what was signed for it may have arrived in time, and nothing is signed in its place before that is known. */
import { join } from "node:path"
import { createTestClient, http } from "viem"
import { afterAll, assert, beforeAll, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { testSettings } from "../support/Settings.ts"
import { until } from "../support/Until.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"

const PLANS_LIVE_SECONDS = 20
const SUBMISSION = /^POST .*submissions$/

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

const run = (args: ReadonlyArray<string>, url = proxy.url, ask?: (question: string) => Promise<string>) =>
  runHere(
    args,
    {
      FUNDING_URL: url,
      FUNDING_RPC: sandbox.chain.url,
      FUNDING_STATE_DIR: join(cli.directory, "state")
    },
    ask
  )

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...["pay", "--project", "2", "--amount", amount],
  ...more
]

const plansOf = async (amount: string): Promise<ReadonlyArray<Plan>> => {
  const listed = await run(["plan", "list", "--json", "--most", "100"])
  const all: ReadonlyArray<Plan> = JSON.parse(listed.stdout).items
  return all.filter(({ calls }) => calls[0]?.value === amount)
}

/** By a run whose way to the service ends before the bytes reach it. */
const leftSigned = async (amount: string): Promise<Plan> => {
  await createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) }).mine({ blocks: 1 })
  const way = await losingProxy(sandbox.service.url)
  way.during(SUBMISSION, () => {
    void way.stop()
    return new Promise(() => {})
  })
  const { code, stderr } = await run(pay(amount, "--yes"), way.url)
  assert.strictEqual(code, 4, stderr)
  const [plan = assert.fail("no plan")] = await plansOf(amount)
  assert.notProperty(plan.steps[0], "transaction")
  return plan
}

const hasEnded = ({ expiresAt }: Plan) =>
  until(
    async () => Date.now(),
    now => now > expiresAt + 1000
  )

const toldOf = ({ id, expiresAt }: Plan): RegExp => {
  const after = new Date(expiresAt + 60_000).toISOString().replace(/\.000Z$/, "Z")
  return new RegExp(
    `The plan ${id} has just ended, .* step 0 may still be admitted\\.\n.* again after ${after}`
  )
}

/** As after a first step was confirmed. */
const asPartial = (text: string): string => text.replaceAll('"status":"expired"', '"status":"partial"')

it("is told where it ends while what was signed goes again, and then before anybody is asked", {
  timeout: 120_000
}, async () => {
  const plan = await leftSigned("8000")
  proxy.during(SUBMISSION, () => hasEnded(plan))
  const again = await run(pay("8000", "--yes"))
  assert.strictEqual(again.code, 4, again.stderr)
  assert.include(again.stderr, "sending the same bytes again")
  assert.match(again.stderr, toldOf(plan))
  for (const altered of [undefined, asPartial]) {
    proxy.alter(altered)
    const { code, stderr } = await run(pay("8000"), proxy.url, () => assert.fail("somebody was asked"))
    proxy.alter(undefined)
    assert.strictEqual(code, 4, stderr)
    assert.match(stderr, toldOf(plan))
    assert.strictEqual((await plansOf("8000")).length, 1)
  }
})
