/** A command that was begun when its service had another public URL. */
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createTestClient, http } from "viem"
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
let bot: ReadonlyArray<string>

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startSandbox()])
  cli = parts[0]
  sandbox = parts[1]
  const settings = { chains: chainSettings(sandbox.chain.url) }
  const overlays = [sandbox.overlay]
  renamed = await startService({ databaseUrl: sandbox.service.databaseUrl, overlays, settings })
  other = await startService({ overlays, settings })
  for (const service of [sandbox.service, other]) await succeeded(service, ["account", "enroll"])
  const file = join(cli.directory, "bot.json")
  await succeeded(sandbox.service, ["bot", "create", "--out", file, "--scope", "relay", "--label", "bot"])
  bot = ["--key-file", file]
})

afterAll(async () => {
  await renamed.stop()
  await other.stop()
  await sandbox.stop()
  await cli.remove()
})

const state = () => join(cli.directory, "state")

const run = ({ url }: RunningService, args: ReadonlyArray<string>) =>
  runHere(args, {
    FUNDING_URL: url,
    FUNDING_RPC: sandbox.chain.url,
    FUNDING_STATE_DIR: state()
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

const mine = (blocks: number) =>
  createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) }).mine({ blocks })

const leftUndecided = async (
  amount: string,
  service = sandbox.service,
  ...by: ReadonlyArray<string>
): Promise<void> => {
  const { code, stderr } = await run(service, pay(amount, "--timeout", "1", ...by))
  assert.strictEqual(code, 5, stderr)
}

const refusedAtRenamed = async (amount: string, ...by: ReadonlyArray<string>): Promise<string> => {
  const before = await plansOf(renamed, amount)
  const { code, stderr } = await run(renamed, pay(amount, "--timeout", "1", ...by))
  assert.strictEqual(code, 4, stderr)
  assert.strictEqual((await plansOf(renamed, amount)).length, before.length)
  return stderr
}

/** As older programs kept what was signed last at any URL. */
const keptAsFormerly = async (): Promise<void> => {
  for (const name of await readdir(state())) {
    const [place = "", audience] = name.slice(0, -".json".length).split(".")
    if (audience === undefined) continue
    const path = join(state(), name)
    const { principal, ...kept } = JSON.parse(await readFile(path, "utf8"))
    await writeFile(path, JSON.stringify(kept))
    await rename(path, join(state(), `${place}.json`))
  }
}

describe("a command that left its transaction", { timeout: 120_000 }, () => {
  it("is not done once more under the service's new URL, unless that is asked for", async () => {
    await leftUndecided("7000")
    const [plan = assert.fail("no plan")] = await plansOf(renamed, "7000")
    const refused = await refusedAtRenamed("7000")
    assert.include(
      refused,
      `signed for the plan ${plan.id} when this service was ${sandbox.service.audience}`
    )
    await leftUndecided("7000", renamed, "--anew")
    assert.strictEqual((await plansOf(renamed, "7000")).length, 2)
    await mine(3)
    await succeeded(renamed, pay("7000"))
    await leftUndecided("7000", renamed)
    assert.strictEqual((await plansOf(renamed, "7000")).length, 3)
  })

  it("is done at another service, and not forgotten by what that one does", async () => {
    await leftUndecided("7001")
    await leftUndecided("7001", other)
    assert.strictEqual((await plansOf(other, "7001")).length, 1)
    await refusedAtRenamed("7001")
    await mine(3)
    await succeeded(other, pay("7001"))
    await refusedAtRenamed("7001")
    await succeeded(sandbox.service, pay("7001"))
    await leftUndecided("7001", renamed)
  })

  it("is not done once more by a bot, which does not see the owner's plans", async () => {
    await leftUndecided("7002")
    const [plan = assert.fail("no plan")] = await plansOf(renamed, "7002")
    const refused = await refusedAtRenamed("7002", ...bot)
    assert.match(
      refused,
      new RegExp(`signed for the plan ${plan.id} as owner:\\S+ at ${sandbox.service.audience}`)
    )
    assert.include(refused, "--anew")
    await leftUndecided("7002", renamed, ...bot, "--anew")
    await leftUndecided("7002", renamed, ...bot)
    assert.strictEqual((await plansOf(renamed, "7002")).length, 2)
  })

  it("is not done once more by the owner where a bot began it, and is at another service", async () => {
    await leftUndecided("7003", sandbox.service, ...bot)
    assert.include(await refusedAtRenamed("7003"), `when this service was ${sandbox.service.audience}`)
    await leftUndecided("7003", other)
  })

  it("is not done once more where an older program left it", async () => {
    await leftUndecided("7004")
    await keptAsFormerly()
    for (const by of [[], bot]) await refusedAtRenamed("7004", ...by)
    await mine(3)
    await succeeded(sandbox.service, pay("7004"))
    await leftUndecided("7004", renamed, ...bot)
  })
})
