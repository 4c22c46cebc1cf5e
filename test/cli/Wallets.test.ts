/** Wallets of several owners on the command line: created by one plan at the address that was said first. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { testKey } from "../signatures/TestKeys.ts"
import { startWalletBench, type WalletBench } from "../smartaccounts/support/WalletService.ts"
import { walletOwners } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { runHere } from "./support/InProcess.ts"

const owners = walletOwners.map(({ address }) => address)
const [first = assert.fail("no owner"), ...others] = owners

let bench: WalletBench
let directory: string

beforeAll(async () => {
  bench = await startWalletBench()
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
  directory = await mkdtemp(join(tmpdir(), "wallet-commands-"))
  for (const number of [1, 2, 3]) {
    const { privateKey, address } = testKey(`execution vector owner ${number}`)
    const file = join(directory, `${address.toLowerCase()}.json`)
    await writeFile(file, JSON.stringify({ privateKey, address }), { mode: 0o600 })
    await rpc(bench.chain.url, "anvil_setBalance", [address, toHex(10n ** 20n)])
  }
})

afterAll(async () => {
  await bench.stop()
  await rm(directory, { recursive: true })
})

const keyOf = (address: string) => join(directory, `${address.toLowerCase()}.json`)

const run = (args: ReadonlyArray<string>, ask?: (question: string) => Promise<string>) =>
  runHere(
    args,
    {
      FUNDING_URL: bench.service.url,
      FUNDING_RPC: bench.chain.url,
      FUNDING_KEY_FILE: keyOf(first),
      FUNDING_STATE_DIR: join(directory, "state")
    },
    ask
  )

const create = (salt: number, ...more: ReadonlyArray<string>) => [
  ...["wallet", "create", "--salt", String(salt), "--threshold", "2"],
  ...others.flatMap(owner => ["--owner", owner]),
  ...more
]

const walletIn = (text: string): string =>
  /(?:^wallet +|The wallet )(0x[0-9a-fA-F]{40})/m.exec(text)?.[1] ?? assert.fail(`no wallet in ${text}`)

const balanceOf = async (address: string): Promise<bigint> =>
  BigInt(await rpc(bench.chain.url, "eth_getBalance", [address, "latest"]))

const codeAt = (address: string): Promise<string> => rpc(bench.chain.url, "eth_getCode", [address, "latest"])

describe("wallets of several owners", { timeout: 120_000 }, () => {
  it("are of deployments that are listed with what is seen of them", async () => {
    const { stdout } = await run(["wallet", "manifests"])
    assert.match(stdout, /^safe7579-guard-31337 +execution +31337 +verified +\d{4}-/m)
    assert.match(stdout, /^not supported$/m)
  })

  it("are not created before a yes, but their address is said", async () => {
    const asked: Array<string> = []
    const { code, stderr } = await run(create(7), async question => {
      asked.push(question)
      return ""
    })
    assert.strictEqual(code, 1, stderr)
    const address = walletIn(stderr)
    assert.match(stderr, /^signs +2 of 3$/m)
    assert.match(asked[0] ?? "", /^Send it how much from 0x/)
    assert.deepStrictEqual(asked.slice(1), ["Sign and submit this step? [y/N] "])
    assert.strictEqual(await codeAt(address), "0x")
  })

  it("are created there and funded, once", async () => {
    const { code, stdout, stderr } = await run(create(7, "--fund", "1.5ether", "--yes"))
    assert.strictEqual(code, 0, `${stderr}\n${stdout}`)
    const address = walletIn(stderr)
    assert.notStrictEqual(await codeAt(address), "0x")
    assert.match(stdout, new RegExp(`^sent 1\\.5 ether \\(\\d+ wei\\) to ${address}: 0x`, "m"))
    assert.include(stdout, `Next: service wallet bind ${address}`)
    const again = await run(create(7, "--fund", "1.5ether", "--yes"))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stdout, new RegExp(`^The wallet ${address} is there already\\.$`, "m"))
    assert.strictEqual(await balanceOf(address), 1_500_000_000_000_000_000n)
  })

  it("are given nothing that was said where nobody agreed, or where the plan alone was asked for", async () => {
    const declined = await run(create(9), async question => (question.startsWith("Send") ? "1ether" : "n"))
    assert.strictEqual(declined.code, 1, declined.stderr)
    assert.strictEqual((await run(create(9, "--plan-only", "--fund", "2ether"))).code, 0)
    assert.strictEqual((await run(create(9, "--fund", "3ether"))).code, 1)
    const { code, stderr } = await run(create(9, "--yes"))
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(await balanceOf(walletIn(stderr)), 0n)
  })

  it("are refused where an owner or a manifest is none", async () => {
    const noAddress = await run(["wallet", "create", "--owner", "0x1", "--yes"])
    assert.strictEqual(noAddress.code, 1)
    assert.include(noAddress.stderr, '--owner takes an address, not "0x1".')
    const noManifest = await run(create(8, "--manifest", "other", "--yes"))
    assert.strictEqual(noManifest.code, 1)
    assert.include(noManifest.stderr, "Give --manifest with one of: safe7579-guard-31337 (chain 31337).")
  })
})
