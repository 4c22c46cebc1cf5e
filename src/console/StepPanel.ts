/** What the owner can do with one step now, and why not where nothing can be done. */
import type { Step } from "../plans/Plan.ts"
import { balanceRows } from "../review/BalanceRows.ts"
import { isKey, sentenceRow } from "../review/CallReview.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import { button, type Child, el } from "./Elements.ts"
import { tell } from "./Failures.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { rowsView } from "./RowsView.ts"
import { forgetSent, recallSent, sentHash } from "./SentRecord.ts"
import type { SignedPanel } from "./SignedPanel.ts"
import { mayBePasted, mayGoAgain, obstacle } from "./StepObstacle.ts"
import type { Ways } from "./TransactionForm.ts"
import { isUnsupported } from "./Wallet.ts"

const OTHER_HASH = "Paste the hash of what was sent"

class StepDesk {
  readonly #desk: PlanDesk
  readonly #reviewed: Reviewed
  readonly #step: Step
  readonly #changes: HTMLElement
  readonly #work = el("div", { class: "work" })

  constructor(desk: PlanDesk, reviewed: Reviewed, step: Step, changes: HTMLElement) {
    this.#changes = changes
    this.#desk = desk
    this.#reviewed = reviewed
    this.#step = step
  }

  get #name() {
    return { planId: this.#reviewed.plan.id, step: this.#step.index }
  }

  /** Loaded once there are signed bytes, or the wallet sends or has sent something. */
  async #signing(): Promise<SignedPanel> {
    const { SignedPanel } = await import("./SignedPanel.ts")
    const [desk, reviewed, { index }] = [this.#desk, this.#reviewed, this.#step]
    return new SignedPanel({ desk, reviewed, index, rows: this.#callRows() }, this.#work)
  }

  view(): Child {
    this.#showSent()
    const paste = (words: string) => this.#pasteButton(words)
    const alone = (words: string) => [el("div", { class: "actions" }, paste(words)), this.#work]
    if (mayGoAgain(this.#step)) return alone("Paste the step's own transaction again")
    if (sentHash(this.#name) !== undefined) return alone(OTHER_HASH)
    return [
      el(
        "div",
        { class: "actions" },
        button("Simulate", () => this.#run("Simulating…", () => this.#simulate())),
        button(
          "Prepare the transaction",
          () => this.#run("Asking the wallet…", () => this.#prepare()),
          "primary"
        ),
        paste("Paste a signed transaction")
      ),
      this.#work
    ]
  }

  #pasteButton(words: string): HTMLElement {
    return button(words, () => this.#run("Opening…", async () => (await this.#signing()).showPaste()))
  }

  /** What the tab may hand in by itself needs no click. */
  #showSent(): void {
    const { silentReader, stage, signed } = this.#desk
    const { index, transaction } = this.#step
    const given = signed.get(index)
    if (given === undefined && recallSent(this.#name) === undefined) return
    this.#signing().then(
      panel => {
        if (given !== undefined) return panel.show(given)
        panel.sending.show()
        if (silentReader !== undefined && transaction === undefined)
          stage.next("Looking for the transaction…", () => panel.sending.again())
      },
      failure => stage.warn(tell(failure))
    )
  }

  pasteView(): Child {
    this.#showSent()
    return [el("div", { class: "actions" }, this.#pasteButton(OTHER_HASH)), this.#work]
  }

  #run(doing: string, work: () => Promise<void>): void {
    this.#desk.stage.run(doing, work)
  }

  #callRows(): ReadonlyArray<ReviewRow> {
    const call = this.#reviewed.review.calls[this.#step.index]
    return call === undefined
      ? []
      : [
          sentenceRow(call),
          row("call", words(`${call.title} on ${call.chain}`)),
          ...call.rows.filter(isKey),
          { name: "every row", value: [], folded: true, rows: call.rows.filter(each => !isKey(each)) },
          { name: "arguments", value: [], folded: true, rows: call.arguments }
        ]
  }

  async #simulate(): Promise<void> {
    const { plan, review } = this.#reviewed
    const [{ simulationRows }, simulation] = await Promise.all([
      import("../review/SimulationRows.ts"),
      this.#desk.reader.plans.simulate(plan.id, this.#step.index)
    ])
    const changes = rowsView(balanceRows(simulation, plan, review.tokens))
    this.#changes.replaceChildren(plan.calls.length === 1 ? "" : `By step ${this.#step.index}:`, changes)
    this.#work.replaceChildren(el("h3", {}, "Simulated"), rowsView(simulationRows(simulation)))
  }

  async #prepare(): Promise<void> {
    const call = this.#reviewed.plan.calls[this.#step.index]
    if (call === undefined) return
    const asking = (work: () => Promise<void>) => this.#run("Waiting for the wallet…", work)
    const ways: Ways = {
      sign: ask => asking(() => this.#sign(ask)),
      send: ask => asking(async () => (await this.#signing()).sending.send(ask))
    }
    const { transactionForm } = await import("./TransactionForm.ts")
    this.#work.replaceChildren(...(await transactionForm(this.#desk.desk, call, this.#callRows(), ways)))
  }

  /** A wallet that cannot is offered to send instead. */
  async #sign(ask: () => Promise<string>): Promise<void> {
    try {
      const answer = await ask()
      await (await this.#signing()).accept(answer)
    } catch (failure) {
      if (!isUnsupported(failure)) throw failure
      await this.#prepare()
    }
  }
}

export const stepPanel = (desk: PlanDesk, reviewed: Reviewed, step: Step, changes: HTMLElement): Child => {
  const name = { planId: reviewed.plan.id, step: step.index }
  if (step.transaction !== undefined && step.transaction.hash === sentHash(name)) forgetSent(name)
  const reason = obstacle(desk, reviewed, step)
  const panel = () => new StepDesk(desk, reviewed, step, changes)
  if (reason === undefined) return panel().view()
  return [el("p", { class: "obstacle" }, reason), mayBePasted(reason) ? panel().pasteView() : undefined]
}
