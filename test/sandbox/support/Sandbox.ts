/** A running sandbox chain and the accounts that act on it. */
import { type Address, createTestClient, type Hex, http, publicActions, walletActions } from "viem"
import { foundry } from "viem/chains"
import { developmentAccount } from "../../../sandbox/DevelopmentAccounts.ts"
import type { SandboxManifest } from "../../../sandbox/deploy.ts"
import { startSandboxChain } from "../../support/SandboxChain.ts"
import { abi } from "./abi.ts"

export const owner = developmentAccount(0)
export const holder = developmentAccount(1)
export const beneficiary = developmentAccount(2)
export const stranger = developmentAccount(3)

const POLL_MILLIS = 5

type Client = ReturnType<typeof connect>

/** viem waits for a further block where the chain shows a block before its receipts. */
const receiptOf = async (client: Client, hash: Hex): ReturnType<Client["getTransactionReceipt"]> => {
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined) return receipt
    await new Promise(resolve => setTimeout(resolve, POLL_MILLIS))
  }
}

const connect = (url: string) =>
  createTestClient({ mode: "anvil", chain: foundry, transport: http(url), pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)

export const onSandbox = (url: string, manifest: SandboxManifest) => {
  const client = connect(url)
  const at = (name: string): Address => {
    const deployment = manifest.deployments.find(({ alias }) => alias === name)
    if (deployment === undefined) throw new Error(`no ${name} in the sandbox`)
    return deployment.address
  }
  return {
    url,
    manifest,
    client,
    at,
    contract: (name: string) => ({ address: at(name), abi }),
    mined: async (hash: Promise<Hex>) => {
      const receipt = await receiptOf(client, await hash)
      if (receipt.status !== "success") throw new Error(`${receipt.transactionHash} reverted`)
      return receipt
    },
    pass: async (seconds: number) => {
      await client.increaseTime({ seconds })
      await client.mine({ blocks: 1 })
    }
  }
}

export const startSandbox = async () => {
  const { stop, url, manifest } = await startSandboxChain()
  return { ...onSandbox(url, manifest), stop }
}

/** What tests do on a sandbox, whoever started it. */
export type Acting = ReturnType<typeof onSandbox>

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>
