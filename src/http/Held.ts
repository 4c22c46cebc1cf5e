/** Refusals that their clients wait for, told together once a second: who goes on asking then costs little, and the time is left to others. */
import { isDirect, type Proxies } from "./ClientAddress.ts"
import type { Exchange } from "./Exchange.ts"

/** Whether an address has spent its budget; through a proxy others would wait along. */
export const isToWait = (exchange: Exchange, proxies: Proxies): boolean =>
  exchange.code === "RATE_LIMITED" && exchange.quota === undefined && isDirect(exchange, proxies)

export class Held {
  readonly #tellings = new Map<Exchange, () => void>()

  /** Until it is told, nothing more is read from its connection. */
  add(exchange: Exchange, tell: () => void): void {
    exchange.request.socket.pause()
    this.#tellings.set(exchange, tell)
  }

  tellAll(): void {
    const tellings = [...this.#tellings]
    this.#tellings.clear()
    for (const [exchange, tell] of tellings) {
      tell()
      exchange.request.socket.resume()
    }
  }
}
