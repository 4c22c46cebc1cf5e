/** Whether a wallet's owners have nothing of a session to end. */
import type { PublicSession } from "./Session.ts"

export type EnabledFacts = Pick<PublicSession, "activation" | "observation">

/** No plan enables it, and its guard was seen without it. */
export const isNothingEnabled = ({ activation, observation }: EnabledFacts): boolean =>
  activation === undefined && observation?.enabled === false
