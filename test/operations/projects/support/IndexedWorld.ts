/** The services of indexed operations over a source with a few rows, and over none. */
import { Effect, Either, Layer, ManagedRuntime } from "effect"
import { DatabaseUnavailable } from "../../../../src/database/refusals.ts"
import { Indexer } from "../../../../src/indexer/Indexer.ts"
import type { IntentItem } from "../../../../src/intents/Intent.ts"
import { type IntentQuery, IntentStore } from "../../../../src/intents/IntentStore.ts"
import type { Operation } from "../../../../src/operations/framework/Operation.ts"
import { PinnedContracts } from "../../../../src/protocol/PinnedContracts.ts"
import { CursorSigner } from "../../../../src/settings/CursorSigner.ts"
import type { AnyRefusal } from "../../../../src/values/Refusal.ts"
import { pinnedCatalog } from "../../../protocol/support/Protocol.ts"
import { scriptedChain } from "../../../protocol/support/ScriptedChain.ts"
import { type IndexedSource, startIndexedSource } from "../../../support/IndexedSource.ts"
import { indexedSettings } from "../../../support/Settings.ts"

export const OWNER = "0x00000000000000000000000000000000000000aa"
export const CHECKSUMMED = "0x00000000000000000000000000000000000000AA"
const HASH = `0x${"5c".repeat(32)}`
export const GROUP = "group-1"

const item = (deploymentVersion: string): IntentItem => ({
  source: "service",
  status: "undeployed",
  intentId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  contentHash: `0x${"5c".repeat(32)}`,
  format: "app.example/1",
  deploymentVersion,
  chainIds: [1],
  publisher: CHECKSUMMED,
  metadata: { name: "Seen", description: null, tagline: null, tags: [], logoUri: null, owner: null },
  createdAt: 1_700_000_000
})

/** What was searched for, and whether the store can be reached. */
interface Intents {
  readonly searched: Array<IntentQuery>
  held: boolean
}

const intentsOf = (intents: Intents) =>
  Layer.succeed(IntentStore, {
    publish: () => Effect.dieMessage("not part of these tests"),
    find: () => Effect.dieMessage("not part of these tests"),
    search: query => {
      intents.searched.push(query)
      const page = { items: [item("5"), item("6")], totalCount: 9, nextCursor: "2" }
      return intents.held ? Effect.succeed(page) : Effect.fail(new DatabaseUnavailable())
    }
  })

const worldOf = (intents: Intents, mainnetUrl: string | undefined, testnetUrl?: string) =>
  ManagedRuntime.make(
    Layer.mergeAll(
      intentsOf(intents),
      Indexer.layer({ directory: "schema/indexer", localChains: [] }),
      PinnedContracts.layer.pipe(Layer.provide(scriptedChain({})), Layer.provide(pinnedCatalog))
    ).pipe(
      Layer.provide(CursorSigner.layer),
      Layer.provide(indexedSettings({ mainnet: mainnetUrl, testnet: testnetUrl }))
    )
  )

type World = ReturnType<typeof worldOf>

export const answering = <R>(operation: Operation<R>, input: unknown, source?: "indexer") =>
  Effect.flatMap(Either.getOrThrow(operation.prepare(input))(source), answer =>
    Effect.succeed(JSON.parse(JSON.stringify(answer)))
  )

type Needed = Indexer | IntentStore | PinnedContracts

const project = (chainId: number, projectId: number, over: object = {}) => ({
  chainId,
  projectId,
  version: 6,
  id: `${chainId}-${projectId}`,
  owner: OWNER,
  creator: OWNER,
  deployer: OWNER,
  createdAt: 1_700_000_000 + projectId,
  suckerGroupId: `own-${chainId}-${projectId}`,
  name: `Name ${projectId}`,
  volume: "123456789012345678901234567890",
  ...over
})

const activity = (id: string, timestamp: number, over: object = {}) => ({
  id,
  chainId: 1,
  projectId: 7,
  version: 6,
  suckerGroupId: GROUP,
  timestamp,
  txHash: HASH,
  from: OWNER,
  ...over
})

const event = (id: string) => ({
  id,
  chainId: 1,
  projectId: 7,
  version: 6,
  suckerGroupId: GROUP,
  timestamp: 1_700_000_100,
  txHash: HASH,
  caller: OWNER,
  from: OWNER,
  logIndex: 1
})

const BLANKS: Readonly<Record<string, unknown>> = { Int: 0, BigInt: "0", Boolean: false, String: "" }

/** Rows that need to say no more than a test is about. */
const inserting =
  (source: IndexedSource) => (entity: string, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
    const columns = [...(source.model.get(entity)?.columns.values() ?? [])]
    const blank = columns.map(({ hex, list, name, nullable, type }) => {
      if (nullable) return [name, null] as const
      return [name, list ? [] : hex ? OWNER : (BLANKS[type] ?? null)] as const
    })
    return source.insert(
      entity,
      rows.map(row => ({ ...Object.fromEntries(blank), ...row }))
    )
  }

const fill = async (source: IndexedSource) => {
  const insert = inserting(source)
  await insert("project", [
    project(1, 7, { suckerGroupId: GROUP, name: "Seven Seas", handle: "seven" }),
    project(10, 9, { suckerGroupId: GROUP, name: "Sister" }),
    project(8453, 7, { name: "Seven Others" }),
    project(1, 8, { version: 5, name: "Seven of old" })
  ])
  await insert("suckerGroup", [
    { id: GROUP, version: 6, addresses: [OWNER], createdAt: 1_700_000_000, volumeUsd: "5" }
  ])
  await insert("participant", [
    {
      chainId: 1,
      projectId: 7,
      version: 6,
      address: OWNER,
      suckerGroupId: GROUP,
      createdAt: 1_700_000_050,
      balance: "9",
      creditBalance: "4",
      erc20Balance: "5"
    }
  ])
  await insert("payEvent", [
    {
      ...event("pay-1"),
      beneficiary: OWNER,
      amount: "10",
      amountUsd: "3",
      memo: "hi",
      newlyIssuedTokenCount: "1"
    }
  ])
  await insert("bridgeToOutboxEvent", [
    {
      ...event("out-1"),
      sucker: OWNER,
      peerChainId: 10,
      token: OWNER,
      beneficiary: `0x${"00".repeat(12)}${OWNER.slice(2)}`,
      projectTokenCount: "6",
      terminalTokenAmount: "2",
      index: 0,
      root: HASH
    }
  ])
  await insert("activityEvent", [
    activity("a-1", 1_700_000_100, { type: "payEvent", payEvent: "pay-1" }),
    activity("a-2", 1_700_000_200, { type: "bridgeToOutboxEvent", bridgeToOutboxEvent: "out-1" })
  ])
  await source.progress([{ name: "ethereum", chainId: 1, blockNumber: 77, blockTimestamp: 1_700_000_300 }])
}

export const startIndexedWorld = async () => {
  const source = await startIndexedSource()
  await fill(source)
  const intents: Intents = { searched: [], held: true }
  const world = worldOf(intents, source.url)
  const sourceless = worldOf(intents, undefined)
  return {
    source,
    insert: inserting(source),
    activity,
    event,
    world,
    sourceless,
    intents,
    /** Another process, which has not looked at the source yet. */
    another: () => worldOf(intents, source.url),
    /** The same source as that of the testnets, and none of the mainnets. */
    testnetAlone: () => worldOf(intents, undefined, source.url),
    ask: (operation: Operation<Needed>, input: unknown) => world.runPromise(answering(operation, input)),
    refused: (effect: Effect.Effect<unknown, AnyRefusal, Needed>, by: World = world) =>
      by.runPromise(Effect.map(Effect.flip(effect), ({ _tag }) => _tag)),
    /** What was asked beside the looks at the schema. */
    questions: () => source.requests.filter(request => !JSON.stringify(request).includes("__schema")),
    stop: async () => {
      await world.dispose()
      await sourceless.dispose()
      await source.stop()
    }
  }
}

export type IndexedWorld = Awaited<ReturnType<typeof startIndexedWorld>>
