import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Hex, keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { runClock } from "../support/DatabaseTime.ts"
import { callOf, payment, planned } from "../support/PlannedCalls.ts"
import { mine, type RelayBench, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { sendDirectly } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { fundedOwner } from "../support/Sandbox.ts"
import { signCall, type TransactionOver } from "../support/SignedCalls.ts"
import { refreshed, shown } from "../support/Submissions.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

const owner = fundedOwner(0)

let cli: Cli
let bench: RelayBench

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startRelayBench()])
  cli = parts[0]
  bench = parts[1]
  assert.strictEqual((await run(["account", "enroll"])).code, 0)
})

afterAll(async () => {
  await bench.stop()
  await cli.remove()
})

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, {
    FUNDING_URL: bench.service.url,
    FUNDING_RPC: bench.chain.url,
    FUNDING_STATE_DIR: join(cli.directory, "state"),
    ...env
  })

const record = (plan: Plan, hash: string, ...flags: ReadonlyArray<string>) =>
  run(["plan", "record", plan.id, "0", hash, ...flags])

/** What the wallet sent, past the service. */
const sent = async (plan: Plan, over: TransactionOver = {}): Promise<Hex> => {
  const raw = await signCall(bench, owner, callOf(plan), over)
  await sendDirectly(bench, raw)
  return raw
}

describe("plan record", { timeout: 120_000 }, () => {
  it("binds what the wallet sent, sends nothing, and follows it until it is proved", async () => {
    const plan = await planned(bench, owner)
    const raw = await sent(plan)
    const recorded = await record(plan, keccak256(raw), "--json")
    assert.strictEqual(recorded.code, 0, recorded.stderr)
    assert.strictEqual(JSON.parse(recorded.stdout).dispatch.status, "already-observed")
    await mine(bench)
    const again = await record(plan, keccak256(raw).toUpperCase().replace("0X", "0x"), "--watch")
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stderr, /effects +verified/)
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("binds what is still in the pool", async () => {
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    const hash = await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    const recorded = await record(plan, hash, "--json")
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    assert.strictEqual(recorded.code, 0, recorded.stderr)
    assert.strictEqual(JSON.parse(recorded.stdout).dispatch.status, "already-observed")
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("binds a bot's plan for the bot, whom nobody has to approve what is sent already", async () => {
    const keyFile = join(cli.directory, "bot.json")
    assert.strictEqual((await run(["bot", "create", "--out", keyFile, "--scope", "relay"])).code, 0)
    const bot = { FUNDING_KEY_FILE: keyFile }
    const calls = join(cli.directory, "calls.json")
    await writeFile(calls, JSON.stringify({ calls: [payment(bench, owner.key.address)] }))
    const created = await run(["plan", "create", "--file", calls, "--json"], bot)
    assert.strictEqual(created.code, 0, created.stderr)
    const plan: Plan = JSON.parse(created.stdout)
    const raw = await sent(plan)
    const words = ["plan", "record", plan.id, "0", keccak256(raw), "--json"]
    assert.match((await run(words)).stderr, /PLAN_NOT_FOUND/)
    const recorded = await run(words, bot)
    assert.strictEqual(recorded.code, 0, recorded.stderr)
    assert.strictEqual(JSON.parse(recorded.stdout).dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("says what differs, and binds nothing", async () => {
    const plan = await planned(bench, owner)
    const refused = await record(plan, keccak256(await sent(plan, { value: 1001n })))
    assert.strictEqual(refused.code, 6)
    assert.match(refused.stderr, /its value is not the planned one/)
    assert.match(refused.stderr, /Nothing was bound to the plan/)
    assert.notProperty((await shown(bench.service, owner, plan)).steps[0], "transaction")
  })

  it("refuses what is no hash, and a step that is not there", async () => {
    const plan = await planned(bench, owner)
    assert.match((await record(plan, "0x12")).stderr, /A transaction hash is 0x and 64 hexadecimal digits/)
    const absent = await run(["plan", "record", plan.id, "7", `0x${"ab".repeat(32)}`])
    assert.match(absent.stderr, /The plan has no step 7/)
  })

  it("tells of what an expired plan's wallet sent that it is recorded once the service's node knows it", async () => {
    const plan = await planned(bench, owner)
    const raw = await sent(plan)
    await mine(bench)
    await runClock(bench.service.databaseUrl, 400)
    bench.proxy.fault({
      method: "eth_getTransactionByHash",
      phase: "after",
      act: { kind: "result", result: null }
    })
    const early = await record(plan, keccak256(raw))
    assert.strictEqual(early.code, 5, early.stderr)
    assert.include(early.stderr, `has not seen the transaction ${keccak256(raw)}`)
    assert.include(early.stderr, "Run this again once it is mined. Prepare no other plan")
    const recorded = await record(plan, keccak256(raw), "--json")
    assert.strictEqual(recorded.code, 0, recorded.stderr)
    assert.strictEqual(JSON.parse(recorded.stdout).dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, raw), 0)
  })
})
