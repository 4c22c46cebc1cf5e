/** For what upstream calls are made: by that they are paid for. */
import { Context, Effect } from "effect"

export type Work =
  /** What no request asked for: recovery, and looks at what was deployed. */
  | { readonly kind: "process" }
  /** Reads and the preparation of plans; or submission and refresh. */
  | { readonly kind: "read" | "relay"; readonly account: string }
  /** Of a signature, before it is known whose request it is. */
  | { readonly kind: "verification"; readonly address: string; readonly wasAccepted: boolean }

export class CurrentWork extends Context.Reference<CurrentWork>()("chain/CurrentWork", {
  defaultValue: (): Work => ({ kind: "process" })
}) {}

export const workingFor = (work: Work) => Effect.provideService(CurrentWork, work)

/** A request of any scope that looks after what was admitted draws on what is kept for that. */
export const relaying = <A, E, R>(looking: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentWork, work =>
    work.kind === "read" ? Effect.provideService(looking, CurrentWork, { ...work, kind: "relay" }) : looking
  )
