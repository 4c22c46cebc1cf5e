/** A challenge that waits for owners is of one manifest: by another one the same wallet is asked about anew. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { testKey } from "../signatures/TestKeys.ts"
import { changed, manifest } from "../smartaccounts/support/Inspections.ts"
import { startWalletBench } from "../smartaccounts/support/WalletService.ts"
import { createWallet } from "../smartaccounts/support/Wallets.ts"
import { runHere } from "./support/InProcess.ts"

const another = changed({ id: "another" })
const bench = await startWalletBench([manifest, another])
const directory = await mkdtemp(join(tmpdir(), "wallet-bind-"))
const at = (name: string) => join(directory, name)

afterAll(async () => {
  await bench.stop()
  await rm(directory, { recursive: true })
})

it("goes on with what was asked by the same manifest, and with nothing that was asked by another", async () => {
  const { privateKey, address } = testKey("execution vector owner 1")
  await writeFile(at("owner.json"), JSON.stringify({ privateKey, address }), { mode: 0o600 })
  const wallet = await createWallet(
    { ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop },
    {}
  )
  const nonceBy = async (manifestId: string): Promise<string> => {
    const { code, stderr } = await runHere(
      ["wallet", "bind", wallet.address, "--manifest", manifestId, "--yes", "--out", at("asked.json")],
      { FUNDING_URL: bench.service.url, FUNDING_KEY_FILE: at("owner.json"), FUNDING_STATE_DIR: at("state") }
    )
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(await readFile(at("asked.json"), "utf8")).typedData.message.nonce
  }
  const [first, other] = [await nonceBy(manifest.id), await nonceBy(another.id)]
  assert.notStrictEqual(other, first)
  assert.deepStrictEqual([await nonceBy(manifest.id), await nonceBy(another.id)], [first, other])
})
