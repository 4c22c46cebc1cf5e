/** A command that was begun when its service had another public URL. */
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { chainSettings, type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

let cli: Cli
let sandbox: Sandbox
/** The same service, under another URL. */
let renamed: RunningService
/** One with the same account, and nothing else of the first. */
let other: RunningService

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startSandbox()])
  cli = parts[0]
  sandbox = parts[1]
  const settings = { chains: chainSettings(sandbox.chain.url) }
  const overlays = [sandbox.overlay]
  renamed = await startService({ databaseUrl: sandbox.service.databaseUrl, overlays, settings })
  other = await startService({ overlays, settings })
  for (const service of [sandbox.service, other]) await succeeded(service, ["account", "enroll"])
})

afterAll(async () => {
  await renamed.stop()
  await other.stop()
  await sandbox.stop()
  await cli.remove()
})

const run = ({ url }: RunningService, args: ReadonlyArray<string>) =>
  runHere(args, {
    FUNDING_URL: url,
    FUNDING_RPC: sandbox.chain.url,
    FUNDING_STATE_DIR: join(cli.directory, "state")
  })

const succeeded = async (service: RunningService, args: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout, stderr } = await run(service, args)
  assert.strictEqual(code, 0, stderr)
  return stdout
}

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...["pay", "--project", "2", "--amount", amount, "--yes"],
  ...more
]

const plansOf = async (service: RunningService, amount: string): Promise<ReadonlyArray<Plan>> => {
  const all: ReadonlyArray<Plan> = JSON.parse(
    await succeeded(service, ["plan", "list", "--json", "--most", "100"])
  ).items
  return all.filter(({ calls }) => calls[0]?.value === amount)
}

const leftUndecided = async (amount: string): Promise<void> => {
  const { code, stderr } = await run(sandbox.service, pay(amount, "--timeout", "1"))
  assert.strictEqual(code, 5, stderr)
}

describe("a command that left its transaction", { timeout: 120_000 }, () => {
  it("is not done once more under the service's new URL, unless that is asked for", async () => {
    await leftUndecided("7000")
    const [plan = assert.fail("no plan")] = await plansOf(renamed, "7000")
    const { code, stderr } = await run(renamed, pay("7000"))
    assert.strictEqual(code, 4, stderr)
    assert.include(stderr, `signed for the plan ${plan.id} when this service was ${sandbox.service.audience}`)
    assert.strictEqual((await plansOf(renamed, "7000")).length, 1)
    await run(renamed, pay("7000", "--anew", "--timeout", "1"))
    assert.strictEqual((await plansOf(renamed, "7000")).length, 2)
  })

  it("is done at another service", async () => {
    await leftUndecided("7001")
    await run(other, pay("7001", "--timeout", "1"))
    assert.strictEqual((await plansOf(other, "7001")).length, 1)
  })
})
