/** A reviewed plan from top to bottom: the verdict, step by step what it does, then what it rests on. */
import type { CallReview } from "../review/CallReview.ts"
import { stateText, stepRows } from "../review/StepRows.ts"
import { button, type Child, el, paragraph } from "./Elements.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { rowsView } from "./RowsView.ts"
import { stepPanel } from "./StepPanel.ts"

const againButton = (desk: PlanDesk): HTMLElement =>
  button("Look at the chain again", () => desk.stage.run("Looking at the chain…", () => desk.load(true)))

const counted = (count: number, what: string): ReadonlyArray<string> =>
  count === 0 ? [] : [count === 1 ? `a ${what}` : `${count} ${what}s`]

/** Each look-up needs a signature, so the person decides. */
const lookUpButton = (desk: PlanDesk, reviewed: Reviewed): Child => {
  const { clones, tokens } = reviewed.unread
  const wanted = [...counted(clones.length, "clone"), ...counted(tokens.length, "token")]
  return wanted.length === 0
    ? undefined
    : button(`Look up ${wanted.join(" and ")} by signed reads`, () =>
        desk.stage.run("Looking up…", () => desk.lookUp(reviewed))
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

const verdictView = (desk: PlanDesk, reviewed: Reviewed): HTMLElement => {
  const { dangers, state } = reviewed.review
  const { kind, title, said } = verdictOf(reviewed)
  return el(
    "section",
    { class: `verdict ${kind}`, ...(dangers.length > 0 && { role: "alert" }) },
    el("h2", { tabindex: "-1", id: "verdict" }, title),
    said,
    rowsView(state),
    el("div", { class: "actions" }, againButton(desk), lookUpButton(desk, reviewed))
  )
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

const callView = (desk: PlanDesk, reviewed: Reviewed, call: CallReview): HTMLElement => {
  const step = reviewed.plan.steps[call.index]
  return el(
    "section",
    { class: "step", "aria-labelledby": `step-${call.index}` },
    el(
      "h2",
      { id: `step-${call.index}` },
      el("span", { class: "number" }, `Step ${call.index}`),
      ` ${call.title} `,
      step === undefined ? undefined : el("span", { class: `state ${step.state}` }, stateText(step))
    ),
    rowsView(call.rows),
    call.arguments.length === 0
      ? undefined
      : [el("h3", {}, "Arguments, read from the calldata"), rowsView(call.arguments, "rows arguments")],
    step === undefined || stepRows(step).length === 0
      ? undefined
      : [el("h3", {}, "What became of it"), rowsView(stepRows(step))],
    step === undefined ? undefined : stepPanel(desk, reviewed, step)
  )
}

export const planView = (desk: PlanDesk, reviewed: Reviewed): void => {
  desk.stage.show(
    verdictView(desk, reviewed),
    originView(desk.capabilities),
    reviewed.review.calls.map(call => callView(desk, reviewed, call)),
    el("section", { class: "plan" }, el("h2", {}, "What it rests on"), rowsView(reviewed.review.rows))
  )
  document.getElementById("verdict")?.focus()
}
