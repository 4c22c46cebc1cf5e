/** Answers the program of packed calls as its creation code would, for what each address says and the hash of its code. */
import { type Hex, keccak256, zeroHash } from "viem"
import { PACKED_CALLS } from "../../src/protocol/PackedCalls.ts"

export const isPackedCalls = (code: string): boolean => code.startsWith(PACKED_CALLS)

interface Contracts {
  /** Undefined where the call does not succeed. */
  readonly call: (to: Hex, data: Hex) => Hex | undefined
  readonly codeHash: (address: Hex) => Hex
}

const CODE_HASH = 0xffff
const WORD = 64

const row = (told: boolean, data: string): string =>
  `${told ? "01" : "00"}${(data.length / 2).toString(16).padStart(8, "0")}${data}`

export const answerPackedCalls = (program: string, { call, codeHash }: Contracts): Hex => {
  const argument = program.slice(PACKED_CALLS.length)
  const asked = argument.slice(2 * WORD, 2 * WORD + 2 * Number.parseInt(argument.slice(WORD, 2 * WORD), 16))
  let [at, answered] = [0, ""]
  while (at < asked.length) {
    const to: Hex = `0x${asked.slice(at, at + 40)}`
    const size = Number.parseInt(asked.slice(at + 40, at + 44), 16)
    const data = at + 44
    at = size === CODE_HASH ? data : data + 2 * size
    if (size === CODE_HASH) answered += row(true, codeHash(to).slice(2))
    else {
      const told = call(to, `0x${asked.slice(data, at)}`)
      answered += row(told !== undefined, told?.slice(2) ?? "")
    }
  }
  return `0x${answered}`
}

type Results = Readonly<Record<string, (first: unknown, second: unknown) => unknown>>

const hexOf = (value: unknown): Hex => `0x${String(value).slice(2)}`

/** What a chain answers by method, and the program by the same. */
export const runningPacked = (results: Results): Results => {
  const hashes = new Map<unknown, Hex>()
  const codeHash = (address: Hex): Hex => {
    const code = results.eth_getCode?.(address, undefined)
    const hash = hashes.get(code) ?? keccak256(hexOf(code))
    hashes.set(code, hash)
    return hash
  }
  const call = (to: Hex, data: Hex): Hex => hexOf(results.eth_call?.({ to, data }, undefined) ?? zeroHash)
  return {
    ...results,
    eth_call: (asked, at) => {
      const data = String(Object(asked).data)
      return isPackedCalls(data) ? answerPackedCalls(data, { call, codeHash }) : results.eth_call?.(asked, at)
    }
  }
}
