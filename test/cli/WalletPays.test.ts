/** A wallet of two owners on the command line, through the real bundler: created, bound, and acting by operations that leave once. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { testKey } from "../signatures/TestKeys.ts"
import { walletOwners } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { type OperatingBench, startOperatingBench } from "../useroperations/support/Operating.ts"
import { runHere } from "./support/InProcess.ts"

const [first = assert.fail("no owner"), second = assert.fail("no owner"), third = assert.fail("no owner")] =
  walletOwners.map(({ address }) => address)

let bench: OperatingBench
let directory: string

const keyOf = (address: string) => join(directory, `${address.toLowerCase()}.json`)

beforeAll(async () => {
  bench = await startOperatingBench({ recovers: true })
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
  directory = await mkdtemp(join(tmpdir(), "operations-commands-"))
  for (const number of [1, 2, 3]) {
    const { privateKey, address } = testKey(`execution vector owner ${number}`)
    await writeFile(keyOf(address), JSON.stringify({ privateKey, address }), { mode: 0o600 })
    await rpc(bench.chain.url, "anvil_setBalance", [address, toHex(10n ** 20n)])
  }
})

afterAll(async () => {
  await bench.stop()
  await rm(directory, { recursive: true })
})

const run = (args: ReadonlyArray<string>, signer = first) =>
  runHere(args, {
    FUNDING_URL: bench.service.url,
    FUNDING_RPC: bench.chain.url,
    FUNDING_KEY_FILE: keyOf(signer),
    FUNDING_STATE_DIR: join(directory, "state")
  })

const succeeded = async (args: ReadonlyArray<string>, signer = first) => {
  const ran = await run(args, signer)
  assert.strictEqual(ran.code, 0, `${args.join(" ")}\n${ran.stderr}\n${ran.stdout}`)
  return ran
}

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const SIGNING = /^Signing as the owner 0x/gm

describe("a wallet of two owners", { timeout: 240_000 }, () => {
  let address = ""

  it("is created, funded and bound by both", async () => {
    const others = [second, third].flatMap(owner => ["--owner", owner])
    const created = await succeeded([
      ...["wallet", "create", ...others, "--salt", "42", "--fund", "10ether", "--yes", "--timeout", "100"]
    ])
    address = /^wallet +(0x[0-9a-fA-F]{40})/m.exec(created.stderr)?.[1] ?? assert.fail(created.stderr)
    const bind = ["wallet", "bind", address, "--yes"]
    const alone = await run(bind)
    assert.strictEqual(alone.code, 1)
    assert.include(alone.stderr, "1 of the 2 owners that it takes signed.")
    const bound = await succeeded([...bind, "--owner-key-file", keyOf(second)])
    assert.match(bound.stdout, /^status +linked$/m)
    const listed = await succeeded(["wallet", "list"])
    assert.match(listed.stdout, new RegExp(`^${address} +31337 +safe7579-guard-31337 `, "m"))
    const shown = await succeeded(["wallet", "show", address])
    assert.match(shown.stdout, /^signs +2 of 3$/m)
  })

  it("pays a project by one operation that both keys sign", async () => {
    const { stdout, stderr } = await succeeded([
      ...["pay", "--project", "2", "--amount", "1ether", "--wallet", address, "--yes", "--timeout", "100"],
      ...["--owner-key-file", keyOf(second)]
    ])
    assert.strictEqual(stderr.match(SIGNING)?.length, 2)
    assert.match(stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
    assert.strictEqual(sends(), 1)
  })

  it("lists the operation, which nobody is asked to sign again", async () => {
    const { items } = JSON.parse((await succeeded(["operation", "list", "--json"])).stdout)
    const [{ id, planId, state }] = items
    assert.deepStrictEqual([items.length, state], [1, "confirmed"])
    const { stdout } = await succeeded(["operation", "list", "--plan", planId])
    assert.match(stdout, new RegExp(`^${id} +confirmed +\\d{4}-\\S+ +${planId} +0$`, "m"))
    for (const command of ["sign", "submit"]) {
      const again = await run(["operation", command, id, "--yes", "--owner-key-file", keyOf(second)])
      assert.strictEqual(again.code, 1)
      assert.include(again.stderr, `The operation ${id} is confirmed: its owners have nothing to sign.`)
      assert.notMatch(again.stderr, SIGNING)
    }
    assert.strictEqual(sends(), 1)
  })

  it("ends where nothing can execute its operation any more, and sends no other", async () => {
    bench.bundling.fault({ method: "eth_sendUserOperation", phase: "before", act: { kind: "reset" } })
    const pay = (seconds: string) => [
      ...["pay", "--project", "2", "--amount", "0.5ether", "--wallet", address, "--yes"],
      ...["--owner-key-file", keyOf(second), "--timeout", seconds]
    ]
    assert.strictEqual((await run(pay("5"))).code, ExitCode.unconfirmed)
    const before = sends()
    await sqlOn(
      bench.service.databaseUrl,
      `UPDATE user_operations SET dead_block = 1, dead_hash = '0x${"11".repeat(32)}'
      WHERE claimed AND observed_block IS NULL`
    )
    const { code, stdout, stderr } = await run(pay("100"))
    assert.strictEqual(code, ExitCode.unconfirmed, stderr)
    assert.match(stdout, /^plan [0-9a-f-]{36}: pending$/m)
    assert.strictEqual(sends(), before)
  })

  it("plans alone, for its owners to sign on the plan's page", async () => {
    const pay = ["pay", "--project", "2", "--amount", "1ether", "--wallet", address, "--plan-only"]
    const { stdout } = await succeeded(pay)
    assert.match(stdout, /\nNext: its owners sign an operation for it on that page\.$/)
    assert.notInclude(stdout, "service plan submit")
  })
})
