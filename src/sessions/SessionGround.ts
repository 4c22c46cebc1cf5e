/** What a session rests on at one block: its wallet as it is bound, what the guard says of it, and the code of what it may call. */
import { Effect } from "effect"
import { ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { code } from "../chain/PinnedReads.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { type BoundWallet, boundWalletAt } from "../smartaccounts/BoundWallet.ts"
import { SmartAccountUnsupported } from "../smartaccounts/refusals.ts"
import type { GuardSession } from "../smartaccounts/SmartAccount.ts"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import type { Evidence } from "../values/Evidence.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { AskedSession } from "./AskedSession.ts"
import { InvalidSession, SessionTargetUnreviewed } from "./refusals.ts"

const DAY_SECONDS = 86_400
const EARLY_SECONDS = 60

export interface SessionGround {
  readonly wallet: BoundWallet
  readonly administration: GuardSession
  readonly evidence: Evidence
}

const checkTime = ({ input: { validAfter } }: AskedSession, { timestamp }: Evidence) => {
  const head = Number(timestamp)
  return validAfter < head - EARLY_SECONDS || validAfter > head + DAY_SECONDS
    ? new InvalidSession({
        context: {
          path: "validAfter",
          expected: `from ${head - EARLY_SECONDS} to ${head + DAY_SECONDS}, which is ${EARLY_SECONDS} seconds before the chain's head to a day after it`
        }
      })
    : Effect.void
}

/** Side by side with the inspection, in its round trip. */
const targetCodes = (session: ChainSession, at: Bytes32, { actions }: AskedSession) =>
  session.all(actions.map(({ target }) => code(target, at)))

const checkTargets = ({ actions }: AskedSession, hashes: ReadonlyArray<Bytes32>) => {
  const index = actions.findIndex(({ codeHash: reviewed }, position) => hashes[position] !== reviewed)
  return index < 0
    ? Effect.void
    : new SessionTargetUnreviewed({
        context: { path: `actions[${index}]`, address: actions[index]?.target, check: "code" }
      })
}

/** Two round trips: the head, then all that is looked at there. */
export const sessionGround = Effect.fn("SessionGround.look")(function* (asked: AskedSession) {
  const { binding } = asked
  const snapshot = yield* (yield* ChainClient).snapshot(binding.chainId)
  const evidence = evidenceOf(snapshot.block)
  yield* checkTime(asked, evidence)
  const session = batched(snapshot.session)
  const [inspected, codes] = yield* eachAtOnce([
    boundWalletAt({ session, evidence }, binding),
    targetCodes(session, snapshot.block.hash, asked)
  ])
  const wallet = yield* inspected
  yield* checkTargets(asked, (yield* codes).map(codeHash))
  const { session: administration } = wallet.inspection
  if (administration === undefined)
    return yield* new SmartAccountUnsupported({ context: { check: "session" } })
  const ground: SessionGround = { wallet, administration, evidence }
  return ground
})
