/** A reviewed plan from top to bottom: what it does in one sentence, what that changes, what to beware of, step by step, then what it rests on. */
import type { Plan, Step } from "../plans/Plan.ts"
import { balanceRows } from "../review/BalanceRows.ts"
import { type CallReview, isKey } from "../review/CallReview.ts"
import { stateText, stepRows } from "../review/StepRows.ts"
import type { ReviewRow } from "../review/Words.ts"
import { button, type Child, el, paragraph } from "./Elements.ts"
import { tell } from "./Failures.ts"
import type { Following } from "./Following.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { anewButton } from "./PrepareAnew.ts"
import { foldedRows, piecesView, rowsView } from "./RowsView.ts"
import { recallSent } from "./SentRecord.ts"
import { stepPanel } from "./StepPanel.ts"

const againButton = (desk: PlanDesk): HTMLElement =>
  button("Look at the chain again", () => desk.stage.run("Looking at the chain…", () => desk.load(true)))

const counted = (count: number, what: string): ReadonlyArray<string> =>
  count === 0 ? [] : [count === 1 ? `a ${what}` : `${count} ${what}s`]

/** Each look-up needs a signature, so the person decides. */
const lookUpButton = (desk: PlanDesk, reviewed: Reviewed): Child => {
  const { clones } = reviewed.unread
  const tokens = [...reviewed.unread.tokens, ...reviewed.review.unnamed]
  const wanted = [...counted(clones.length, "clone"), ...counted(tokens.length, "token")]
  return wanted.length === 0
    ? undefined
    : button(`Look up ${wanted.join(" and ")} by signed reads`, () =>
        desk.stage.run("Looking up…", () => desk.lookUp({ ...reviewed, unread: { clones, tokens } }))
      )
}

const CHECKED =
  "Checked in this browser: its commitment, its addresses against the catalog, and every argument against the calldata itself. Whether you want it is yours to say."

const UNPROVED =
  "The catalog does not publish every address that it calls, since factories make such contracts: look them up, then decide. All else was checked in this browser."

const verdictOf = ({ review: { dangers }, unread }: Reviewed) => {
  if (dangers.length > 0)
    return {
      kind: "bad",
      title: "Danger: sign nothing of this plan",
      said: [
        paragraph("It is not what it seems, so this page offers no signature for it:"),
        el(
          "ul",
          {},
          dangers.map(danger => el("li", {}, danger))
        )
      ]
    }
  return unread.clones.length > 0
    ? { kind: "notice", title: "Not every address is proved", said: paragraph(UNPROVED) }
    : { kind: "fine", title: "The plan is what it says", said: paragraph(CHECKED) }
}

const verdictView = (desk: PlanDesk, reviewed: Reviewed): ReadonlyArray<HTMLElement> => {
  const { dangers, sentence } = reviewed.review
  const { kind, title, said } = verdictOf(reviewed)
  const isDanger = dangers.length > 0
  const first = isDanger ? title : piecesView(sentence)
  return [
    el("h2", { class: isDanger ? "first" : "first sentence", tabindex: "-1", id: "verdict" }, first),
    el(
      "section",
      { class: `verdict ${kind}`, ...(isDanger && { role: "alert" }) },
      isDanger ? undefined : el("h3", {}, title),
      said,
      el(
        "div",
        { class: "actions" },
        againButton(desk),
        lookUpButton(desk, reviewed),
        anewButton(desk, reviewed)
      )
    )
  ]
}

const changesView = (changes: HTMLElement): HTMLElement =>
  el("section", { class: "changes" }, el("h3", {}, "What changes in your balances, before gas"), changes)

const isWarning = ({ tone }: ReviewRow): boolean => tone === "warning"

const warningsView = ({ review: { state } }: Reviewed): Child => {
  const warnings = state.filter(isWarning)
  return warnings.length === 0
    ? undefined
    : el("section", { class: "warnings" }, el("h3", {}, "Beware"), rowsView(warnings))
}

/** Signatures are bound to the service's public address, which is not always where the page came from. */
const originView = ({ audience }: { readonly audience: string }): Child =>
  audience === location.origin
    ? undefined
    : el(
        "section",
        { class: "notice" },
        paragraph(
          "This page came from ",
          el("code", {}, location.origin),
          ", yet signatures are bound to ",
          el("code", {}, audience),
          ". Go on only if you know why."
        )
      )

const stateView = (step: Step | undefined): HTMLElement | undefined =>
  step === undefined ? undefined : el("span", { class: `state ${step.state}` }, stateText(step))

const wholeCall = ({ rows, arguments: given }: CallReview): HTMLElement =>
  el(
    "details",
    { class: "folded" },
    el("summary", {}, "Every row of this call"),
    rowsView(rows.filter(each => !isKey(each))),
    given.length === 0
      ? undefined
      : [el("h3", {}, "Arguments, read from the calldata"), rowsView(given, "rows arguments")]
  )

const becameView = (step: Step | undefined): HTMLElement => {
  const rows = step === undefined ? [] : stepRows(step)
  return el(
    "div",
    { class: "became" },
    rows.length === 0 ? undefined : [el("h3", {}, "What became of it"), rowsView(rows)]
  )
}

const callView = (
  desk: PlanDesk,
  reviewed: Reviewed,
  call: CallReview,
  changes: HTMLElement
): HTMLElement => {
  const { steps, calls } = reviewed.plan
  const step = steps[call.index]
  return el(
    "section",
    { class: "step", "aria-labelledby": `step-${call.index}` },
    el(
      "h2",
      { id: `step-${call.index}` },
      el("span", { class: "number" }, `Step ${call.index}`),
      ` ${call.title} `,
      stateView(step)
    ),
    calls.length === 1 ? undefined : el("p", { class: "sentence" }, piecesView(call.sentence)),
    rowsView(call.rows.filter(isKey)),
    wholeCall(call),
    becameView(step),
    step === undefined ? undefined : stepPanel(desk, reviewed, step, changes)
  )
}

const UNSIMULATED = "Simulate a step to see what it would change now."

const isLeft = ({ transaction }: Step): boolean => transaction === undefined

/** Whether there is anything whose changes could be foreseen. */
const isForeseeable = ({ plan, review }: Reviewed): boolean =>
  review.dangers.length === 0 && plan.steps.some(isLeft)

const ofStep = ({ steps }: Plan, { index }: Step): Child =>
  steps.length === 1 ? undefined : paragraph(`By step ${index} alone; those that depend on it come after it.`)

const planSection = ({ review: { state, rows } }: Reviewed): HTMLElement =>
  el(
    "section",
    { class: "plan" },
    el("h2", {}, "The plan"),
    rowsView(state.filter(row => !isWarning(row))),
    foldedRows("What it rests on", rows)
  )

const hasLeft = (planId: string, { index, transaction }: Step): boolean =>
  transaction !== undefined || recallSent({ planId, step: index }) !== undefined

const mayBeSponsored = ({ capabilities }: PlanDesk, { plan }: Reviewed): boolean =>
  "transport" in capabilities.sponsorship ||
  plan.steps.some(({ execution }) => execution?.transport === "forwarder-prepaid-erc2771")

type Part = (desk: PlanDesk, reviewed: Reviewed) => HTMLElement | undefined

/** How else its steps may leave, loaded where they may. */
const otherWay = (desk: PlanDesk, reviewed: Reviewed): Promise<Part> | undefined => {
  if (reviewed.plan.smartAccount !== undefined)
    return import("./wallets/WalletViews.ts").then(({ walletViews }) => walletViews.planOperations)
  return mayBeSponsored(desk, reviewed)
    ? import("./sponsorships/PlanSponsorships.ts").then(({ planSponsorships }) => planSponsorships)
    : undefined
}

const isInUse = (element: HTMLElement): boolean => element.contains(document.activeElement)

export class PlanPageView {
  readonly #desk: PlanDesk
  readonly #changes = el("div", { "aria-live": "polite" }, paragraph(UNSIMULATED))
  readonly #progress = el("div", {})
  readonly #otherWay = el("div", {})
  #following: Following | undefined
  #isLeft = false
  #reviewed: Reviewed
  #steps: ReadonlyArray<HTMLElement>
  #plan: HTMLElement

  constructor(desk: PlanDesk, reviewed: Reviewed) {
    const { calls } = reviewed.review
    this.#desk = desk
    this.#reviewed = reviewed
    this.#steps = calls.map(call => callView(desk, reviewed, call, this.#changes))
    this.#plan = planSection(reviewed)
    desk.stage.show(
      verdictView(desk, reviewed),
      originView(desk.capabilities),
      this.#progress,
      isForeseeable(reviewed) ? changesView(this.#changes) : undefined,
      warningsView(reviewed),
      this.#steps,
      this.#otherWay,
      this.#plan
    )
    document.getElementById("verdict")?.focus()
    void this.#foresee()
    this.#showOtherWay()
    if (reviewed.plan.steps.some(step => hasLeft(reviewed.plan.id, step))) this.#follow()
  }

  #showOtherWay(): void {
    otherWay(this.#desk, this.#reviewed)?.then(
      part => this.#otherWay.replaceChildren(part(this.#desk, this.#reviewed) ?? ""),
      () => this.#otherWay.replaceChildren(paragraph("Reload the page to see how else it may leave."))
    )
  }

  #follow(): void {
    import("./Following.ts").then(
      ({ Following }) => {
        if (this.#isLeft) return
        this.#following = new Following(this.#desk, this.#reviewed.plan)
        this.#progress.replaceChildren(this.#following.view)
      },
      (failure: unknown) => this.#desk.stage.warn(tell(failure))
    )
  }

  /** Where that needs no question. */
  async #foresee(): Promise<void> {
    const { plan, review } = this.#reviewed
    const step = plan.steps.find(({ state }) => state === "ready")
    const reader = this.#desk.silentReader
    if (reader === undefined || step === undefined || !isForeseeable(this.#reviewed)) return
    const simulation = await reader.plans.simulate(plan.id, step.index).catch(() => undefined)
    if (simulation === undefined) return
    const rows = rowsView(balanceRows(simulation, plan, review.tokens))
    this.#changes.replaceChildren(el("div", {}, ofStep(plan, step), rows))
  }

  leave(): void {
    this.#isLeft = true
    this.#following?.stop()
  }

  /** What is in use stays as it is, but for what became of it. */
  update(reviewed: Reviewed): void {
    const before = this.#reviewed
    this.#reviewed = reviewed
    this.#steps = this.#steps.map((section, index) => {
      const [call, step] = [reviewed.review.calls[index], reviewed.plan.steps[index]]
      const isSame = JSON.stringify(step) === JSON.stringify(before.plan.steps[index])
      if (call === undefined || isSame) return section
      if (isInUse(section)) {
        section.querySelector(".state")?.replaceWith(stateView(step) ?? "")
        section.querySelector(".became")?.replaceWith(becameView(step))
        return section
      }
      const next = callView(this.#desk, reviewed, call, this.#changes)
      section.replaceWith(next)
      return next
    })
    if (isInUse(this.#plan)) return
    const plan = planSection(reviewed)
    this.#plan.replaceWith(plan)
    this.#plan = plan
  }
}
