/** Calls encoded word by word, for clients that carry no encoder; texts are of hexadecimal digits. */

/** What stands after all heads, to which its head is the way. */
export interface Tail {
  readonly tail: string
}

const ABOVE = 1n << 256n

export const digitsOf = (hex: string): string => hex.slice(2).toLowerCase()

const WORD_DIGITS = 64

const filled = (digits: string): string => digits.padStart(WORD_DIGITS, "0")

/** Those that most words are: offsets, lengths, conditions. */
const SMALL_WORDS = Array.from({ length: 512 }, (_, value) => filled(value.toString(16)))

const wordOfInteger = (value: string | number | bigint): string => {
  const integer = BigInt(value)
  if (integer < 0n || integer >= ABOVE) throw new RangeError("not an integer of 256 bits")
  return filled(integer.toString(16))
}

const wordOfNumber = (value: number): string =>
  SMALL_WORDS[value] ??
  (Number.isSafeInteger(value) && value >= 0 ? filled(value.toString(16)) : wordOfInteger(value))

const ONE_WORD = /^0x[0-9a-f]{1,64}$/i
export const word = (value: string | number | bigint): string => {
  if (typeof value === "number") return wordOfNumber(value)
  if (typeof value === "string" && ONE_WORD.test(value)) return filled(digitsOf(value))
  return wordOfInteger(value)
}

const bytesIn = (digits: string): number => digits.length / 2

/** Its length, and the text filled up to whole words. */
export const tailOfBytes = (digits: string): Tail => ({
  tail: word(bytesIn(digits)) + digits.padEnd(Math.ceil(digits.length / 64) * 64, "0")
})

export const encodedMembers = (members: ReadonlyArray<string | Tail>): string => {
  let next = members.reduce((size, member) => size + (typeof member === "string" ? bytesIn(member) : 32), 0)
  let heads = ""
  let tails = ""
  for (const member of members)
    if (typeof member === "string") heads += member
    else {
      heads += word(next)
      tails += member.tail
      next += bytesIn(member.tail)
    }
  return heads + tails
}

export const tailOfList = (items: ReadonlyArray<string | Tail>): Tail => ({
  tail: word(items.length) + encodedMembers(items)
})

export const tailOfMembers = (members: ReadonlyArray<string | Tail>): Tail => ({
  tail: encodedMembers(members)
})
