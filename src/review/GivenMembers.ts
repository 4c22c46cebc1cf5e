/** Members of a text that others wrote, each in its one form or refused. */
import { isRecord } from "effect/Predicate"
import { getAddress, isAddress, isHex } from "viem"

export class Misshapen extends Error {
  override readonly name = "Misshapen"
}

type Members = Readonly<Record<string, unknown>>

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

export class GivenMembers {
  readonly #members: Members

  constructor(value: unknown) {
    if (!isRecord(value)) throw new Misshapen("no object")
    this.#members = value
  }

  /** Of the member by this name. */
  within(name: string): GivenMembers {
    return new GivenMembers(this.#members[name])
  }

  all(name: string): ReadonlyArray<GivenMembers> {
    const value = this.#members[name]
    if (!Array.isArray(value)) throw new Misshapen(`no list: ${name}`)
    return value.map(each => new GivenMembers(each))
  }

  plain(name: string): unknown {
    return this.#members[name]
  }

  text(name: string): string {
    const value = this.#members[name]
    if (typeof value === "string") return value
    throw new Misshapen(`no text: ${name}`)
  }

  number(name: string): number {
    const value = this.#members[name]
    if (isInteger(value) && value >= 0) return value
    throw new Misshapen(`no number: ${name}`)
  }

  /** In decimal digits. */
  integer(name: string): bigint {
    const text = this.text(name)
    if (/^(?:0|[1-9][0-9]{0,77})$/.test(text)) return BigInt(text)
    throw new Misshapen(`no integer: ${name}`)
  }

  hex(name: string): `0x${string}` {
    const text = this.text(name)
    if (isHex(text) && text.length % 2 === 0) return text
    throw new Misshapen(`no bytes: ${name}`)
  }

  address(name: string): `0x${string}` {
    const text = this.text(name)
    if (isAddress(text)) return getAddress(text)
    throw new Misshapen(`no address: ${name}`)
  }

  addresses(name: string): ReadonlyArray<`0x${string}`> {
    const value = this.#members[name]
    if (!Array.isArray(value)) throw new Misshapen(`no list: ${name}`)
    return value.map(each => new GivenMembers({ [name]: each }).address(name))
  }
}
