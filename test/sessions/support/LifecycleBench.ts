/** Wallets' owners and bots of a service that act through the real bundler. */
import { assert } from "vitest"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import { mine } from "../../support/RelayBench.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import { until } from "../../support/Until.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  type OperatingBench,
  preparedOperation,
  sendOperation,
  shownOperation
} from "../../useroperations/support/Operating.ts"
import { nowOf } from "./Guarded.ts"
import {
  BUDGET,
  groupOf,
  newSessionBot,
  SESSIONS,
  type SessionBot,
  TOKEN,
  transferOf
} from "./SessionBench.ts"

type Service = OperatingBench["service"]

export interface SessionGiven extends BoundTestWallet {
  readonly bot: SessionBot
}

/** A bound wallet, and a bot that may be given a session of it. */
export const walletWithBot = async (bench: OperatingBench): Promise<SessionGiven> => {
  const bound = await boundWallet(bench)
  return { ...bound, bot: await newSessionBot({ ...bench, owner: bound.owner }) }
}

const sessionOfWeek = async (
  { sandbox }: OperatingBench,
  { binding, bot }: Pick<SessionGiven, "binding" | "bot">,
  over: Readonly<Record<string, unknown>> = {}
) => ({
  bindingId: binding.id,
  grantId: bot.grantId,
  generation: "1",
  nonce: freshNonce(),
  validAfter: (await nowOf(sandbox)) - 30,
  durationDays: 7,
  maximumCalls: 20,
  gasBudget: BUDGET,
  allocations: [groupOf(TOKEN)],
  actions: [transferOf()],
  ...over
})

export const sessionForWeek = async (
  bench: OperatingBench,
  given: SessionGiven,
  over: Readonly<Record<string, unknown>> = {}
): Promise<PublicSession> => {
  const body = await sessionOfWeek(bench, given, over)
  const answer = await signedFetch(bench.service, given.owner, "POST", SESSIONS, {
    body,
    idempotencyKey: freshNonce()
  })
  const session = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(session))
  return session
}

export const sessionNow = async (
  service: Service,
  party: Party,
  { id }: Pick<PublicSession, "id">
): Promise<PublicSession> => {
  const answer = await signedFetch(service, party, "GET", `${SESSIONS}/${id}`)
  const session = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(session))
  return session
}

export type LifecycleRoute = "activation-plans" | "revocation-plans"

export const askLifecycle = (
  service: Service,
  party: Party,
  route: LifecycleRoute,
  { id, compiled }: Pick<PublicSession, "id" | "compiled">,
  options: RequestOptions = {}
) =>
  signedFetch(service, party, "POST", `${SESSIONS}/${id}/${route}`, {
    body: { compiledHash: compiled.compiledHash },
    idempotencyKey: freshNonce(),
    ...options
  })

export const lifecyclePlan = async (
  service: Service,
  party: Party,
  route: LifecycleRoute,
  session: Pick<PublicSession, "id" | "compiled">
) => {
  const answer = await askLifecycle(service, party, route, session)
  const told = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(told))
  return told
}

/** Prepared as an operation, signed by the wallet's owners and sent; its id. */
const executedByOwners = async (
  { service }: OperatingBench,
  { owner, owners }: Pick<SessionGiven, "owner" | "owners">,
  plan: { readonly id: string }
) => {
  const operation = await preparedOperation(service, owner, plan)
  const answer = await sendOperation(service, owner, operation, await envelopeOf(operation, owners))
  const sent = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(sent))
  return operation
}

/** Once its bundle is mined and has its confirmations. */
const confirmed = (bench: OperatingBench, party: Party, operation: { readonly id: string }) =>
  until(
    async () => {
      await mine(bench, 1)
      return shownOperation(bench.service, party, operation)
    },
    ({ state }) => state === "confirmed"
  )

/** By an operation of the wallet's owners; what proved it. */
export const carriedOut = async (
  bench: OperatingBench,
  given: Pick<SessionGiven, "owner" | "owners">,
  plan: { readonly id: string }
) => {
  const operation = await executedByOwners(bench, given, plan)
  await confirmed(bench, given.owner, operation)
  const answer = await signedFetch(bench.service, given.owner, "GET", `/api/v1/plans/${plan.id}`)
  return (await answer.json()).steps[0].semantic
}

export const refusedWith = async (answer: Response) => {
  const { code, context } = await answer.json()
  return [answer.status, code, context]
}
