/** Proves a target on a chain and makes the answer that rests on it. */
import { Effect } from "effect"
import { Catalog, type CatalogShape } from "../catalog/Catalog.ts"
import type { Block, Snapshot } from "../chain/ChainClient.ts"
import type { Address } from "../values/Scalars.ts"
import { evidenceOf } from "./BlockEvidence.ts"
import type { Inquiry } from "./Inquiry.ts"
import { investigate } from "./Investigation.ts"
import { inquire, type Proved } from "./Proof.ts"
import type { Resolution, ResolveQuery } from "./ProtocolSchemas.ts"
import { Recollection, type RecollectionShape } from "./Recollection.ts"
import { RuntimePins, type RuntimePinsShape } from "./RuntimePins.ts"
import type { Target } from "./Target.ts"

interface Means {
  readonly catalog: CatalogShape
  readonly pins: RuntimePinsShape
  readonly memory: RecollectionShape
}

const resolutionOf = (
  block: Block,
  { chainId, contractId }: ResolveQuery,
  { abiHash, address, provenance }: Proved
): Resolution => ({ chainId, contractId, address, abiHash, provenance, evidence: [evidenceOf(block)] })

const proveWith =
  ({ catalog, pins, memory }: Means) =>
  <B>(snapshot: Snapshot, query: ResolveQuery, target: Target, also: (address: Address) => Inquiry<B>) => {
    const { chainId } = query
    const ground = { catalog, pins, chainId, recall: memory.recall.bind(undefined, chainId) }
    const inquiry = inquire(ground, { query, target }, also)
    return Effect.map(Effect.flatten(investigate(snapshot, inquiry, memory)), ({ proved, also: more }) => ({
      resolution: resolutionOf(snapshot.block, query, proved),
      also: more
    }))
  }

export type Prove = ReturnType<typeof proveWith>

/** One for each room that resolves; what it remembers belongs to the process. */
export const makeProve = Effect.map(
  Effect.all({ catalog: Catalog, pins: RuntimePins, memory: Recollection }),
  proveWith
)
