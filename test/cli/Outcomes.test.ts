import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { mine, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { sqlOn } from "../support/Sql.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

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

/** The wallet asks the chain itself; the service reaches it only through the bench's proxy. */
const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, {
    FUNDING_URL: bench.service.url,
    FUNDING_RPC: bench.chain.url,
    FUNDING_STATE_DIR: join(cli.directory, "state"),
    ...env
  })

const planned = async (): Promise<string> => {
  const args = JSON.stringify(["2", NATIVE_TOKEN, "9", BENEFICIARY, "0", "", "0x"])
  const call = ["--contract", "JBMultiTerminal", "--function", "pay", "--args", args, "--value", "9"]
  const { stdout, stderr } = await run(["plan", "create", ...call, "--json"])
  assert.notStrictEqual(stdout, "", stderr)
  return JSON.parse(stdout).id
}

/** As if half a minute had gone by. */
const endLease = (planId: string) =>
  sqlOn(bench.service.databaseUrl, "UPDATE dispatch_leases SET expires_at = unix_millis() WHERE plan = $1", [
    planId
  ])

describe("a broadcast whose outcome is unknown", { timeout: 120_000 }, () => {
  it("exits with 4, and the same command sends the very same bytes again", async () => {
    const id = await planned()
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "reset" } })
    const first = await run(["plan", "submit", id, "0"])
    assert.strictEqual(first.code, 4, first.stderr)
    assert.match(first.stdout, /dispatch +unknown/)
    await endLease(id)
    const again = await run(["plan", "submit", id, "0"])
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stderr, /sending the same bytes again/)
    const bytes = bench.proxy.sent().map(({ raw }) => raw.bytes)
    assert.strictEqual(bytes.length, 2)
    assert.strictEqual(new Set(bytes).size, 1)
    await mine(bench)
    assert.strictEqual((await run(["plan", "watch", id])).code, 0)
  })

  it("shows what a lost step holds up and how long it waits, and takes its own bytes with --raw", async () => {
    const id = await planned()
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    const first = await run(["plan", "submit", id, "0"])
    assert.strictEqual(first.code, 0, first.stderr)
    const shown = await run(["plan", "show", id])
    assert.match(
      shown.stdout,
      /holds +the wallet's nonce [0-9]+ for good: it is free once these very bytes are mined/
    )
    const raw = bench.proxy.sent().at(-1)?.raw.bytes ?? ""
    const early = await run(["plan", "submit", id, "0", "--raw", raw])
    assert.match(early.stdout, /dispatch +in-flight, 1 attempt, nothing more is sent for [0-9]+ s/)
    await endLease(id)
    const other = await run(["plan", "submit", id, "0", "--raw", `${raw.slice(0, -2)}ff`])
    assert.strictEqual(other.code, ExitCode.unknown)
    assert.match(other.stderr, /An earlier run signed other bytes for step 0, which may have left/)
    const again = await run(["plan", "submit", id, "0", "--raw", raw])
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stdout, /dispatch +submitted, 2 attempts/)
    assert.strictEqual(bench.proxy.sent().filter(sent => sent.raw.bytes === raw).length, 2)
    await mine(bench)
    assert.strictEqual((await run(["plan", "watch", id])).code, 0)
  })

  it("finds the bytes of a step that its node lost long after it was submitted", async () => {
    const id = await planned()
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    assert.strictEqual((await run(["plan", "submit", id, "0"])).code, 0)
    const raw = bench.proxy.sent().at(-1)?.raw.bytes ?? ""
    await endLease(id)
    await run(["plan", "watch", id, "--timeout", "1"])
    const again = await run(["plan", "submit", id, "0"])
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stdout, /dispatch +submitted, 2 attempts/)
    assert.strictEqual(bench.proxy.sent().filter(sent => sent.raw.bytes === raw).length, 2)
    await mine(bench)
    assert.strictEqual((await run(["plan", "watch", id])).code, 0)
    assert.match((await run(["plan", "submit", id, "0"])).stderr, /nothing was sent/)
  })

  it("takes no other bytes: without the kept ones it says so and signs nothing", async () => {
    const id = await planned()
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "reset" } })
    assert.strictEqual((await run(["plan", "submit", id, "0"])).code, 4)
    const FUNDING_STATE_DIR = join(cli.directory, "elsewhere")
    const elsewhere = await run(["plan", "submit", id, "0"], { FUNDING_STATE_DIR })
    assert.strictEqual(elsewhere.code, 4)
    assert.match(elsewhere.stderr, /Only the same bytes can be sent again: give them with --raw/)
  })
})

describe("a node that does not answer", () => {
  it("is told before there is a plan", async () => {
    const plans = async () => (await run(["plan", "list", "--json"])).stdout
    const before = await plans()
    const pay = ["pay", "--project", "2", "--amount", "51", "--beneficiary", BENEFICIARY, "--yes"]
    const FUNDING_RPC = "http://127.0.0.1:9"
    const { code, stderr } = await run(pay, { FUNDING_RPC })
    assert.strictEqual(code, 3, stderr)
    assert.match(stderr, /The node at http:\S+ was not reached\.\s+FUNDING_RPC names it/)
    assert.strictEqual(await plans(), before)
  })
})
