/** For what upstream calls are made: by that they are paid for. */
import { Effect, FiberRef } from "effect"

export type Work =
  /** What no request asked for: recovery, and looks at what was deployed. */
  | { readonly kind: "process" }
  /** Reads and the preparation of plans; or submission and refresh. */
  | { readonly kind: "read" | "relay"; readonly account: string }
  /** Of a signature, before it is known whose request it is. */
  | { readonly kind: "verification"; readonly address: string; readonly wasAccepted: boolean }

export const CurrentWork = FiberRef.unsafeMake<Work>({ kind: "process" })

export const workingFor = (work: Work) => Effect.locally(CurrentWork, work)

/** A request of any scope that looks after what was admitted draws on what is kept for that. */
export const relaying = Effect.locallyWith(
  CurrentWork,
  (work: Work): Work => (work.kind === "read" ? { ...work, kind: "relay" } : work)
)
