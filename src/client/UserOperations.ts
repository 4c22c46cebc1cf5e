/** Operations of a wallet of several owners: prepared for its plan's steps, signed by its owners or a session's key, and carried by a bundler that pays the gas or is paid for it. */
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import type { Caller, Keyed, Parts } from "./Caller.ts"
import { type ClientEndpoint, endpoints } from "./Endpoints.ts"
import { AlteredPlan } from "./Errors.ts"
import type { System } from "./System.ts"
import { lookUntil } from "./WatchPlan.ts"

export interface UserOperationsQuery {
  readonly planId?: string
  /** 1 to 100; 25 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

export interface OperationRequest extends Keyed {
  /** Step 0 when absent. */
  readonly stepIndexes?: ReadonlyArray<number> | undefined
  /** Whose key signs, instead of the wallet's owners. */
  readonly sessionId?: string | undefined
}

export interface UserOperationWait {
  /** 1 to 20 seconds, in which the service answers once the revision is above `since`. */
  readonly wait?: number
  readonly since?: number
  readonly signal?: AbortSignal | undefined
}

export interface UserOperationWatch {
  /** Called at first sight and whenever something changed. */
  readonly onProgress?: (operation: PublicUserOperation) => void
  /** When to stop; by default when something is to be done, or nothing more will happen. */
  readonly until?: ((operation: PublicUserOperation) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
}

const waitsNoMore = ({ nextAction }: PublicUserOperation): boolean => nextAction.kind !== "wait"

const reading = (caller: Caller) => ({
  /** Refreshed once it was sent; with `wait` and `since` once something changed. */
  show: (id: string, { wait, since, signal }: UserOperationWait = {}) =>
    caller.call(endpoints.getUserOperation, {
      path: { id },
      query: { wait, since },
      signal
    }),
  /** One page, newest first. */
  list: (query: UserOperationsQuery = {}) =>
    caller.call(endpoints.listUserOperations, { query: { ...query } })
})

const writing = (caller: Caller, system: System) => {
  const keyed = async (endpoint: ClientEndpoint<PublicUserOperation>, options: Keyed, parts: Parts) => {
    const { body, told } = await caller.keyed(endpoint, system, options, parts)
    return { operation: body, ...told }
  }
  return {
    /** Prepares one operation for these steps of a wallet's plan, at most 16 in rising order; see `signUserOperation`, and for one step under a session `signSessionOperation`. The same key gives the stored one again. */
    prepare: async (planId: string, { stepIndexes = [0], sessionId, ...options }: OperationRequest = {}) => {
      const body = { planId, stepIndexes, sessionId }
      const prepared = await keyed(endpoints.createUserOperation, options, { body })
      const { planId: of, stepIndexes: steps, session } = prepared.operation
      if (of !== planId || steps.join() !== stepIndexes.join() || session?.id !== sessionId)
        throw new AlteredPlan(planId, "it is another's", "operation of the plan")
      return prepared
    },
    /** Sends it once for ever; `signature` as `ownerEnvelope` or `sessionEnvelope` makes it. Success acknowledges processing, not execution: watch it. */
    submit: (id: string, body: { readonly signature: string }, options: Keyed = {}) =>
      keyed(endpoints.submitUserOperation, options, { path: { id }, body })
  }
}

const SECONDS = 20

const watching =
  ({ show }: ReturnType<typeof reading>, system: System) =>
  (id: string, { onProgress, until = waitsNoMore, signal }: UserOperationWatch = {}) => {
    let seen: PublicUserOperation | undefined
    let hasNews = false
    /** What was waited for in vain is refreshed. */
    const look = () => show(id, { ...(seen && hasNews && { wait: SECONDS, since: seen.revision }), signal })
    const isNews = (shown: PublicUserOperation): boolean => {
      const isNew = seen?.revision !== shown.revision || seen.state !== shown.state
      seen = shown
      hasNews = isNew
      if (isNew) onProgress?.(shown)
      return isNew
    }
    const pauseOf = ({ nextAction }: PublicUserOperation) => nextAction.retryAfterMs
    return lookUntil({ look, isNews, isOver: until, pauseOf }, system, signal)
  }

export const userOperationMethods = (caller: Caller, { system }: { readonly system: System }) => {
  const reads = reading(caller)
  return {
    userOperations: {
      ...reads,
      ...writing(caller, system),
      /** Looks again when the operation says so, each time until something changed, until something is to be done or nothing more will happen. */
      watch: watching(reads, system)
    }
  }
}
