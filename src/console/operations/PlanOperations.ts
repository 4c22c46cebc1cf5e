/** On the page of a wallet's plan: its operations, and the way to one. */
import { isRecord } from "effect/Predicate"
import type { Plan } from "../../plans/Plan.ts"
import type { PublicUserOperation } from "../../useroperations/PublicUserOperation.ts"
import { button, type Child, el, paragraph } from "../Elements.ts"
import type { PlanDesk, Reviewed } from "../PlanDesk.ts"
import { operationStanding } from "./OperationWords.ts"

const pathOf = (id: string): string => `/console/operations/${id}`

const stepsText = (indexes: ReadonlyArray<number>): string =>
  `step${indexes.length === 1 ? "" : "s"} ${indexes.join(", ")}`

const lineOf = (operation: PublicUserOperation): HTMLElement =>
  el(
    "li",
    {},
    el("a", { href: pathOf(operation.id) }, `Operation for ${stepsText(operation.stepIndexes)}`),
    " ",
    el("span", { class: `state ${operation.state}` }, operationStanding(operation))
  )

/** Without a question where the tab may read the plan. */
const listed = async (desk: PlanDesk, { id }: Plan, into: HTMLElement): Promise<void> => {
  const { items } = await desk.reader.userOperations.list({ planId: id })
  into.replaceChildren(
    items.length === 0
      ? paragraph("No operation was prepared for it.")
      : el("ul", { class: "items" }, items.map(lineOf))
  )
}

const MOST_CALLS = 16

/** Those that may go together now: each is ready, or waits for others of them alone. */
const together = ({ steps }: Plan): ReadonlyArray<number> => {
  const within: Array<number> = []
  for (const { index, state, blockedBy, execution } of steps) {
    const isOpen = execution === undefined && (state === "ready" || state === "blocked")
    if (isOpen && blockedBy.every(before => within.includes(before))) within.push(index)
  }
  return within.slice(0, MOST_CALLS)
}

const ready = ({ steps }: Plan): ReadonlyArray<number> =>
  steps.flatMap(({ index, state, execution }) =>
    state === "ready" && execution === undefined ? [index] : []
  )

/** One after the other proves what each did; all at once takes all back where one fails. */
const offers = (plan: Plan): ReadonlyArray<ReadonlyArray<number>> => {
  const [first] = ready(plan)
  const all = together(plan)
  const one = first === undefined ? [] : [[first]]
  return all.length > 1 ? [...one, all] : one
}

const prepare = async (desk: PlanDesk, { plan }: Reviewed, stepIndexes: ReadonlyArray<number>) => {
  const { operation } = await desk.reader.userOperations.prepare(plan.id, { stepIndexes })
  desk.go(pathOf(operation.id))
}

/** Only who prepared a plan has operations prepared for it. */
const canPrepare = (desk: PlanDesk, { plan, review, principal }: Reviewed): boolean =>
  review.dangers.length === 0 &&
  plan.restoredAt === undefined &&
  plan.expiresAt > desk.nowMillis() &&
  principal === desk.reader.principalId

const offerButtons = (desk: PlanDesk, reviewed: Reviewed): ReadonlyArray<Child> =>
  offers(reviewed.plan).map((indexes, at) =>
    button(
      reviewed.plan.steps.length === 1
        ? "Prepare the operation"
        : `Prepare an operation for ${stepsText(indexes)}`,
      () => desk.stage.run("Preparing the operation…", () => prepare(desk, reviewed, indexes)),
      at === 0 ? "primary" : "plain"
    )
  )

/** Which the plan enables or revokes, by its summary. */
export const sessionIdIn = ({ summary }: Pick<Plan, "summary">): string | undefined => {
  const id = isRecord(summary) ? String(summary.sessionId) : ""
  return /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}

const sessionLink = (plan: Plan): HTMLElement | undefined => {
  const id = sessionIdIn(plan)
  return id === undefined
    ? undefined
    : el("p", {}, el("a", { href: `/console/sessions/${id}` }, "Back to the session"))
}

const SEVERAL =
  "Steps that go in one operation are done all or none, and what each of them did is not told apart; one operation a step proves each."

export const planOperations = (desk: PlanDesk, reviewed: Reviewed): HTMLElement | undefined => {
  const { plan } = reviewed
  const wallet = plan.smartAccount
  if (wallet === undefined) return undefined
  const list = el("div", {})
  const look = () => desk.stage.run("Reading the operations…", () => listed(desk, plan, list))
  if (desk.silentReader !== undefined) void listed(desk, plan, list).catch(() => {})
  const isOffered = canPrepare(desk, reviewed) && offers(plan).length > 0
  return el(
    "section",
    { class: "plan" },
    el("h2", {}, "It is the plan of a wallet of several owners"),
    paragraph(
      "The wallet ",
      el("a", { href: `/console/wallets/${wallet.bindingId}` }, el("code", {}, wallet.address)),
      " does it by an operation that enough of its owners sign; nobody signs a transaction."
    ),
    sessionLink(plan),
    isOffered && plan.steps.length > 1 ? paragraph(SEVERAL) : undefined,
    list,
    el(
      "div",
      { class: "actions" },
      isOffered ? offerButtons(desk, reviewed) : undefined,
      desk.silentReader === undefined ? button("Read its operations", look) : undefined
    )
  )
}
