/** The server's time as far as its answers told it: signed windows begin on its clock, not on this machine's. */
import type { System } from "./System.ts"

/** A `Date` header is cut to whole seconds; its middle is the best guess. */
const HALF_SECOND = 500
const TOLERATED_MILLIS = 2_000

export class ServiceClock {
  readonly #system: System
  #offset = 0

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

  learnSeconds(serverSeconds: number): void {
    this.#offset = serverSeconds * 1000 + HALF_SECOND - this.#system.now()
  }

  /** Browsers show no `Date` header of another origin; then nothing is learned here. */
  learnDate(header: string | null): void {
    const millis = Date.parse(header ?? "")
    if (Number.isFinite(millis)) this.learnSeconds(millis / 1000)
  }

  hasMovedFrom(offsetMillis: number): boolean {
    return Math.abs(this.#offset - offsetMillis) > TOLERATED_MILLIS
  }
}
