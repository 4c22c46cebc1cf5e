/** A revocation against an operation in flight: by the owners' own transaction, before it is claimed, sent, carried out, or beside that. */
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { revokeData } from "../../sessions/support/Guarded.ts"
import { ownersDo } from "../../smartaccounts/support/Inspections.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { carriedAt } from "../operating/Events.ts"
import { guardOn } from "../operating/SessionAudit.ts"
import { isOk, type Kind, type Race, refusedOnlyBy, unless } from "./Kinds.ts"
import { asked, inTurn, operatingIn, type Prepared, sending, timesSent } from "./OperationKinds.ts"
import { type Live, live, ownersOf, SESSIONS, use } from "./SessionKinds.ts"
import { newKey, ready } from "./Signed.ts"

const MOMENTS = ["asked", "asked", "sent", "sent", "carried", "carried"] as const
const LONGEST_MILLIS = 150
const VALUE = 1_000n
const LOOKS = 100
const LOOK_MILLIS = 100

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

const codes = [
  "SESSION_NOT_ACTIVE",
  "CONCURRENT_UPDATE",
  "USER_OPERATION_REFUSED",
  "USER_OPERATION_NONCE_CHANGED",
  "SMART_ACCOUNT_CHANGED"
]

/** Whichever comes first, what the guard counts is what the chain carried out, and that left once. */
const countsOff = async (race: Race, session: Live, { operation }: Prepared, sent: number) => {
  const { chainUrl } = operatingIn(race)
  const carried = await carriedAt(chainUrl, operation.operationHash)
  const { calls, status, actionSpent, allocationSpent } = await guardOn(chainUrl).stateOf({
    permission_id: session.permissionId,
    wallet: session.address
  })
  const times = carried === undefined ? 0 : 1
  const amount = BigInt(times) * VALUE
  const isExact = calls === times && actionSpent[0] === amount && allocationSpent[0] === amount
  return isExact && times <= sent && status === 2
    ? []
    : [`revoked in flight: ${sent} sent, ${times} carried out, ${calls} counted, status ${status}`]
}

/** What was admitted and not carried out is told to be dead. */
const endOf = async (race: Race, { by, operation }: Prepared) => {
  const carried = await carriedAt(operatingIn(race).chainUrl, operation.operationHash)
  const done = carried?.success === true ? "confirmed" : "reverted"
  const end = carried === undefined ? "expired" : done
  let state = ""
  for (let looks = 0; looks < LOOKS; looks++) {
    const shown = ready(by, { method: "GET", target: `/api/v1/user-operations/${operation.id}` })
    state = (await race.arena.ask(shown, race.chance.below(3))).body.state ?? ""
    if (state === end) return []
    await sleep(LOOK_MILLIS)
  }
  return [`revoked in flight: ${operation.id} is ${state}, not ${end}`]
}

/** By which the session is known to be revoked, and in time retired. */
const lookAgain = (race: Race, { owner, session }: Live) =>
  asked(race, ready(owner, { method: "GET", target: `${SESSIONS}/${session}` }), "a session")

const revokedInFlight: Kind = async race => {
  const session = await live(race)
  const operation = await use(race, session)
  const { chainUrl, deployed, bundler } = operatingIn(race)
  const wallet = { address: session.address, threshold: 2 }
  const data = revokeData(session.permissionId)
  let revoking: Promise<unknown> | undefined
  const revoke = () => {
    revoking ??= inTurn(() => ownersDo(onSandbox(chainUrl, deployed), wallet, data, ownersOf(session), GUARD))
    return revoking
  }
  const moment = race.chance.pick(MOMENTS)
  if (moment === "sent") bundler.beforeCarrying(session.address, revoke)
  if (moment === "carried")
    bundler.beforeCarrying(session.address, async () => {
      void revoke()
      await sleep(race.chance.below(LONGEST_MILLIS))
    })
  const key = newKey()
  const asking = race.arena.contest([sending(operation, key), sending(operation, key)], race.chance)
  if (moment === "asked") await sleep(race.chance.below(LONGEST_MILLIS)).then(revoke)
  const answers = await asking
  await revoke()
  const { state } = await lookAgain(race, session)
  const sent = timesSent(race, operation)
  const isSettled = answers.some(isOk) ? sent === 1 : sent === 0
  if (sent > 0) race.later({ look: () => lookAgain(race, session), end: () => endOf(race, operation) })
  return [
    ...(state === "revoked" ? [] : [`revoked in flight: ${session.session} is ${state}`]),
    ...unless(isSettled && refusedOnlyBy(answers, codes), `revoked in flight, ${sent} sent`, answers),
    ...(await countsOff(race, session, operation, sent))
  ]
}

export const REVOCATION_KINDS = { revokedInFlight: { weight: 1, run: revokedInFlight } }
