/** What a process knows of those that serve the same port with it. */
import { Context, type Effect } from "effect"

export interface SharedPort {
  /** Told where the operators' listener of this process is: on loopback, for the supervisor alone. */
  readonly opsAt: (port: number) => void
  /** Succeeds once another process serves in its place. */
  readonly replaced: Effect.Effect<void>
  /** Told when nobody is connected any more. */
  readonly left: Effect.Effect<void>
}

/** Undefined where it serves its port alone. */
export class Member extends Context.Reference<Member>()("settings/Member", {
  defaultValue: (): SharedPort | undefined => undefined
}) {}
