/** Races for a wallet's one place for a session: of what enables it, revokes it, replaces its plan or takes its last unit, one comes first. */

import type { Answer } from "./Asking.ts"
import { isOk, type Kind, type Race, refusedOnlyBy, unless } from "./Kinds.ts"
import {
  asked,
  newcomer,
  onlyOneLeaves,
  operatingIn,
  prepared,
  type Standing,
  sending,
  timesSent
} from "./OperationKinds.ts"
import { granted, live, proposed, SESSIONS, type Session, use } from "./SessionKinds.ts"
import { newKey, ready } from "./Signed.ts"

const planFor = ({ owner }: Standing, { id, compiledHash }: Session, kind: "activation" | "revocation") =>
  ready(owner, {
    method: "POST",
    target: `${SESSIONS}/${id}/${kind}-plans`,
    key: newKey(),
    body: { compiledHash }
  })

const one = <Row>(rows: ReadonlyArray<Row>): Row => {
  const [row] = rows
  if (row === undefined) throw new Error("nothing is stored")
  return row
}

const admittedIn = async ({ arena }: Race, { address }: Standing) =>
  (
    await arena.sql<{ session: string }>("SELECT session FROM wallet_generations WHERE wallet = $1", [
      address.toLowerCase()
    ])
  ).map(({ session }) => session)

const RUN_OUT = `UPDATE plans SET created_at = unix_millis() - 900000, expires_at = unix_millis() + $2
  WHERE id IN (SELECT plan FROM session_plans WHERE session = $1)`

/** As if its plans ran out so soon. */
const running = ({ arena }: Race, { id }: Session, millis: number) => arena.sql(RUN_OUT, [id, millis])

const succeededIn = (answers: ReadonlyArray<Answer>) => answers.filter(isOk).length

/** E9: two generations, one of them under two keys. */
const twoActivations: Kind = async race => {
  const standing = await newcomer(race)
  const grant = await granted(race, standing)
  const [first, second] = [await proposed(race, standing, grant), await proposed(race, standing, grant, "2")]
  const answers = await race.arena.contest(
    [
      planFor(standing, first, "activation"),
      planFor(standing, second, "activation"),
      planFor(standing, first, "activation")
    ],
    race.chance
  )
  const codes = ["SESSION_RETIREMENT_REQUIRED", "SESSION_PLAN_NOT_REPLACEABLE", "CONCURRENT_UPDATE"]
  const [admitted, ...others] = await admittedIn(race, standing)
  const isFirst = answers[1] !== undefined && !isOk(answers[1])
  const holds =
    succeededIn(answers) === 1 && others.length === 0 && admitted === (isFirst ? first.id : second.id)
  return unless(holds && refusedOnlyBy(answers, codes), `two activations, ${admitted} admitted`, answers)
}

/** E9: a plan that replaces one that ran out, and the plan that revokes: nothing enables what is to be revoked. */
const activationRevoked: Kind = async race => {
  const standing = await newcomer(race)
  const session = await proposed(race, standing, await granted(race, standing))
  await asked(race, planFor(standing, session, "activation"), "an activation")
  await running(race, session, -1_000)
  const answers = await race.arena.contest(
    [planFor(standing, session, "activation"), planFor(standing, session, "revocation")],
    race.chance
  )
  const { late } = one(
    await race.arena.sql<{ late: number }>(
      `SELECT count(*)::int AS late FROM session_plans a JOIN session_plans r ON r.session = a.session AND r.kind = 'revocation'
         JOIN idempotency_keys k ON k.plan = a.plan JOIN idempotency_keys l ON l.plan = r.plan
       WHERE a.session = $1 AND a.kind = 'activation' AND k.created_at > l.created_at`,
      [session.id]
    )
  )
  const codes = ["SESSION_NOT_ACTIVE", "CONCURRENT_UPDATE"]
  const holds = late === 0 && succeededIn(answers) > 0 && refusedOnlyBy(answers, codes)
  return unless(holds, `an activation against a revocation, ${late} late`, answers)
}

/** E2, E20: a plan's operation is sent, or the plan is replaced, as it runs out. */
const planReplaced: Kind = async race => {
  const standing = await newcomer(race)
  const session = await proposed(race, standing, await granted(race, standing))
  const { plan } = await asked(race, planFor(standing, session, "activation"), "an activation")
  if (plan === undefined) throw new Error("an activation has no plan")
  const operation = await prepared(race, standing, plan, standing.owner)
  await running(race, session, race.chance.below(40) - 10)
  const answers = await race.arena.contest(
    [planFor(standing, session, "activation"), sending(operation), planFor(standing, session, "activation")],
    race.chance
  )
  const sent = timesSent(race, operation)
  const { replaced } = one(
    await race.arena.sql<{ replaced: boolean }>(
      "SELECT superseded_at IS NOT NULL AS replaced FROM session_plans WHERE plan = $1",
      [plan.id]
    )
  )
  const holds = sent <= 1 && !(sent === 1 && replaced) && answers.every(({ status }) => status < 500)
  return unless(holds, `a plan that runs out, ${sent} sent, replaced: ${replaced}`, answers)
}

/** E8: two operations of all that is left; once one of them is carried out, there is nothing left. */
const lastUnit: Kind = async race => {
  const session = await live(race, "1000")
  const both = [await use(race, session), await use(race, session, { by: session.owner })]
  /** Where the first is carried out before the other is looked at. */
  const found = await onlyOneLeaves(race, both, "the last unit", ["SESSION_BUDGET_EXHAUSTED"])
  for (const one of both)
    if (timesSent(race, one) > 0) await operatingIn(race).bundler.carriedOut(one.operation.operationHash)
  const next = await use(race, session, { value: "1" }).catch((failure: Error) => failure.message)
  const isSpent = typeof next === "string" && next.includes("SESSION_BUDGET_EXHAUSTED")
  return isSpent ? found : [...found, `the last unit is spent, and then: ${JSON.stringify(next)}`]
}

export const LIFECYCLE_KINDS = {
  twoActivations: { weight: 2, run: twoActivations },
  activationRevoked: { weight: 2, run: activationRevoked },
  planReplaced: { weight: 2, run: planReplaced },
  lastUnit: { weight: 2, run: lastUnit }
}
