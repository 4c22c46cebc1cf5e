/** A challenge that waits for owners is of one manifest: by another one the same wallet is asked about anew. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { keptPlaces, pendingWork } from "../../src/cli/Pending.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { testKey } from "../signatures/TestKeys.ts"
import { changed, manifest } from "../smartaccounts/support/Inspections.ts"
import { startWalletBench } from "../smartaccounts/support/WalletService.ts"
import { createWallet } from "../smartaccounts/support/Wallets.ts"
import { runHere } from "./support/InProcess.ts"

const another = changed({ id: "another" })
const bench = await startWalletBench([manifest, another])
const alone = await startWalletBench([manifest])
const directory = await mkdtemp(join(tmpdir(), "wallet-bind-"))
const at = (name: string) => join(directory, name)
const { privateKey, address } = testKey("execution vector owner 1")
await writeFile(at("owner.json"), JSON.stringify({ privateKey, address }), { mode: 0o600 })

afterAll(async () => {
  await bench.stop()
  await alone.stop()
  await rm(directory, { recursive: true })
})

/** Of an address of its own, since both benches may have one chain. */
let saltNonce = 0n
const walletOn = ({ chain, manifest: of }: typeof bench) =>
  createWallet({ ...onSandbox(chain.url, of), stop: chain.stop }, { saltNonce: ++saltNonce })

const nonceOf = async (
  { service }: typeof bench,
  wallet: string,
  ...more: ReadonlyArray<string>
): Promise<string> => {
  const { code, stderr } = await runHere(
    ["wallet", "bind", wallet, ...more, "--yes", "--out", at("asked.json")],
    { FUNDING_URL: service.url, FUNDING_KEY_FILE: at("owner.json"), FUNDING_STATE_DIR: at("state") }
  )
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(await readFile(at("asked.json"), "utf8")).typedData.message.nonce
}

it("goes on with what was asked by the same manifest, and with nothing that was asked by another", async () => {
  const wallet = await walletOn(bench)
  const nonceBy = (manifestId: string) => nonceOf(bench, wallet.address, "--manifest", manifestId)
  const [first, other] = [await nonceBy(manifest.id), await nonceBy(another.id)]
  assert.notStrictEqual(other, first)
  assert.deepStrictEqual([await nonceBy(manifest.id), await nonceBy(another.id)], [first, other])
})

it("goes on with what an older program asked, which named no manifest, where there is one alone", async () => {
  const nonce = `0x${"7e".repeat(32)}`
  const asked = { nonce, expiresAt: String(Math.floor(Date.now() / 1000) + 300) }
  const keptFor = async (of: typeof bench): Promise<string> => {
    const { audience } = await (await fetch(`${of.service.url}/api/v1/capabilities`)).json()
    const connection = { baseUrl: of.service.url, capabilities: { audience } }
    const wallet = await walletOn(of)
    const terminal = { env: { FUNDING_STATE_DIR: at("state") }, note: () => undefined }
    const work = ["bind", wallet.address.toLowerCase()]
    const places = keptPlaces(connection, `eip155:31337:${address.toLowerCase()}`, ...work)
    await pendingWork(terminal, places).keep(asked)
    return wallet.address
  }
  assert.strictEqual(await nonceOf(alone, await keptFor(alone)), nonce)
  assert.notStrictEqual(await nonceOf(bench, await keptFor(bench), "--manifest", manifest.id), nonce)
})
