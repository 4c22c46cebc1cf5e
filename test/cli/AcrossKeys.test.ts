/** A command that one key of the account began, and what the next run of it says: by another key, to a program, or once the key's grant has ended. */
import { join } from "node:path"
import { createTestClient, http } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { until } from "../support/Until.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

let cli: Cli
let sandbox: Sandbox

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startSandbox()])
  cli = parts[0]
  sandbox = parts[1]
  await succeeded(["account", "enroll"])
})

afterAll(async () => {
  await sandbox.stop()
  await cli.remove()
})

const run = (args: ReadonlyArray<string>) =>
  runHere(args, {
    FUNDING_URL: sandbox.service.url,
    FUNDING_RPC: sandbox.chain.url,
    FUNDING_STATE_DIR: join(cli.directory, "state")
  })

const succeeded = async (args: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout, stderr } = await run(args)
  assert.strictEqual(code, 0, stderr)
  return stdout
}

const newBot = async (label: string) => {
  const file = join(cli.directory, `${label}.json`)
  const told = await succeeded([
    "bot",
    "create",
    "--out",
    file,
    "--scope",
    "relay",
    "--label",
    label,
    "--json"
  ])
  const grantId: string = JSON.parse(told).bot.id
  return { by: ["--key-file", file], revoke: () => succeeded(["bot", "revoke", grantId]) }
}

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...["pay", "--project", "2", "--amount", amount, "--yes"],
  ...more
]

const plansOf = async (amount: string): Promise<ReadonlyArray<Plan>> => {
  const listed = await succeeded(["plan", "list", "--json", "--most", "100"])
  const all: ReadonlyArray<Plan> = JSON.parse(listed).items
  return all.filter(({ calls }) => calls[0]?.value === amount)
}

const mine = (blocks: number) =>
  createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) }).mine({ blocks })

/** Mined, and not yet confirmed, by a run that waits no longer. */
const leftUndecided = async (amount: string, by: ReadonlyArray<string> = []): Promise<void> => {
  const { code, stderr } = await run(pay(amount, "--timeout", "1", ...by))
  assert.strictEqual(code, 5, stderr)
}

describe("a command that was begun", { timeout: 120_000 }, () => {
  it("by a bot whose grant ended is done by no other key of the account as if it had not been", async () => {
    const former = await newBot("former")
    await leftUndecided("4000", former.by)
    await former.revoke()
    const next = await newBot("next")
    for (const by of [next.by, []]) {
      const { code, stderr } = await run(pay("4000", ...by))
      assert.strictEqual(code, 4, stderr)
      assert.match(stderr, /signed for the plan \S+ as bot:/)
    }
    assert.strictEqual((await plansOf("4000")).length, 1)
  })

  it("tells a program that an earlier run began it", async () => {
    await leftUndecided("4001")
    await mine(3)
    const told = JSON.parse(await succeeded(pay("4001", "--json")))
    assert.deepInclude(told, { continued: true, status: "transactions_confirmed" })
    assert.strictEqual((await plansOf("4001")).length, 1)
  })

  it("says what left where the bot's grant ends before it is confirmed", async () => {
    const { by, revoke } = await newBot("ending")
    const running = run(pay("4002", "--timeout", "60", ...by))
    const [plan = assert.fail("no plan")] = await until(
      () => plansOf("4002"),
      ([made]) => made?.steps[0]?.transaction !== undefined
    )
    await revoke()
    const { code, stderr } = await running
    assert.strictEqual(code, 5, stderr)
    assert.include(stderr, "FORBIDDEN")
    assert.include(stderr, plan.id)
  })
})
