/** The protocol room over the pinned catalog and a scripted chain. */
import { Effect, Layer, Schema } from "effect"
import { Catalog } from "../../../src/catalog/Catalog.ts"
import { ReadQuery, ResolveQuery } from "../../../src/protocol/ProtocolSchemas.ts"
import { ReadContract } from "../../../src/protocol/ReadContract.ts"
import { ResolveContract } from "../../../src/protocol/ResolveContract.ts"
import { RuntimePins } from "../../../src/protocol/RuntimePins.ts"
import { type Script, scriptedChain, type Traffic } from "./ScriptedChain.ts"

const core = (name: string) => `@bananapus/core-v6:src/${name}.sol:${name}`

export const CONTROLLER = core("JBController")
export const DIRECTORY = core("JBDirectory")
export const TOKEN = core("JBERC20")
export const TOKENS = core("JBTokens")
export const TERMINAL = core("JBMultiTerminal")
export const BUYBACK = "@bananapus/buyback-hook-v6:src/JBBuybackHook.sol:JBBuybackHook"

export const pinnedCatalog = Catalog.layer({ directory: "schema/protocol" })

export const published = Effect.fn("published")(function* (contractId: string, retired = false) {
  const found = (yield* Catalog).deployments(1, contractId).find(row => row.retired === retired)
  return yield* Effect.fromNullable(found)
})

const rooms = Layer.merge(ResolveContract.layer, ReadContract.layer)

export const roomsOver = (
  script: Script,
  traffic?: Traffic,
  pins: Layer.Layer<RuntimePins> = RuntimePins.none
) => rooms.pipe(Layer.provide(scriptedChain(script, traffic)), Layer.provide(pins))

export interface Setting {
  readonly script?: Script
  readonly traffic?: Traffic
  readonly pins?: Layer.Layer<RuntimePins>
}

const resolveQuery = Schema.decodeSync(ResolveQuery)
const readQuery = Schema.decodeSync(ReadQuery)

export const resolve = (
  query: Partial<typeof ResolveQuery.Encoded>,
  { script = {}, traffic, pins }: Setting = {}
) =>
  Effect.flatMap(ResolveContract, room =>
    room.resolve(resolveQuery({ chainId: "1", contractId: CONTROLLER, ...query }))
  ).pipe(Effect.provide(roomsOver(script, traffic, pins)))

export const read = (
  query: Partial<typeof ReadQuery.Encoded>,
  { script = {}, traffic, pins }: Setting = {}
) =>
  Effect.flatMap(ReadContract, room =>
    room.read(
      readQuery({ chainId: "1", contractId: CONTROLLER, function: "PROJECTS()", args: "[]", ...query })
    )
  ).pipe(Effect.provide(roomsOver(script, traffic, pins)))
