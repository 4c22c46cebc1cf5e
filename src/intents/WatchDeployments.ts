/** Looks at recorded deployments until their blocks are final: a reorganisation takes them back, and brings them back where they are mined again. */
import { Effect, Either, Layer, Schedule } from "effect"
import { type Block, type BlockListing, ChainClient } from "../chain/ChainClient.ts"
import {
  blockListing,
  chainProof,
  latestBlock,
  type TaggedBlock,
  taggedBlock,
  toldBlock
} from "../chain/Reads.ts"
import { type CountingRounds, countingRounds } from "../telemetry/Rounds.ts"
import { launchOn } from "./DeploymentProof.ts"
import { DeploymentStore, type WatchedDeployment } from "./DeploymentStore.ts"
import { IntentStore } from "./IntentStore.ts"
import { proveDeployment } from "./ProveDeployment.ts"

const INTERVAL = "10 seconds"
const AT_ONCE = 4
/** Where a node serves no finality tags, this many confirmations end the watch. */
const FINAL_CONFIRMATIONS = 256n

interface Heads {
  readonly latest: Block
  readonly finalized: TaggedBlock
}

const isFinal = ({ blockNumber }: WatchedDeployment, { latest, finalized }: Heads): boolean => {
  const number = BigInt(blockNumber)
  if (finalized !== null) return (toldBlock(finalized)?.number ?? -1n) >= number
  return latest.number - number + 1n >= FINAL_CONFIRMATIONS
}

const proveAnew = Effect.fnUntraced(function* ({ intentId, chainId, transactionHash }: WatchedDeployment) {
  const { envelope } = yield* (yield* IntentStore).find(intentId)
  const launch = launchOn(chainId, envelope)
  return launch === undefined
    ? yield* Effect.dieMessage("a deployment on a chain that its intent has not")
    : yield* proveDeployment(launch, transactionHash)
})

/** A node that lacks the block, or does not list the transaction in it, is behind or lies: that proves nothing. */
const settle = Effect.fnUntraced(function* (
  seen: WatchedDeployment,
  canonical: BlockListing | null,
  heads: Heads
) {
  const store = yield* DeploymentStore
  if (canonical === null) return
  if (canonical.hash === seen.blockHash) {
    const isListed = canonical.transactions?.has(seen.transactionHash) ?? true
    return isListed ? yield* store.keep(seen, isFinal(seen, heads)) : undefined
  }
  const proof = yield* Effect.either(proveAnew(seen))
  yield* Either.isRight(proof) ? store.move(seen, proof.right) : store.displace(seen)
})

const lookAt = Effect.fn("WatchDeployments.chain")(function* (
  chainId: number,
  watched: ReadonlyArray<WatchedDeployment>
) {
  const { answers } = yield* (yield* ChainClient).begin(chainId, [
    chainProof(chainId),
    latestBlock(chainId),
    taggedBlock(chainId, "finalized"),
    ...watched.map(({ blockNumber }) => blockListing(BigInt(blockNumber)))
  ])
  const [, latest, finalized, ...blocks] = answers
  const heads = { latest, finalized }
  yield* Effect.forEach(watched, (seen, index) => settle(seen, blocks[index] ?? null, heads), {
    concurrency: AT_ONCE,
    discard: true
  })
})

export const watchDeployments = Effect.gen(function* () {
  const due = yield* (yield* DeploymentStore).claimDue
  const chainIds = new Set(due.map(({ chainId }) => chainId))
  yield* Effect.forEach(
    chainIds,
    chainId =>
      Effect.catchAll(
        lookAt(
          chainId,
          due.filter(seen => seen.chainId === chainId)
        ),
        ({ _tag }) =>
          Effect.annotateLogs(Effect.logDebug("deployments were not looked at"), { chainId, code: _tag })
      ),
    { concurrency: AT_ONCE, discard: true }
  )
})

const roundOf = (counting: CountingRounds) =>
  counting(watchDeployments).pipe(
    Effect.catchAll(({ _tag }) => Effect.logWarning("deployments of intents wait for the next look", _tag)),
    Effect.catchAllDefect(defect => Effect.logError("deployments of intents cannot be looked at", defect))
  )

export const deploymentWatch = Layer.scopedDiscard(
  Effect.flatMap(countingRounds("deployments"), counting =>
    Effect.forkScoped(Effect.repeat(roundOf(counting), Schedule.spaced(INTERVAL)))
  )
)
