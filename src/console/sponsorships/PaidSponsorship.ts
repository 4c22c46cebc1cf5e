/** The sponsorship that a plan pays for, and by which plan the wallet was asked to pay: it is paid for once. */
import { isRecord } from "effect/Predicate"
import type { Plan } from "../../plans/Plan.ts"
import { keepText, sentNamesOf, sentText } from "../SentRecord.ts"

const SPONSORSHIP_ID = /^[0-9a-f-]{36}$/

/** By the plan's summary. */
export const sponsorshipPaidBy = ({ summary }: Pick<Plan, "summary">): string | undefined => {
  const id = isRecord(summary) ? String(summary.sponsorshipId) : ""
  return SPONSORSHIP_ID.test(id) ? id : undefined
}

const nameOf = (sponsorshipId: string): string => `paid:${sponsorshipId}`

export const keepPaying = (sponsorshipId: string, planId: string): void => {
  keepText(nameOf(sponsorshipId), planId)
}

/** As long as this browser keeps that the wallet was asked, or what it sent. */
export const payingPlan = (sponsorshipId: string): string | undefined => {
  const planId = sentText(nameOf(sponsorshipId))
  return sentNamesOf(planId).length > 0 ? planId : undefined
}
