/** What a harness tells a service process of its own, and what it hears from it. */
import type { Failpoint } from "../../../src/values/Failpoint.ts"

export interface Order {
  readonly at: Failpoint
  readonly act: "kill" | "pause"
}

/** Arms one failpoint, disarms, or lets a paused process go on. */
export type Command = { readonly order: Order | null } | { readonly resume: true }

export interface Report {
  readonly paused: Failpoint
}

export const isReport = (message: unknown): message is Report =>
  typeof message === "object" && message !== null && "paused" in message
