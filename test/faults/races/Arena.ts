/** Several processes of the service over one database and one node, and the way to ask them all at once. */
import { rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { zeroAddress } from "viem"
import { sandboxContracts } from "../../../sandbox/contracts.ts"
import type { SandboxManifest } from "../../../sandbox/deploy.ts"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { testKey } from "../../signatures/TestKeys.ts"
import { builtProgram } from "../../support/BuiltProgram.ts"
import { ENDLESS_QUOTAS } from "../../support/EndlessQuotas.ts"
import type { Signer } from "../../support/FastSign.ts"
import { forwarderResults, INSTANT_CHAIN, instantManifest } from "../../support/InstantForwarder.ts"
import { type InstantProvider, instantProvider } from "../../support/InstantProvider.ts"
import { keptOpen } from "../../support/KeptOpen.ts"
import { close, listen } from "../../support/Listening.ts"
import { passableDirectory } from "../../support/PassableDirectory.ts"
import { freePort } from "../../support/Ports.ts"
import { startSandboxChain } from "../../support/SandboxChain.ts"
import { answerJson } from "../../support/WireFaults.ts"
import type { Chance } from "../crash/Chance.ts"
import { compiled } from "../crash/Compiled.ts"
import { leanHome } from "../crash/LeanHome.ts"
import { READY, type Running, started } from "../crash/Processes.ts"
import { openDatabase } from "../crash/World.ts"
import { type PromptBundler, startPromptBundler } from "../operating/PromptBundler.ts"
import { type Answer, asking } from "./Asking.ts"
import { type InstantNode, startInstantNode } from "./InstantNode.ts"
import { AUDIENCE, type Ready } from "./Signed.ts"

export const CHAIN = 8453

export interface Replica extends Running {
  readonly url: string
}

/** Where requests leave through a provider: a chain of its own, and who executes there. */
export interface Sponsoring {
  readonly node: InstantNode
  readonly provider: InstantProvider
}

/** Where wallets act by operations: a local chain in place of the one that sponsored requests are for. */
export interface Operating {
  readonly chainUrl: string
  readonly deployed: SandboxManifest
  readonly bundler: PromptBundler
}

export interface Arena {
  readonly node: InstantNode
  readonly sponsoring: Sponsoring
  readonly operating: Operating | undefined
  readonly sql: <Row>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly ask: (request: Ready, replica: number) => Promise<Answer>
  /** All at once, each to the next replica from a chosen one on. */
  readonly contest: (requests: ReadonlyArray<Ready>, chance: Chance) => Promise<ReadonlyArray<Answer>>
  readonly requests: () => number
  /** How many of them repeat one that was refused for a while. */
  readonly repeats: () => number
  readonly addresses: () => ReadonlyArray<string>
  readonly replicas: () => ReadonlyArray<Replica>
  /** Another process, of this program where it is not today's, which nobody asks yet. */
  readonly start: (program?: ReadonlyArray<string>) => Promise<Replica>
  /** What the processes logged as errors. */
  readonly errors: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

/** Another than an embedded server of the arena's own. */
export interface ArenaDatabase extends Pick<Arena, "sql"> {
  readonly databaseUrl: string
  readonly close: () => Promise<void>
}

export const signerOf = (label: string, chainId = CHAIN): Signer => {
  const key = testKey(label)
  return { key, chainId, accountId: `eip155:${chainId}:${key.address}` }
}

const served = async () => {
  const provider = instantProvider()
  const server = createServer(keptOpen, async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = provider.answer(request.url ?? "", Buffer.concat(chunks).toString())
    answerJson(response, JSON.stringify(answer))
  })
  return { provider, url: `http://127.0.0.1:${await listen(server)}`, stop: () => close(server) }
}

/** What the service has to know of it, too. */
const openSponsoring = async (directory: string) => {
  const node = await startInstantNode(INSTANT_CHAIN, forwarderResults)
  const { provider, url, stop } = await served()
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(instantManifest))
  const settings = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: node.url,
    SERVICE_SANDBOX_MANIFEST: overlay,
    SERVICE_PROVIDER_URL: url
  }
  return { sponsoring: { node, provider }, settings, close: () => Promise.all([node.stop(), stop()]) }
}

const openOperating = async (directory: string) => {
  const { manifest: deployed, ...chain } = await startSandboxChain()
  const bundler = await startPromptBundler(chain.url)
  const overlay = join(directory, "operated.json")
  const smartManifests = join(directory, "manifests.json")
  await writeFile(overlay, JSON.stringify(deployed))
  await writeFile(smartManifests, JSON.stringify({ manifests: [localManifest()] }))
  const settings = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: chain.url,
    SERVICE_SANDBOX_MANIFEST: overlay,
    SERVICE_SMART_MANIFESTS: smartManifests,
    [`SERVICE_BUNDLER_${INSTANT_CHAIN}`]: bundler.url
  }
  const operating: Operating = { chainUrl: chain.url, deployed, bundler }
  return { operating, settings, close: () => Promise.all([bundler.stop(), chain.stop()]) }
}

const settingsFor = (databaseUrl: string, node: InstantNode, directory: string) => ({
  SERVICE_PUBLIC_URL: AUDIENCE,
  SERVICE_DATA_DIR: directory,
  SERVICE_DATABASE_URL: databaseUrl,
  SERVICE_REVIEW_SECRET: "a-review-secret-of-the-races-32-bytes-and-more",
  [`SERVICE_RPC_${CHAIN}`]: node.url,
  [`SERVICE_CONFIRMATIONS_${CHAIN}`]: "1",
  SERVICE_PLAN_TTL_SECONDS: "900",
  ...ENDLESS_QUOTAS,
  SERVICE_LOG_LEVEL: "error"
})

/** For races processes that live long, or for hand-overs those that start fast. */
export type Pace = "long" | "short"

const SERVICE = "test/faults/crash/serviceMain.ts"

/** All that the races and the service itself know by name, wherever it may be deployed. */
const NAMED = sandboxContracts(zeroAddress)

const argsFor = async (pace: Pace, directory: string): Promise<ReadonlyArray<string>> => {
  if (pace === "long") return [await builtProgram(SERVICE)]
  const { args } = await compiled(SERVICE, join(directory, "program"))
  return [...args, await leanHome(join(directory, "home"), { deployments: NAMED })]
}

/** One process keeps what it has compiled by now for all later ones. */
const keepCode = async ({ tell }: Running, kept: Promise<void>) => {
  tell({ keepCode: true })
  await kept
}

const embedded = async (directory: string): Promise<ArenaDatabase> => {
  const scope = await Effect.runPromise(Scope.make())
  const { databaseUrl, client, sql } = await openDatabase(join(directory, "data"), scope)
  const close = async () => {
    await client.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return { databaseUrl, sql, close }
}

export const openArena = async (
  replicas: number,
  pace: Pace,
  isOperated = false,
  first?: ReadonlyArray<string>,
  given?: ArenaDatabase
): Promise<Arena> => {
  const directory = await passableDirectory("service-races-")
  const { databaseUrl, sql, close: closeDatabase } = given ?? (await embedded(directory))
  const node = await startInstantNode(CHAIN)
  const { sponsoring, settings: known, close: closeSponsoring } = await openSponsoring(directory)
  const beside = isOperated ? await openOperating(directory) : undefined
  const own = settingsFor(databaseUrl, node, join(directory, "service"))
  const settings = { ...own, ...known, ...beside?.settings }
  const args = await argsFor(pace, directory)
  const errors: Array<string> = []
  let keep = () => {}
  const kept = new Promise<void>(resolve => {
    keep = resolve
  })
  const ears = {
    message: () => keep(),
    line: (text: string) => {
      if (text.startsWith("{")) errors.push(text)
    }
  }
  const start: Arena["start"] = async (program = args) => {
    const [port, ops] = await Promise.all([freePort(), freePort()])
    const ports = { SERVICE_PORT: String(port), SERVICE_OPS_PORT: String(ops) }
    return {
      ...(await started(program, { ...settings, ...ports }, READY, ears)),
      url: `http://127.0.0.1:${port}`
    }
  }
  const running = await Promise.all(Array.from({ length: replicas }, () => start(first)))
  const [eldest] = running
  if (pace === "short" && first === undefined && eldest !== undefined) await keepCode(eldest, kept)
  return {
    node,
    sponsoring,
    operating: beside?.operating,
    sql,
    ...asking(running.map(({ url }) => url)),
    addresses: () => running.map(({ url }) => url),
    replicas: () => [...running],
    start,
    errors,
    stop: async () => {
      await Promise.all(running.map(replica => replica.kill()))
      await node.stop()
      await closeSponsoring()
      await beside?.close()
      await closeDatabase()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
