/** A bundler and its paymaster on a sandbox chain: a worker starts one, keeps it for all its files, and takes it along when it ends. */
import { createPublicClient, type Hex, http } from "viem"
import { createBundlerClient } from "viem/account-abstraction"
import { foundry } from "viem/chains"
import { type RunningBundler, runBundler } from "../../../sandbox/bundler/Run.ts"
import { onSandbox, type Sandbox } from "../../sandbox/support/Sandbox.ts"
import { builtProgram } from "../../support/BuiltProgram.ts"
import { keptProgram } from "../../support/KeptProgram.ts"
import { sandboxChainAfter } from "../../support/SandboxChain.ts"

export interface Bundling {
  readonly sandbox: Sandbox
  readonly bundler: RunningBundler
}

export const preload = () => builtProgram("sandbox/bundler/loopback.ts")

/** The bundler as one file starts with a third of the work that its package's many take. */
const bundlerPrograms = async () => ({
  preload: await preload(),
  program: await keptProgram("node_modules/@pimlico/alto/esm/cli/alto.js")
})

export const startBundler = async (rpcUrl: string): Promise<RunningBundler> =>
  runBundler({ rpcUrl, ...(await bundlerPrograms()), port: 0, paymasterPort: 0 })

/** On which a bundler ran before: it creates the contracts by which it simulates one after the other. */
export const startBundledChain = sandboxChainAfter("bundled", async url => {
  const { stop } = await startBundler(url)
  await stop()
})

const start = async (): Promise<Bundling> => {
  const { url, manifest, stop } = await startBundledChain()
  const bundler = await startBundler(url)
  return { sandbox: { ...onSandbox(url, manifest), stop }, bundler }
}

let started: Promise<Bundling> | undefined

export const bundling = (): Promise<Bundling> => {
  started ??= start()
  return started
}

/** By the library's own client, which knows nothing of this project. */
export const bundlerClient = ({ sandbox, bundler }: Bundling) =>
  createBundlerClient({
    chain: foundry,
    client: createPublicClient({ chain: foundry, transport: http(sandbox.url), pollingInterval: 50 }),
    transport: http(bundler.url),
    pollingInterval: 50
  })

export const asked = async (url: string, method: string, params: ReadonlyArray<unknown>) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  return answer.json()
}

export const quantity = (value: bigint): Hex => `0x${value.toString(16)}`
