/** A session at the block at which an operation under it is prepared or sent, looked at side by side with all else that is. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { code } from "../chain/PinnedReads.ts"
import { blockByNumber, taggedBlock, toldBlock } from "../chain/Reads.ts"
import { FINAL_CONFIRMATIONS } from "../dispatch/SearchHeads.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { InspectionPlace } from "../smartaccounts/Inspect.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { Evidence } from "../values/Evidence.ts"
import type { Address } from "../values/Scalars.ts"
import { ZERO_HASH } from "./Compile.ts"
import { guardReads, type ToldByGuard } from "./GuardReads.ts"
import type { GuardGround } from "./GuardState.ts"
import type { SessionLook } from "./JudgeSession.ts"
import { blockBefore, earlierIn } from "./ObserveSession.ts"
import type { StoredSession } from "./SessionRow.ts"

/** Of the contracts that its policy knows by their code. */
const codesAt = Effect.fnUntraced(function* (
  session: ChainSession,
  { blockHash }: Evidence,
  { compiled: { policy } }: StoredSession,
  target: Address
) {
  const addresses = [target, policy.gas.paymaster]
  const codes = yield* session.all(addresses.map(address => code(address, blockHash)))
  return (address: Address) => {
    const found = codes[addresses.indexOf(address)]
    return found === undefined ? ZERO_HASH : codeHash(found)
  }
})

/** The final block, and the one that was looked at before, as the endpoint has them now. */
const blocksAt = Effect.fnUntraced(function* (
  session: ChainSession,
  { blockNumber, blockHash }: Evidence,
  stored: StoredSession
) {
  const { chainId } = session
  const deep = BigInt(blockNumber) - FINAL_CONFIRMATIONS + 1n
  const before = blockBefore(stored).number
  const [finalized, buried, seen] = yield* session.all([
    taggedBlock(chainId, "finalized"),
    blockByNumber(chainId, deep > 0n ? deep : 0n),
    blockByNumber(chainId, before)
  ])
  return {
    final: finalized === null && deep >= 0n ? buried : toldBlock(finalized),
    earlier: earlierIn(stored, {
      latest: { number: BigInt(blockNumber), hash: blockHash },
      places: new Map([[Number(before), seen]])
    })
  }
})

const guardAt = (
  session: ChainSession,
  { blockHash }: Evidence,
  { pins: { guard } }: SmartManifest,
  { wallet, compiled: { guard: own, permissionId } }: StoredSession
) =>
  guard === undefined || guard.address !== own
    ? Effect.succeed(Option.none<ToldByGuard>())
    : guardReads(session, blockHash, guard, { wallet, permissionId })

/** The look is none where the endpoint is behind what was seen before. */
export const sightOfSession = Effect.fnUntraced(function* (
  { session: asked, evidence }: InspectionPlace,
  manifest: SmartManifest,
  stored: StoredSession,
  target: Address
) {
  const session = batched(asked)
  const [guarded, codeHashOf, { final, earlier }] = yield* Effect.all(
    [
      guardAt(session, evidence, manifest, stored),
      codesAt(session, evidence, stored, target),
      blocksAt(session, evidence, stored)
    ],
    { concurrency: "unbounded" }
  )
  const told = Option.getOrUndefined(guarded)
  const ground: GuardGround = {
    chainId: stored.chainId,
    guard: stored.compiled.guard,
    account: stored.wallet,
    entryPoint: manifest.pins.entryPoint.address,
    adapter: manifest.pins.adapter.address,
    codeHashOf
  }
  /** Whoever goes on has found the wallet in its bound state. */
  const look: SessionLook | undefined = earlier && {
    told,
    isWalletBound: true,
    evidence,
    final,
    earlier,
    at: stored.now
  }
  return { ground, state: told?.state, look }
})

export type SightOfSession = Effect.Effect.Success<ReturnType<typeof sightOfSession>>
