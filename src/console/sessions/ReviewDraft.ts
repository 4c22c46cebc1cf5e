/** Has the service compile what was asked for, and compares its bytes with what is computed here. */
import type { BotGrant } from "../../accounts/Account.ts"
import { policyAskedFor } from "../../client/SessionPolicy.ts"
import { exact, row } from "../../review/Words.ts"
import { compiledHashOf } from "../../sessions/Compile.ts"
import type { SessionReview } from "../../sessions/Session.ts"
import type { SessionInput } from "../../sessions/SessionInput.ts"
import type { Seat } from "../app/Seat.ts"
import { policyDifferences } from "./PolicyDifferences.ts"
import type { WalletChoice } from "./SessionChoices.ts"
import { handOver } from "./SessionDesk.ts"

interface AskedReview {
  readonly choice: WalletChoice
  readonly bot: BotGrant
  readonly input: SessionInput
  /** Whether its time begins with its preparation. */
  readonly isAtOnce: boolean
}

export interface ReviewedSession extends AskedReview {
  readonly review: SessionReview
  readonly dangers: ReadonlyArray<string>
  /** One preparation, however often it is asked for. */
  readonly once: { key: string; input?: SessionInput }
}

const NOTHING_COMPILED = "The service compiled nothing of it."
const OTHER_GUARD = "Another contract than the wallet's guard would enforce it."
const OTHER_HASH = "Its compiled hash is of other bytes than those that are shown."

const dangersIn = (
  { choice, bot, input }: AskedReview,
  { compiled }: SessionReview
): ReadonlyArray<string> => {
  if (compiled === undefined) return [NOTHING_COMPILED]
  const { guard, encodedPolicy, compiledHash } = compiled
  const { chainId, address: account } = choice.binding.wallet
  const asked = policyAskedFor({ ...input, chainId, sessionKey: bot.botAddress }, choice.manifest)
  return [
    ...policyDifferences(asked, encodedPolicy),
    ...(guard === choice.manifest.pins.guard?.address ? [] : [OTHER_GUARD]),
    ...(compiledHashOf({ chainId, guard, account }, encodedPolicy) === compiledHash ? [] : [OTHER_HASH])
  ]
}

const aboutRows = ({ choice, bot }: AskedReview) => [
  row("wallet", exact(choice.binding.wallet.address)),
  row("key", exact(bot.botAddress))
]

export const reviewDraft = async ({ desk }: Seat, asked: AskedReview): Promise<ReviewedSession> => {
  const review = await desk.about(aboutRows(asked), ({ owner }) => owner.sessions.review(asked.input))
  return { ...asked, review, dangers: dangersIn(asked, review), once: { key: crypto.randomUUID() } }
}

const MARGIN_SECONDS = 30

/** To the page of what was prepared. */
export const prepareReviewed = async ({ desk, go }: Seat, reviewed: ReviewedSession): Promise<void> => {
  const { input, isAtOnce, once } = reviewed
  const validAfter = isAtOnce ? desk.owner.clock.seconds() - MARGIN_SECONDS : input.validAfter
  once.input ??= { ...input, validAfter }
  const asked = once.input
  const { session } = await desk.about(aboutRows(reviewed), ({ owner }) =>
    owner.sessions.prepare(asked, { idempotencyKey: once.key })
  )
  handOver(desk, session)
  go(`/console/sessions/${session.id}`)
}
