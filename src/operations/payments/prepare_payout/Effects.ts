/**
 * Payouts to a project's splits and owner; one that came back leaves the whole in doubt. Free: ruleset, cycle, owner, fee and leftover,
 * which have to add up. A fee that was held or came back is shown: `SendPayouts` tells both as if they were paid.
 */

import { Either, Schema } from "effect"
import { sha256 } from "../../../catalog/Abi.ts"
import type { RawLog } from "../../../chain/ChainClient.ts"
import { FORWARDER, MULTI_TERMINAL } from "../../../effects/Contracts.ts"
import type { Emitter, EventFields } from "../../../effects/Events.ts"
import {
  between,
  doubted,
  eventsAbout,
  exactlyOne,
  is,
  none,
  type Verdict
} from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { type EffectProof, predicate, type Scene } from "../../../effects/Predicate.ts"
import { isQueued } from "../../../effects/QueuedPayment.ts"
import { canonicalJson } from "../../../values/CanonicalJson.ts"
import type { Address } from "../../../values/Scalars.ts"

const MAXIMUM_ROWS = 8

/** A part of nothing tells nothing. */
const rows = (payouts: ReadonlyArray<EventFields>): ReadonlyArray<EventFields> => {
  const event = "SendPayoutToSplit"
  const all = payouts
    .filter(({ amount }) => amount !== "0")
    .map(({ split, amount, netAmount }) => ({ event, split, amount, netAmount }))
  if (all.length <= MAXIMUM_ROWS) return all
  return [{ event, count: String(all.length), sha256: sha256(canonicalJson(all)) }]
}

const INTEGER = /^[0-9]+$/

const integer = (value: unknown): bigint => (INTEGER.test(String(value)) ? BigInt(String(value)) : 0n)

const sum = (amounts: ReadonlyArray<unknown>): bigint =>
  amounts.reduce((total: bigint, amount) => total + integer(amount), 0n)

/** Each part less its fee, the owner's too: a part that did not arrive tells nothing as its net amount. */
const addsUp = (sent: EventFields, payouts: ReadonlyArray<EventFields>): Verdict<void> => {
  const arrived = sum([sent.netLeftoverPayoutAmount, ...payouts.map(({ netAmount }) => netAmount)])
  return arrived + integer(sent.fee) === integer(sent.amountPaidOut)
    ? Either.void
    : doubted("what was paid and the fee do not add up to what left the project")
}

const FEES = ["HoldFee", "FeeReverted"] as const

/** `HoldFee` names what owes the fee and a percentage. */
const feeEvents = (
  emitter: Emitter,
  event: (typeof FEES)[number],
  projectId: string,
  caller: Address,
  logs: ReadonlyArray<RawLog>
): EffectProof =>
  Either.map(eventsAbout(logs, { emitter, event, about: { projectId, caller } }), found =>
    found.map(({ token, amount }) => ({ event, token, amount }))
  )

const BESIDE =
  "the forwarder executed several of the wallet's requests here, and a payout of nothing tells no event: this one may be another's"

/** A payout of which nothing is left succeeds and tells nothing, and the event names no token. */
const isAlone = ({ account, logs, published }: Scene<unknown>): Verdict<void> =>
  Either.flatMap(
    Either.all(
      published(FORWARDER).map(emitter =>
        eventsAbout(logs, { emitter, event: "ExecutedForwardRequest", about: { signer: account } })
      )
    ),
    executed => (executed.flat().length > 1 ? doubted(BESIDE) : Either.void)
  )

const sendPayouts = predicate({
  name: "send_payouts",
  contractId: MULTI_TERMINAL,
  signature: "sendPayoutsOf(uint256,address,uint256,uint256,uint256)",
  args: Schema.Struct({
    projectId: Schema.String,
    amount: Schema.String,
    minTokensPaidOut: Schema.String
  }),
  witnesses: [FORWARDER],
  judge: scene =>
    Either.gen(function* () {
      const { args, account, target, logs } = scene
      const { projectId, amount, minTokensPaidOut } = args
      yield* isAlone(scene)
      const sent = yield* exactlyOne(logs, {
        emitter: target,
        event: "SendPayouts",
        about: { projectId, caller: account },
        says: { amount: is(amount), amountPaidOut: between(minTokensPaidOut) },
        shows: ["projectId", "amount", "amountPaidOut", "fee", "netLeftoverPayoutAmount"]
      })
      for (const event of ["PayoutReverted", "PayoutTransferReverted"])
        yield* none(
          logs,
          { emitter: target, event, about: { projectId } },
          "a payout came back to the project"
        )
      if (isQueued(logs)) return yield* doubted("a gateway keeps the money of a split's payment that failed")
      const payouts = yield* eventsAbout(logs, {
        emitter: target,
        event: "SendPayoutToSplit",
        about: { projectId, caller: account }
      })
      yield* addsUp(sent, payouts)
      const fees = yield* Either.all(FEES.map(event => feeEvents(target, event, projectId, account, logs)))
      return [sent, ...rows(payouts), ...fees.flat()]
    })
})

export const preparePayoutEffects = planEffects({
  "JBMultiTerminal.sendPayoutsOf(uint256,address,uint256,uint256,uint256)": sendPayouts
})
