/** Whether a wallet's owners have nothing of a session to end. */
import type { PublicSession } from "./Session.ts"

export type EnabledFacts = Pick<PublicSession, "activation" | "observation" | "reservationReleased">

/** Its guard was seen without it. */
export const isUnseen = ({ observation }: Pick<PublicSession, "observation">): boolean =>
  observation?.enabled === false

/** Its guard was seen without it, and no plan enables it, or can any more. */
export const isNothingEnabled = (session: EnabledFacts): boolean =>
  (session.activation === undefined || session.reservationReleased) && isUnseen(session)
