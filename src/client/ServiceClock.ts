/** The server's time as far as its answers told it: signed windows begin on its clock, not on this machine's. */
import type { System } from "./System.ts"

/** A `Date` header is cut to whole seconds; its middle is the best guess. */
const HALF_SECOND = 500
const TOLERATED_MILLIS = 2_000

export class ServiceClock {
  readonly #system: System
  #offset = 0
  #isTold = false

  constructor(system: System) {
    this.#system = system
  }

  /** Milliseconds that the server is ahead of this machine. */
  get offsetMillis(): number {
    return this.#offset
  }

  seconds(): number {
    return Math.floor((this.#system.now() + this.#offset) / 1000)
  }

  /** Whether the service itself has told its time. */
  get isTold(): boolean {
    return this.#isTold
  }

  /** From the service's own words, which a proxy does not write: dates are not believed any more. */
  learnSeconds(serverSeconds: number): void {
    this.#isTold = true
    this.#set(serverSeconds)
  }

  /** Browsers show no `Date` header of another origin; then nothing is learned here. */
  learnDate(header: string | null): void {
    const millis = Date.parse(header ?? "")
    if (Number.isFinite(millis) && !this.#isTold) this.#set(millis / 1000)
  }

  #set(serverSeconds: number): void {
    this.#offset = serverSeconds * 1000 + HALF_SECOND - this.#system.now()
  }

  hasMovedFrom(offsetMillis: number): boolean {
    return Math.abs(this.#offset - offsetMillis) > TOLERATED_MILLIS
  }
}
