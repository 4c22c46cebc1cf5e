/** Looks again and again, ever less often, until there is nothing more to see; a hidden page does not look. */
import { ServiceProblem } from "../client/Errors.ts"

const FIRST_MILLIS = 500
const LONGEST_MILLIS = 8_000
const GROWTH = 1.5

interface Looks {
  /** What changed is looked at sooner again. */
  readonly look: () => Promise<"changed" | "same" | "over">
  readonly failed: (failure: unknown, againInSeconds: number) => void
}

const retryAfter = (failure: unknown): number =>
  failure instanceof ServiceProblem ? (failure.retryAfterSeconds ?? 0) * 1000 : 0

export class Follower {
  readonly #looks: Looks
  #stopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #pause = FIRST_MILLIS
  readonly #shown = () => {
    if (!document.hidden && this.#timer === undefined) this.#later(0)
  }

  constructor(looks: Looks) {
    this.#looks = looks
    document.addEventListener("visibilitychange", this.#shown)
    this.#later(0)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    document.removeEventListener("visibilitychange", this.#shown)
  }

  #later(millis: number): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => this.#tick(), millis)
  }

  async #tick(): Promise<void> {
    if (document.hidden) {
      this.#timer = undefined
      return
    }
    try {
      const seen = await this.#looks.look()
      if (seen === "over") return this.stop()
      this.#pause = seen === "changed" ? FIRST_MILLIS : Math.min(this.#pause * GROWTH, LONGEST_MILLIS)
    } catch (failure) {
      this.#pause = Math.max(retryAfter(failure), Math.min(this.#pause * 2, LONGEST_MILLIS))
      if (!this.#stopped) this.#looks.failed(failure, Math.ceil(this.#pause / 1000))
    }
    this.#later(this.#pause)
  }
}
