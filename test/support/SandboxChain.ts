/** A local chain with the sandbox's contracts and those of smart accounts: a worker deploys them once, and loads what came of it into every chain. */
import type { Hex } from "viem"
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
  /** Of the block before the last. */
  readonly state: string
  /** Sent to each chain anew, so that its head is as young as after a deployment. */
  readonly lastTransaction: Hex
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
    return { manifest, lastTransaction, state: await rpc(url, "anvil_dumpState") }
  } finally {
    await stop()
  }
}

let deployment: Promise<Deployed> | undefined

export const startSandboxChain = async (): Promise<SandboxChain> => {
  deployment ??= deploy()
  const { manifest, state, lastTransaction } = await deployment
  const chain = await startAnvil({ args: KEEPING_STATES })
  await rpc(chain.url, "anvil_loadState", [state])
  const { status } = await rpc(chain.url, "eth_sendRawTransactionSync", [lastTransaction])
  assert.strictEqual(status, "0x1")
  return { ...chain, manifest }
}
