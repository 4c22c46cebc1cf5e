/** A local chain with the sandbox's contracts and those of smart accounts: they are deployed once, and what came of it is loaded into every chain. */
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
import { oncePerRun } from "./OncePerRun.ts"
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

/** For as long as this process lives. */
const ownDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-state-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** As nodes read it: a node that begins with it has half the work of one that is told it. */
const dumped = async (url: string, file: string): Promise<string> => {
  const state: Hex = await rpc(url, "anvil_dumpState")
  await writeFile(file, gunzipSync(hexToBytes(state)))
  return file
}

const deploy = async (file: string): Promise<Deployed> => {
  const { url, stop } = await startAnvil()
  try {
    const manifest = await deploySandbox(url)
    const { transactions } = await rpc(url, "eth_getBlockByNumber", ["latest", false])
    const lastTransaction = await rpc(url, "eth_getRawTransactionByHash", transactions)
    await rpc(url, "anvil_rollback", [1])
    const codes = installedCodes()
    if (codes !== undefined) await placeStack(url, codes)
    return { manifest, lastTransaction, state: await dumped(url, file) }
  } finally {
    await stop()
  }
}

const saved = async (name: string, make: (file: string) => Promise<Deployed>): Promise<Deployed> => {
  const text = await oncePerRun(`${name}.json`, async directory =>
    JSON.stringify(await make(join(directory ?? (await ownDirectory()), `${name}.state`)))
  )
  return JSON.parse(text)
}

const begun = ({ state }: Deployed): Promise<Anvil> =>
  startAnvil({ args: [...KEEPING_STATES, "--load-state", state] })

const startFrom = async (deployed: Deployed): Promise<SandboxChain> => {
  const chain = await begun(deployed)
  const { status } = await rpc(chain.url, "eth_sendRawTransactionSync", [deployed.lastTransaction])
  assert.strictEqual(status, "0x1")
  return { ...chain, manifest: deployed.manifest }
}

let deployment: Promise<Deployed> | undefined

const deployed = (): Promise<Deployed> => {
  deployment ??= saved("sandbox", deploy)
  return deployment
}

export const startSandboxChain = async (): Promise<SandboxChain> => startFrom(await deployed())

/** A chain on which something was done before its last block, also once; each call is of the same. */
export const sandboxChainAfter = (
  name: string,
  act: (url: string) => Promise<void>
): (() => Promise<SandboxChain>) => {
  const make = async (file: string): Promise<Deployed> => {
    const plain = await deployed()
    const { url, stop } = await begun(plain)
    try {
      await act(url)
      return { ...plain, state: await dumped(url, file) }
    } finally {
      await stop()
    }
  }
  let changed: Promise<Deployed> | undefined
  return async () => {
    changed ??= saved(name, make)
    return startFrom(await changed)
  }
}
