/** On the page of a plan: its sponsorships, and the way to one. */
import type { Sponsorship } from "../../sponsorship/Sponsorship.ts"
import { button, el, paragraph } from "../Elements.ts"
import type { PlanDesk, Reviewed } from "../PlanDesk.ts"
import { sentNamesOf } from "../SentRecord.ts"
import { WALLET_ASKED } from "../SentStep.ts"
import { sponsorshipPaidBy } from "./PaidSponsorship.ts"
import { stateName } from "./SponsorshipWords.ts"

const pathOf = (id: string): string => `/console/sponsorships/${id}`

const lineOf = (sponsorship: Sponsorship): HTMLElement =>
  el(
    "li",
    {},
    el(
      "a",
      { href: pathOf(sponsorship.id) },
      `Requests for step ${sponsorship.authorizations.map(({ stepIndex }) => stepIndex).join(", ")}`
    ),
    " ",
    el("span", { class: `state ${sponsorship.state}` }, stateName(sponsorship))
  )

/** Without a question where the tab may read the plan. */
const listed = async (desk: PlanDesk, { plan }: Reviewed, into: HTMLElement): Promise<void> => {
  const { items } = await desk.reader.sponsorships.list({ planId: plan.id })
  into.replaceChildren(
    items.length === 0
      ? paragraph("No requests were prepared for it.")
      : el("ul", { class: "items" }, items.map(lineOf))
  )
}

const prepare = async (desk: PlanDesk, { plan }: Reviewed): Promise<void> => {
  if (sentNamesOf(plan.id).length > 0) return desk.stage.warn(WALLET_ASKED)
  const { sponsorship } = await desk.reader.sponsorships.create(plan.id)
  desk.go(pathOf(sponsorship.id))
}

/** Only who prepared a plan has requests prepared for it, and nobody what the wallet was asked to send. */
const canPrepare = (desk: PlanDesk, { plan, review, principal }: Reviewed): boolean =>
  review.dangers.length === 0 &&
  plan.restoredAt === undefined &&
  plan.expiresAt > desk.nowMillis() &&
  plan.steps.some(({ state }) => state === "ready") &&
  sentNamesOf(plan.id).length === 0 &&
  principal === desk.reader.principalId

const isSponsored = ({ plan }: Reviewed): boolean =>
  plan.steps.some(({ execution }) => execution?.transport === "forwarder-prepaid-erc2771")

const payment = (id: string): HTMLElement =>
  el(
    "section",
    { class: "plan" },
    el("h2", {}, "It pays for requests that somebody else executes"),
    paragraph("Once it is confirmed, the provider executes them; the sponsorship shows what became of them."),
    el("a", { href: pathOf(id) }, "Back to the sponsorship")
  )

export const planSponsorships = (desk: PlanDesk, reviewed: Reviewed): HTMLElement | undefined => {
  const paid = sponsorshipPaidBy(reviewed.plan)
  if (paid !== undefined) return payment(paid)
  const { sponsorship } = desk.capabilities
  const isOffered = "transport" in sponsorship && canPrepare(desk, reviewed)
  if (!isOffered && !isSponsored(reviewed)) return undefined
  const list = el("div", {})
  const look = () => desk.stage.run("Reading the sponsorships…", () => listed(desk, reviewed, list))
  if (desk.silentReader !== undefined) void listed(desk, reviewed, list).catch(() => {})
  const offer = button("Have somebody else pay the gas", () =>
    desk.stage.run("Preparing the requests…", () => prepare(desk, reviewed))
  )
  return el(
    "section",
    { class: "plan" },
    el("h2", {}, "Somebody else can pay the gas"),
    paragraph(
      "You sign requests in the place of transactions, and a provider, which you pay beforehand, has them executed. No request is valid for anything but the plan's own call."
    ),
    list,
    el(
      "div",
      { class: "actions" },
      isOffered ? offer : undefined,
      desk.silentReader === undefined ? button("Read its sponsorships", look) : undefined
    )
  )
}
