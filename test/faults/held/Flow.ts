/** A session from its preparation to its end, request by request, each the same however often it is asked. */
import { assert } from "vitest"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { hashOf } from "../../bundler/scripted/Carry.ts"
import { enableData, revokeData } from "../../sessions/support/Guarded.ts"
import {
  type Bot,
  ownersTell,
  paymentPlan,
  sessionBot,
  sessionInput,
  signedByKey
} from "../../sessions/support/Operated.ts"
import { SESSIONS } from "../../sessions/support/SessionBench.ts"
import { mine } from "../../support/RelayBench.ts"
import { freshNonce, signedFetch } from "../../support/SignedFetch.ts"
import { until } from "../../support/Until.ts"
import { type CarriedStand, newBoundWallet } from "../carried/Stand.ts"
import { carriedAt } from "../operating/Events.ts"

export const STEPS = ["prepare", "activation", "look", "quota", "operate", "send", "revocation"] as const

export type Step = (typeof STEPS)[number]

/** More than a local chain's two epochs. */
const FINAL_BLOCKS = 70
const AMOUNT = 700n
const OPERATIONS = "/api/v1/user-operations"

export interface HeldFlow {
  readonly ask: (step: Step) => Promise<Response>
  /** What its success leads to: what was told, and what the owners or the chain do next. */
  readonly done: (step: Step, answer: Response) => Promise<unknown>
  /** How often the operation left. */
  readonly timesSent: () => number
  /** The session once all is final. */
  readonly end: () => Promise<PublicSession>
}

export const beginFlow = async (stand: CarriedStand): Promise<HeldFlow> => {
  const { service, script } = stand
  const bound = await newBoundWallet(stand)
  const { owner } = bound
  const bot: Bot = await sessionBot(stand, owner)
  const body = await sessionInput(stand, bound, bot)
  const keys = new Map(STEPS.map(step => [step, freshNonce()]))
  let session: PublicSession | undefined
  let operation: PublicUserOperation | undefined
  let plan: { readonly id: string } | undefined
  await mine(stand, 2)

  const known = <A>(one: A | undefined): A => one ?? assert.fail("nothing was told of it yet")
  const post = (step: Step, by: typeof owner, path: string, given: unknown) =>
    signedFetch(service, by, "POST", path, { body: given, idempotencyKey: keys.get(step) ?? "" })
  const get = (path: string) => signedFetch(service, owner, "GET", `${SESSIONS}/${known(session).id}${path}`)
  const lifecycle = (kind: "activation" | "revocation") =>
    post(kind, owner, `${SESSIONS}/${known(session).id}/${kind}-plans`, {
      compiledHash: known(session).compiled.compiledHash
    })

  const asking: Readonly<Record<Step, () => Promise<Response>>> = {
    prepare: () => post("prepare", owner, SESSIONS, body),
    activation: () => lifecycle("activation"),
    look: () => get(""),
    quota: () => get("/quota"),
    operate: () =>
      post("operate", bot, OPERATIONS, {
        planId: known(plan).id,
        stepIndexes: [0],
        sessionId: known(session).id
      }),
    send: async () =>
      post("send", bot, `${OPERATIONS}/${known(operation).id}/submissions`, {
        signature: await signedByKey(known(operation), bot)
      }),
    revocation: () => lifecycle("revocation")
  }

  /** A node that failed a moment ago is believed to fail for a while. */
  const planned = () =>
    paymentPlan(stand, { ...bound, bot, session: known(session) }, { amount: AMOUNT }).catch(() => undefined)
  const tell = (data: `0x${string}`) => ownersTell(stand, bound, data)
  const following: Readonly<Record<Step, (answer: Response) => Promise<unknown>>> = {
    prepare: async answer => {
      session = await answer.json()
    },
    activation: async () => {
      const { encodedPolicy, enableNonce } = known(session).compiled
      await tell(enableData(encodedPolicy, BigInt(enableNonce)))
    },
    look: async answer => {
      const { state, invalidation }: PublicSession = await answer.json()
      assert.strictEqual(state, "active", invalidation?.reason)
    },
    quota: async () => {
      plan = await until(planned, made => made !== undefined)
    },
    operate: async answer => {
      operation = await answer.json()
    },
    send: () =>
      until(
        () => carriedAt(stand.chain.url, known(operation).operationHash),
        found => found !== undefined
      ),
    revocation: () => tell(revokeData(known(session).compiled.permissionId))
  }

  const done = (step: Step, answer: Response) => following[step](answer)

  const seen = () =>
    until(
      () => get(""),
      answer => answer.ok
    )
  const end = async () => {
    for (let looks = 0; looks < 2; looks++) {
      await seen()
      await mine(stand, FINAL_BLOCKS)
    }
    return (await seen()).json()
  }
  const timesSent = () => script.sent.filter(left => hashOf(left) === operation?.operationHash).length
  return { ask: step => asking[step](), done, timesSent, end }
}

const USED = ["calls 1", `allocation:tips ${AMOUNT}`]

/** Revoked for good, with exactly what was used of it, which left once. */
export const assertEnded = async (flow: HeldFlow): Promise<void> => {
  const { state, reservationReleased, invalidation, observation } = await flow.end()
  assert.deepStrictEqual([state, reservationReleased], ["revoked", true])
  assert.isFalse(invalidation?.permanent ?? false, invalidation?.reason)
  const counted = observation?.counters.map(({ name, used }) => `${name} ${used}`) ?? []
  assert.includeMembers(counted, USED)
  assert.strictEqual(flow.timesSent(), 1)
}
