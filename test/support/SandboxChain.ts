/** A local chain with the sandbox's contracts and those of smart accounts: a worker deploys them once, and loads what came of it into every chain. */
import { rmSync } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { type Hex, hexToBytes } from "viem"
import { assert } from "vitest"
import { deploySandbox, type SandboxManifest } from "../../sandbox/deploy.ts"
import { installedCodes } from "../../sandbox/execution/Packages.ts"
import { placeStack } from "../../sandbox/execution/place.ts"
import { type Anvil, KEEPING_STATES, startAnvil } from "./Anvil.ts"
import { rpc } from "./Rpc.ts"

export interface SandboxChain extends Anvil {
  readonly manifest: SandboxManifest
}

interface Deployed {
  readonly manifest: SandboxManifest
  /** The file that a node begins with: all up to the block before the last. */
  readonly state: string
  /** Sent to each chain anew, so that its head is as young as after a deployment. */
  readonly lastTransaction: Hex
}

/** As nodes read it, for as long as this process lives: a node that begins with it has half the work of one that is told it. */
const keptState = async (dumped: Hex): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-state-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, "state.json")
  await writeFile(file, gunzipSync(hexToBytes(dumped)))
  return file
}

const deploy = async (): Promise<Deployed> => {
  const { url, stop } = await startAnvil()
  try {
    const manifest = await deploySandbox(url)
    const { transactions } = await rpc(url, "eth_getBlockByNumber", ["latest", false])
    const lastTransaction = await rpc(url, "eth_getRawTransactionByHash", transactions)
    await rpc(url, "anvil_rollback", [1])
    const codes = installedCodes()
    if (codes !== undefined) await placeStack(url, codes)
    return { manifest, lastTransaction, state: await keptState(await rpc(url, "anvil_dumpState")) }
  } finally {
    await stop()
  }
}

let deployment: Promise<Deployed> | undefined

export const startSandboxChain = async (): Promise<SandboxChain> => {
  deployment ??= deploy()
  const { manifest, state, lastTransaction } = await deployment
  const chain = await startAnvil({ args: [...KEEPING_STATES, "--load-state", state] })
  const { status } = await rpc(chain.url, "eth_sendRawTransactionSync", [lastTransaction])
  assert.strictEqual(status, "0x1")
  return { ...chain, manifest }
}
