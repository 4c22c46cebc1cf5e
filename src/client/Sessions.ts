/** Sessions: a bot's key acts for a wallet for a week or a month, within a policy that the wallet's owners enable at its guard. */
import type { PublicSession } from "../sessions/Session.ts"
import type { SessionInput, SessionReviewInput } from "../sessions/SessionInput.ts"
import type { Caller, Keyed } from "./Caller.ts"
import type { CarryMeans } from "./CarryOut.ts"
import type { OperatingClient } from "./CheckUserOperation.ts"
import { checkedPlan } from "./Commitment.ts"
import { endpoints } from "./Endpoints.ts"
import { lookUntil } from "./WatchPlan.ts"

export interface SessionsQuery {
  /** Only those of this wallet. */
  readonly bindingId?: string
  /** 1 to 100; 25 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

export interface SessionWatch {
  /** Called at first sight and whenever something changed. */
  readonly onProgress?: (session: PublicSession) => void
  /** When to stop; by default when no plan of it is under way. */
  readonly until?: ((session: PublicSession) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SessionPreparation extends Keyed {
  /** The bot's address, where that is known from elsewhere. */
  readonly sessionKey?: string | undefined
}

export type SessionsClient = Pick<OperatingClient, "account" | "smartAccounts">

const UNDER_WAY = ["installing", "revoking"]

/** Its guard was seen at no later block than its plan can be executed in. */
const isUnderWay = ({ state, activation, revocation, observation }: PublicSession): boolean =>
  UNDER_WAY.includes(state) &&
  Number(observation?.evidence.timestamp ?? 0) * 1000 <= ((revocation ?? activation)?.expiresAt ?? 0)

const reading = (caller: Caller) => ({
  /** One page, newest first, as they are stored. */
  list: (query: SessionsQuery = {}) => caller.call(endpoints.listSessions, { query: { ...query } }),
  /** Its guard looked at anew, unless `refresh` is false. */
  show: (
    id: string,
    { refresh = true, signal }: { readonly refresh?: boolean; readonly signal?: AbortSignal | undefined } = {}
  ) =>
    caller.call(endpoints.getSession, {
      path: { id },
      query: refresh ? {} : { refresh: "false" },
      signal
    }),
  /** What is left of it, by its guard's counters. */
  quota: (id: string) => caller.call(endpoints.getSessionQuota, { path: { id } })
})

const planning = (caller: Caller, { system, own }: CarryMeans, client: SessionsClient) => {
  const keyed = async (kind: "activation" | "revocation", session: PublicSession, options: Keyed) => {
    const { id, compiled } = session
    const endpoint = kind === "activation" ? endpoints.createActivationPlan : endpoints.createRevocationPlan
    const parts = { path: { id }, body: { compiledHash: compiled.compiledHash } }
    const answer = await caller.keyed(endpoint, system, options, parts)
    const { plan } = answer.body
    if (plan !== null) {
      const { checkLifecyclePlan } = await import("./CheckSession.ts")
      await checkLifecyclePlan(client, session, await checkedPlan(plan, own), kind)
    }
    return { ...answer.body, ...answer.told }
  }
  return {
    /** The plan by which the wallet's owners enable exactly this session at their own guard, checked: they send it by `userOperations`, unless `installationConfirmed` says that it is enabled already. */
    planActivation: (session: PublicSession, options: Keyed = {}) => keyed("activation", session, options),
    /** The plan by which they revoke it, checked; `revokeTransaction` does the same without the service. */
    planRevocation: (session: PublicSession, options: Keyed = {}) => keyed("revocation", session, options)
  }
}

const watching =
  ({ show }: ReturnType<typeof reading>, { system }: CarryMeans) =>
  (id: string, { onProgress, until, signal }: SessionWatch = {}) => {
    let seen: PublicSession | undefined
    const isNews = (shown: PublicSession): boolean => {
      const isNew = seen?.revision !== shown.revision || seen.state !== shown.state
      seen = shown
      if (isNew) onProgress?.(shown)
      return isNew
    }
    const isOver = (shown: PublicSession) => until?.(shown) ?? !isUnderWay(shown)
    return lookUntil({ look: () => show(id, { signal }), isNews, isOver }, system, signal)
  }

export const sessionMethods = (caller: Caller, client: SessionsClient, means: CarryMeans) => {
  const reads = reading(caller)
  const check = async (session: PublicSession, sessionKey?: string, asked?: SessionInput): Promise<void> => {
    const { checkSession } = await import("./CheckSession.ts")
    await checkSession({ client, session, asked, sessionKey })
  }
  return {
    sessions: {
      ...reads,
      /** What a session would allow; stores nothing. */
      review: (body: SessionReviewInput) => caller.call(endpoints.reviewSession, { body }),
      /** Stores it, checked: rejects with `AlteredPlan` where it would allow something else. It gives no authority yet. The same key gives the stored one again. */
      prepare: async (body: SessionInput, options: SessionPreparation = {}) => {
        const answer = await caller.keyed(endpoints.createSession, means.system, options, { body })
        await check(answer.body, options.sessionKey, body)
        return { session: answer.body, ...answer.told }
      },
      /** Rejects with `AlteredPlan` where the bytes and hashes are not what the session tells; `sessionKey` is the bot's address, where that is known from elsewhere. */
      check: (session: PublicSession, sessionKey?: string): Promise<void> => check(session, sessionKey),
      ...planning(caller, means, client),
      /** Looks at it anew until no plan of it is under way. */
      watch: watching(reads, means)
    }
  }
}
