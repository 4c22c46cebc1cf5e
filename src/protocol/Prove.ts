/** Proves a target on a chain and makes the answer that rests on it. */
import { Effect, Either } from "effect"
import { Catalog, type CatalogShape } from "../catalog/Catalog.ts"
import { type Block, ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import type { Address } from "../values/Scalars.ts"
import { evidenceOf } from "./BlockEvidence.ts"
import type { Ground } from "./Ground.ts"
import { type Inquiry, leadsOf, settled } from "./Inquiry.ts"
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
  readonly chain: ChainClient["Type"]
}

const groundOf = ({ catalog, pins, memory }: Means, chainId: number): Ground => ({
  catalog,
  pins,
  chainId,
  recall: memory.recall.bind(undefined, chainId)
})

const resolutionOf = (
  block: Block,
  { chainId, contractId }: ResolveQuery,
  { abiHash, address, provenance }: Proved
): Resolution => ({ chainId, contractId, address, abiHash, provenance, evidence: [evidenceOf(block)] })

const proveWith =
  (means: Means) =>
  <B>(snapshot: Snapshot, query: ResolveQuery, target: Target, also: (address: Address) => Inquiry<B>) => {
    const inquiry = inquire(groundOf(means, query.chainId), { query, target }, also)
    const verdict = Effect.tap(investigate(snapshot, inquiry, means.memory), found =>
      Effect.sync(() => {
        if (Either.isLeft(found)) means.memory.blocks.forget(snapshot)
      })
    )
    return Effect.map(Effect.flatten(verdict), ({ proved, also: more }) => ({
      resolution: resolutionOf(snapshot.block, query, proved),
      also: more
    }))
  }

export type Prove = ReturnType<typeof proveWith>

/** What the first questions lead to comes as a guess with the block, where it was never seen; the proof asks it again. */
const snapshotFor = (means: Means) =>
  Effect.fnUntraced(function* (query: ResolveQuery, target: Target, at: bigint | undefined) {
    const { chainId } = query
    const { chain, memory } = means
    const ground = groundOf(means, chainId)
    const leads = leadsOf(inquire(ground, { query, target }, () => settled(undefined))).filter(
      request => ground.recall(request) === undefined
    )
    if (leads.length === 0) return yield* chain.snapshot(chainId, at)
    const { snapshot, guesses } = yield* chain.snapshotWith(chainId, at, leads)
    for (const [index, request] of leads.entries()) {
      const guess = guesses[index]
      if (guess !== undefined) memory.note(chainId, request, guess)
    }
    return snapshot
  })

/** One for each room that resolves; what it remembers belongs to the process. */
export const makeProving = Effect.map(
  Effect.all({ catalog: Catalog, pins: RuntimePins, memory: Recollection, chain: ChainClient }),
  means => ({ prove: proveWith(means), snapshotFor: snapshotFor(means) })
)
