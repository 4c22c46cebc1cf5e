/** Wallet contracts assembled by hand: a few that say yes rightly, and many that lie, break or burn when asked. */

type Hex = `0x${string}`

export interface Wallet {
  readonly name: string
  readonly accepts: boolean
  readonly code: string
  /** Where its address decides. */
  readonly at?: Hex
}

const MAGIC = `1626ba7e${"00".repeat(28)}`

const push = (hex: string): string => (0x5f + hex.length / 2).toString(16) + hex
const number = (value: number): string => {
  const hex = value.toString(16)
  return push(hex.length % 2 === 0 ? hex : `0${hex}`)
}

const STOP = "00"
const CODE = {
  eq: "14",
  iszero: "15",
  mul: "02",
  load: "35",
  size: "36",
  copy: "37",
  store: "52",
  sload: "54",
  sstore: "55"
}

const storeAt = (offset: number, word: string) => `${push(word)}${number(offset)}${CODE.store}`
const giveBack = (bytes: number) => `${number(bytes)}${number(0)}f3`
const revert = (bytes: number) => `${number(bytes)}${number(0)}fd`
const saying = (word: string, bytes = 32) => `${storeAt(0, word)}${giveBack(bytes)}`
/** The word on top of the stack, as its whole answer. */
const sayTop = `${number(0)}${CODE.store}${giveBack(32)}`
/** The magic word where the top of the stack is one, nothing but zeros where it is zero. */
const magicIf = `${push(MAGIC)}${CODE.mul}${sayTop}`

const word = (hex: string) => hex.padStart(64, "0")
const left = (hex: string) => hex.padEnd(64, "0")
const DIGEST = `${number(4)}${CODE.load}`

const CALL_SELF = "5f5f5f5f5f305af1"

export const YES = saying(MAGIC)

/** Says yes to the one digest that its first storage slot holds. */
export const BOUND = `${DIGEST}${number(0)}${CODE.sload}${CODE.eq}${magicIf}`

const lies: Readonly<Record<string, string>> = {
  "stops without a word": STOP,
  "gives back nothing": giveBack(0),
  "gives back four bytes": saying(MAGIC, 4),
  "gives back 31 bytes": saying(MAGIC, 31),
  "gives back 33 bytes": saying(MAGIC, 33),
  "gives back two words": saying(MAGIC, 64),
  "gives back three words": saying(MAGIC, 96),
  "gives back the word as ABI bytes": `${storeAt(0, word("20"))}${storeAt(32, word("20"))}${storeAt(64, MAGIC)}${giveBack(96)}`,
  "gives back the word and a long tail": saying(MAGIC, 100_000),
  "says zero": saying(word("")),
  "says true": saying(word("1")),
  "says all ones": saying("ff".repeat(32)),
  "says the failure word": saying(left("ffffffff")),
  "says the legacy word": saying(left("20c13b0b")),
  "says the word of ERC-1654": saying(left("b0671381")),
  "says the word of ERC-721": saying(left("150b7a02")),
  "pads the word on the left": saying(word("1626ba7e")),
  "has a bit more at the end": saying(`${MAGIC.slice(0, -1)}1`),
  "has a bit more after the word": saying(`1626ba7e80${MAGIC.slice(10)}`),
  "misses one bit of the word": saying(`1626ba7c${MAGIC.slice(8)}`),
  "misses the first byte": saying(`0026ba7e${MAGIC.slice(8)}`),
  "shifts the word by a byte": saying(left("001626ba7e")),
  "doubles the word": saying(left("1626ba7e1626ba7e")),
  "echoes the call": `${CODE.size}5f5f${CODE.copy}${CODE.size}5ff3`,
  "echoes the first word of the call": `5f${CODE.load}${sayTop}`,
  "echoes the digest": `${DIGEST}${sayTop}`,
  "echoes its address": `30${sayTop}`,
  "says how much gas there is": `5a${sayTop}`,
  reverts: revert(0),
  "reverts with the word": `${storeAt(0, MAGIC)}${revert(32)}`,
  "reverts with a reason": `${storeAt(0, left("08c379a0"))}${revert(100)}`,
  "reverts with 300 KB": `${storeAt(0, MAGIC)}${revert(300_000)}`,
  "gives back 300 KB": `${storeAt(0, MAGIC)}${giveBack(300_000)}`,
  "reverts with 10 MB": `${storeAt(0, MAGIC)}${revert(10_000_000)}`,
  "gives back 10 MB": `${storeAt(0, MAGIC)}${giveBack(10_000_000)}`,
  "asks for all memory": `${storeAt(0, MAGIC)}${push("ff".repeat(8))}5ff3`,
  "burns all gas in a loop": "5b5f56",
  "burns all gas by an invalid opcode": "fe",
  "burns all gas in calls of itself": `${CALL_SELF}${"5b5f56"}`,
  "has an undefined opcode": "0c",
  "underflows its stack": "01",
  "jumps nowhere": "60ff56",
  "destroys itself": "30ff",
  "says yes only to nobody's digest": `${DIGEST}${CODE.iszero}${magicIf}`,
  "says yes only without a call": `${CODE.size}${CODE.iszero}${magicIf}`,
  "says yes only to a real transaction": `3a${CODE.iszero}${CODE.iszero}${magicIf}`,
  "says yes only to its owner": `33${push("11".repeat(20))}${CODE.eq}${magicIf}`,
  "says yes only with gas for a block": `${push("01c9c380")}5a11${magicIf}`,
  "delegates to nobody": `363d3d373d3d3d363d73${"12".repeat(20)}5af43d82803e903d91602b57fd5bf3`,
  "has the text of a page for code": Buffer.from("<html></html>").toString("hex")
}

const AN_EOA_DELEGATE = `ef0100${"c0de".repeat(10)}`

/** The delegate's own address, which says yes. */
export const DELEGATE: Hex = `0x${"c0de".repeat(10)}`

const placed: ReadonlyArray<Wallet> = [
  { name: "an EIP-7702 delegation to one that says yes", accepts: false, code: AN_EOA_DELEGATE },
  { name: "an EIP-7702 delegation to nobody", accepts: false, code: `ef0100${"12".repeat(20)}` },
  { name: "no code at all", accepts: false, code: "" },
  ...["01", "02", "03", "04", "05", "06", "09", "0a", "64", "0100"].map(
    (low): Wallet => ({
      name: `a yes at the precompile address ${low}`,
      accepts: false,
      code: YES,
      at: `0x${low.padStart(40, "0")}`
    })
  )
]

export const wallets: ReadonlyArray<Wallet> = [
  { name: "says yes", accepts: true, code: YES },
  {
    name: "says yes through a clone",
    accepts: true,
    code: `363d3d373d3d3d363d73${DELEGATE.slice(2)}5af43d82803e903d91602b57fd5bf3`
  },
  { name: "writes and says yes", accepts: true, code: `60015f${CODE.sstore}${YES}` },
  ...Object.entries(lies).map(([name, code]): Wallet => ({ name, accepts: false, code })),
  ...placed
]
