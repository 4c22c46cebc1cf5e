import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { exitCodeOf } from "../../src/cli/commands/PlanSubmitAll.ts"
import { ExitCode } from "../../src/cli/Failure.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { type Item, signedItems } from "../support/Bundles.ts"
import { mined } from "../support/Mined.ts"
import { mine, type RelayBench, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rawOf } from "../support/Relayed.ts"
import { fundedOwner, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
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

const environment = () => ({
  FUNDING_URL: bench.service.url,
  FUNDING_RPC: bench.chain.url,
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { ...environment(), ...env })

const planned = async (
  dependencies: ReadonlyArray<ReadonlyArray<number>>,
  env: Readonly<Record<string, string>> = {}
): Promise<Plan> => {
  const contract = bench.manifest.deployments.find(({ contractId }) =>
    contractId.endsWith(":JBMultiTerminal")
  )
  const calls = dependencies.map((dependsOn, index) => ({
    chainId: 31337,
    contractId: contract?.contractId,
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, String(5 + index), BENEFICIARY, "0", "", "0x"],
    value: String(5 + index),
    dependsOn
  }))
  const file = join(cli.directory, "calls.json")
  await writeFile(file, JSON.stringify({ calls }))
  const created = await run(["plan", "create", "--file", file, "--json"], env)
  assert.strictEqual(created.code, 0, created.stderr)
  return JSON.parse(created.stdout)
}

const flagsOf = (items: ReadonlyArray<Item>) =>
  items.flatMap(({ stepIndex, rawSignedTransaction }) => ["--raw", `${stepIndex}=${rawSignedTransaction}`])

const timesOf = (items: ReadonlyArray<Item>) =>
  items.map(({ rawSignedTransaction }) => timesSent(bench, rawSignedTransaction))

it.each([
  ["BROADCAST_PERSISTENCE_UNCERTAIN", ExitCode.unknown],
  ["REQUEST_TIMEOUT", ExitCode.unknown],
  ["STEP_STATE_UNCERTAIN", ExitCode.unknown],
  ["SIGNED_FEE_BELOW_BASE_FEE", ExitCode.refused]
] as const)("several signed steps of which the first stops by %s end with %i", (code, exitCode) => {
  assert.strictEqual(exitCodeOf({ complete: false, results: [], error: { code } }), exitCode)
})

describe("several signed steps on the command line", { timeout: 120_000 }, () => {
  it("go up to the first that waits, and the same command goes on", async () => {
    const plan = await planned([[], [0]])
    const items = await signedItems(bench, owner, plan)
    const command = ["plan", "submit-all", plan.id, ...flagsOf(items)]
    const stopped = await run(command)
    assert.strictEqual(stopped.code, ExitCode.unconfirmed, stopped.stderr)
    assert.match(stopped.stdout, /Stopped at step 1: DEPENDENCIES_UNCONFIRMED/)
    assert.match(stopped.stdout, /same command again/)
    await mined(bench, rawOf(items, 0))
    const waiting = await run(command)
    assert.strictEqual(waiting.code, ExitCode.unconfirmed, waiting.stderr)
    assert.match(waiting.stdout, /step 0 {2}confirming/)
    await mine(bench)
    const done = await run([...command, "--json"])
    assert.strictEqual(done.code, 0, done.stderr)
    assert.isTrue(JSON.parse(done.stdout).complete)
    assert.deepStrictEqual(timesOf(items), [1, 1])
  })

  it("carry the owner's approvals when a bot submits them", async () => {
    const keyFile = join(cli.directory, "bot.json")
    const created = await run(["bot", "create", "--out", keyFile, "--scope", "relay"])
    assert.strictEqual(created.code, 0, created.stderr)
    const bot = { FUNDING_KEY_FILE: keyFile }
    const plan = await planned([[], []], bot)
    const items = await signedItems(bench, owner, plan)
    const done = await run(["plan", "submit-all", plan.id, ...flagsOf(items), "--json"], bot)
    assert.strictEqual(done.code, 0, done.stderr)
    assert.deepStrictEqual(timesOf(items), [1, 1])
  })

  it("are refused before anything is sent when they do not read as steps of the plan", async () => {
    const plan = await planned([[]])
    const items = await signedItems(bench, owner, plan)
    const flag = flagsOf(items)
    const [, first = ""] = flag
    const cases = [
      [],
      ["--raw", "0"],
      ["--raw", first.replace("0=", "x=")],
      ["--raw", first.replace("0=", "7=")]
    ]
    for (const flags of cases)
      assert.strictEqual((await run(["plan", "submit-all", plan.id, ...flags])).code, 1)
    const again = ["plan", "submit-all", plan.id, ...flag, ...flag, "--json"]
    const twice = await cli.run(again, environment())
    assert.strictEqual(twice.code, 2)
    assert.strictEqual(JSON.parse(twice.stderr).error.problem.code, "INVALID_BUNDLE")
    assert.deepStrictEqual(timesOf(items), [0])
  })
})
