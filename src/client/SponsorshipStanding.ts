/** Where a sponsorship stands, by what is to be done next. */
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"

export const isOpen = ({ nextAction: { kind } }: Sponsorship): boolean =>
  kind === "wait" || kind === "fund" || kind === "submit"

export const isEnded = ({ nextAction: { kind } }: Sponsorship): boolean =>
  kind === "none" || kind === "prepare-again"

/** Another request took its nonce, for good or not. */
const TAKEN = /OURS|FORWARD_NONCE/

const PAYING = ["reserved", "submitted", "unknown", "confirming", "reorged"]

/** Its payment was signed and given to the service, and of no request is it seen that another took its nonce. */
export const isUnderWay = ({ funding, observations }: Sponsorship): boolean =>
  PAYING.includes(funding?.state ?? "") && !observations.some(({ reason }) => reason && TAKEN.test(reason))
