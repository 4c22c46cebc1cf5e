/** Whether a recorded value and one from the sandbox say the same, apart from addresses that only the chain decides. */
import { type Address, getAddress, isAddress, isHex } from "viem"
import type { Value } from "../Recording.ts"
import { sharedNames } from "../Stored.ts"
import { poolWords } from "./Pools.ts"

export interface Unlike {
  /** Where in the value, by the recorded names. */
  readonly at: string
  readonly recorded: unknown
  readonly actual: unknown
}

/** Clones stand where nonces and salts put them. */
const isClone = (name: string) =>
  /^(token|721 hook|sucker|revnet|project) /.test(name) || name.startsWith("sucker")

const fixed = new Set(
  Object.entries(sharedNames).flatMap(([name, address]) => (isClone(name) ? [] : [address.toLowerCase()]))
)

const bare = (address: string) => address.slice(2).toLowerCase()

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !isList(value)

const membersOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> | undefined =>
  isList(value) || isRecord(value) ? Object.entries(value) : undefined

/** Which address of the sandbox stands for which recorded one; each meeting may teach one more. */
export class Addresses {
  readonly #known = new Map<string, string>()
  readonly #taken = new Set<string>()

  bind(recorded: string, actual: string): void {
    this.#known.set(bare(recorded), bare(actual))
    this.#taken.add(bare(actual))
    if (!isAddress(recorded) || !isAddress(actual)) return
    for (const [word, here] of poolWords(recorded, actual)) this.#known.set(bare(word), bare(here))
  }

  here(address: Address): Address {
    const known = this.#known.get(bare(address))
    return known === undefined ? address : getAddress(`0x${known}`)
  }

  /** The same value with the sandbox's addresses, in bytes too. */
  translated(value: Value): Value {
    if (typeof value === "string") return this.#text(value)
    if (typeof value !== "object" || value === null) return value
    if (isList(value)) return value.map(member => this.translated(member))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.translated(member)]))
  }

  unlike(recorded: Value, actual: unknown, at = ""): ReadonlyArray<Unlike> {
    if (typeof recorded === "string" && typeof actual === "string") {
      return this.#same(recorded, actual) ? [] : [{ at, recorded, actual }]
    }
    const [one, other] = [membersOf(recorded), membersOf(actual)]
    if (one === undefined || other === undefined) return recorded === actual ? [] : [{ at, recorded, actual }]
    if (one.length !== other.length) return [{ at, recorded, actual }]
    return Object.entries(isList(recorded) ? { ...recorded } : (recorded ?? {})).flatMap(
      ([name, value], index) => this.unlike(value, other[index]?.[1], at === "" ? name : `${at}.${name}`)
    )
  }

  #text(text: string): string {
    if (isAddress(text)) return this.here(text)
    return isHex(text) ? this.#bytes(text) : text
  }

  #bytes(text: string): string {
    if (this.#known.size === 0) return text.toLowerCase()
    const recorded = new RegExp([...this.#known.keys()].join("|"), "g")
    return text.toLowerCase().replace(recorded, found => this.#known.get(found) ?? found)
  }

  #same(recorded: string, actual: string): boolean {
    if (recorded === actual) return true
    if (!isHex(recorded) || !isHex(actual)) return false
    if (!isAddress(recorded) || !isAddress(actual)) return this.#bytes(recorded) === actual.toLowerCase()
    const known = this.#known.get(bare(recorded))
    if (known !== undefined) return known === bare(actual)
    if (bare(recorded) === bare(actual)) return true
    if (
      fixed.has(recorded.toLowerCase()) ||
      fixed.has(actual.toLowerCase()) ||
      this.#taken.has(bare(actual))
    ) {
      return false
    }
    this.bind(recorded, actual)
    return true
  }
}
