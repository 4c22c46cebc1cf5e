/** Where the page says what it is doing and what went wrong; one thing is done at a time. */
import { button, type Child, el, paragraph } from "./Elements.ts"
import { type ToldFailure, tell } from "./Failures.ts"
import { rowsView } from "./RowsView.ts"
import { type Provider, switchChain } from "./Wallet.ts"

export class Stage {
  readonly #status = el("p", { role: "status", class: "status" })
  readonly #alert = el("div", { role: "alert" })
  readonly #content = el("div", {})
  readonly #provider: Provider | undefined
  #busy = false
  /** By what is said of them: the same is not done twice. */
  readonly #waiting = new Map<string, () => Promise<void>>()
  #disabled: ReadonlyArray<HTMLButtonElement> = []
  #focused: Element | null = null

  constructor(root: HTMLElement, provider: Provider | undefined) {
    this.#provider = provider
    root.replaceChildren(this.#status, this.#alert, this.#content)
  }

  show(...children: ReadonlyArray<Child>): void {
    this.#content.replaceChildren(el("div", {}, children))
  }

  run(doing: string, work: () => Promise<void>): void {
    if (this.#busy) return
    this.#begin(doing)
    work()
      .catch((failure: unknown) => this.warn(tell(failure)))
      .finally(() => this.#end())
  }

  /** The same, once what is being done is done. */
  next(doing: string, work: () => Promise<void>): void {
    if (!this.#busy) {
      this.run(doing, work)
      return
    }
    if (!this.#waiting.has(doing)) this.#status.textContent = `${this.#status.textContent} Then: ${doing}`
    this.#waiting.set(doing, work)
  }

  warn(told: ToldFailure): void {
    this.#alert.replaceChildren(this.#notice(told))
    this.#alert.scrollIntoView({ block: "nearest" })
  }

  #begin(doing: string): void {
    this.#busy = true
    this.#alert.replaceChildren()
    this.#status.textContent = doing
    this.#content.setAttribute("aria-busy", "true")
    this.#focused = document.activeElement
    this.#disabled = [...this.#content.querySelectorAll("button")].filter(({ disabled }) => !disabled)
    for (const element of this.#disabled) element.disabled = true
  }

  #end(): void {
    this.#busy = false
    this.#status.textContent = ""
    this.#content.setAttribute("aria-busy", "false")
    for (const element of this.#disabled) element.disabled = false
    this.#refocus()
    this.#goOn()
  }

  #goOn(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    const [doing, work] = next
    this.#waiting.delete(doing)
    this.run(doing, work)
  }

  /** What is disabled loses the focus for good. */
  #refocus(): void {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && this.#focused instanceof HTMLElement) this.#focused.focus({ preventScroll: true })
    this.#focused = null
  }

  #notice({ title, advice, rows, chainId }: ToldFailure): HTMLElement {
    return el(
      "section",
      { class: "notice" },
      el("h2", {}, title),
      paragraph(advice),
      rowsView(rows),
      chainId === undefined ? undefined : this.#switchButton(chainId)
    )
  }

  #switchButton(chainId: number): Child {
    const provider = this.#provider
    if (provider === undefined) return undefined
    const act = () => this.run("Waiting for the wallet…", () => switchChain(provider, chainId))
    return button(`Switch the wallet to chain ${chainId}`, act, "primary")
  }
}
