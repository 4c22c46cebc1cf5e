/** Calls encoded word by word, for clients that carry no encoder; texts are of hexadecimal digits. */

/** What stands after all heads, to which its head is the way. */
export interface Tail {
  readonly tail: string
}

const BITS = 256n

export const word = (value: string | number | bigint): string => {
  const integer = BigInt(value)
  if (integer < 0n || integer >= 1n << BITS) throw new RangeError("not an integer of 256 bits")
  return integer.toString(16).padStart(64, "0")
}

export const digitsOf = (hex: string): string => hex.slice(2).toLowerCase()

const bytesIn = (digits: string): number => digits.length / 2

/** Its length, and the text filled up to whole words. */
export const tailOfBytes = (digits: string): Tail => ({
  tail: word(bytesIn(digits)) + digits.padEnd(Math.ceil(digits.length / 64) * 64, "0")
})

export const encodedMembers = (members: ReadonlyArray<string | Tail>): string => {
  const tails = members.flatMap(member => (typeof member === "string" ? [] : [member.tail]))
  let next = members.reduce((size, member) => size + (typeof member === "string" ? bytesIn(member) : 32), 0)
  const heads = members.map(member => {
    if (typeof member === "string") return member
    const head = word(next)
    next += bytesIn(member.tail)
    return head
  })
  return [...heads, ...tails].join("")
}

export const tailOfList = (items: ReadonlyArray<string | Tail>): Tail => ({
  tail: word(items.length) + encodedMembers(items)
})

export const tailOfMembers = (members: ReadonlyArray<string | Tail>): Tail => ({
  tail: encodedMembers(members)
})
