/** Reads at one block of a real sandbox chain, each of which a test may break by itself. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import { Catalog } from "../../../src/catalog/Catalog.ts"
import { type Answers, ChainClient, type ChainSession, type Read } from "../../../src/chain/ChainClient.ts"
import { ChainClientLive } from "../../../src/chain/ChainClientLive.ts"
import type { RpcFailure } from "../../../src/chain/refusals.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { Settings } from "../../../src/settings/Settings.ts"
import { startSandbox } from "../../sandbox/support/Sandbox.ts"
import { startRecordingProxy } from "../../support/RecordingProxy.ts"
import { chainSettings } from "../../support/Sandbox.ts"
import { testSettings } from "../../support/Settings.ts"

type Reads = ReadonlyArray<Read<unknown>>

/** A read in the words of its request. */
export const wordsOf = ({ method, params }: Pick<Read<unknown>, "method" | "params">): string =>
  JSON.stringify([method, params[0]]).toLowerCase()

export interface Breaker {
  /** What was asked, in order, since it was last forgotten. */
  asked: Array<string>
  breaks: (read: string) => boolean
}

const NODE_ERROR = { code: -32_000, data: undefined }

/** The node's error, as the read itself understands it. */
const broken = <A>(read: Read<A>): Read<A> => ({
  ...read,
  decode: result => {
    const meaning = read.onNodeError?.(NODE_ERROR)
    return meaning === undefined
      ? read.decode(Symbol("not an answer"))
      : { ...read.decode(result), right: meaning }
  }
})

const breakable = (session: ChainSession, breaker: Breaker): ChainSession => {
  function all<const R extends Reads>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: Reads): Effect.Effect<ReadonlyArray<unknown>, RpcFailure> {
    breaker.asked.push(...reads.map(wordsOf))
    return session.all(reads.map(read => (breaker.breaks(wordsOf(read)) ? broken(read) : read)))
  }
  return { ...session, all }
}

const clientWith = (breaker: Breaker) =>
  Layer.effect(
    ChainClient,
    Effect.map(ChainClient, client => ({
      ...client,
      snapshot: (chainId: number, at?: bigint) =>
        Effect.map(client.snapshot(chainId, at), ({ session, block }) =>
          client.snapshotOf(breakable(session, breaker), block)
        )
    }))
  ).pipe(Layer.provide(ChainClientLive))

export const startPinnedSandbox = async () => {
  const sandbox = await startSandbox()
  const proxy = await startRecordingProxy({ upstream: sandbox.url })
  const directory = await mkdtemp(join(tmpdir(), "projects-"))
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(sandbox.manifest))
  const breaker: Breaker = { asked: [], breaks: () => false }
  const settings = testSettings({ chains: chainSettings(proxy.url) })
  const fresh = () =>
    ManagedRuntime.make(
      PinnedContracts.layer.pipe(
        Layer.provideMerge(clientWith(breaker)),
        Layer.provideMerge(Catalog.layer({ directory: "schema/protocol", overlays: [overlay] })),
        Layer.provide(Layer.succeed(Settings, settings))
      )
    )
  const runtime = fresh()
  return {
    sandbox,
    proxy,
    breaker,
    runtime,
    /** With nothing learned of the chain yet. */
    fresh,
    stop: async () => {
      await runtime.dispose()
      await proxy.stop()
      await sandbox.stop()
      await rm(directory, { recursive: true })
    }
  }
}

export type PinnedSandbox = Awaited<ReturnType<typeof startPinnedSandbox>>
