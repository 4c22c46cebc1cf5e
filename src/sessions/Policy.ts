/** The bytes that say what a session may do. */
import { digitsOf, encodedMembers, type Tail, tailOfList, tailOfMembers, word } from "../values/AbiWords.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { SessionAction, SessionPolicy } from "./PolicyShape.ts"

const leftAligned = (bytes: Hex): string => digitsOf(bytes).padEnd(64, "0")

const tailOfAction = (action: SessionAction): Tail =>
  tailOfMembers([
    word(action.target),
    word(action.codeHash),
    leftAligned(action.selector),
    word(action.valueMode),
    word(action.allocation),
    word(action.minimumLength),
    word(action.maximumLength),
    word(action.perCall),
    word(action.total),
    tailOfList(
      action.rules.map(({ condition, offset, word: value }) => word(condition) + word(offset) + word(value))
    )
  ])

/** As `abi.encode` of one policy. */
export const encodePolicy = ({ gas, allocations, actions, ...policy }: SessionPolicy): Hex =>
  `0x${encodedMembers([
    tailOfMembers([
      word(policy.sessionKey),
      word(policy.generation),
      word(policy.nonce),
      word(policy.validAfter),
      word(policy.validUntil),
      word(policy.maximumCalls),
      word(gas.paymaster),
      word(gas.paymasterCodeHash),
      word(gas.paymasterDataLength),
      word(gas.maxGasPerOperation),
      word(gas.maxFeePerGas),
      word(gas.maxPriorityFeePerGas),
      word(gas.totalGas),
      word(gas.totalCost),
      tailOfList(allocations.map(({ id, asset, limit }) => word(id) + word(asset) + word(limit))),
      tailOfList(actions.map(tailOfAction))
    ])
  ])}`

const DIGITS = 64
const ALLOCATION_WORDS = 3
const RULE_WORDS = 3

/** Words from some place on, each cut to the bytes of its type: what does not fit is noticed when all is encoded again. */
interface Words {
  readonly hex: (index: number, bytes?: number) => Hex
  readonly integer: (index: number, bytes?: number) => bigint
  readonly text: (index: number, bytes?: number) => string
  readonly address: (index: number) => Address
  /** Of what stands behind the offset that this word is. */
  readonly behind: (index: number) => Words
  readonly from: (index: number) => Words
  /** How many items of so many words each the list here has, or as many as the bytes have room for. */
  readonly count: (wordsEach: number) => number
  readonly room: (wordsEach: number) => number
}

const wordsOf = (digits: string): Words => {
  const whole = (index: number) => digits.slice(index * DIGITS, (index + 1) * DIGITS).padEnd(DIGITS, "0")
  const hex = (index: number, bytes = 32): Hex => `0x${whole(index).slice(DIGITS - 2 * bytes)}`
  const integer = (index: number, bytes = 32) => BigInt(hex(index, bytes))
  const room = (wordsEach: number) => Math.floor(digits.length / DIGITS / wordsEach)
  const clamped = (value: bigint, limit: number) => (value > BigInt(limit) ? limit : Number(value))
  return {
    hex,
    integer,
    text: (index, bytes) => String(integer(index, bytes)),
    address: index => checksummed(hex(index, 20)),
    behind: index => wordsOf(digits.slice(2 * clamped(integer(index), digits.length))),
    from: index => wordsOf(digits.slice(index * DIGITS)),
    count: wordsEach => clamped(integer(0), room(wordsEach)),
    room
  }
}

const several = <A>(count: number, each: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => each(index))

const rulesIn = (list: Words) =>
  several(list.count(RULE_WORDS), index => {
    const at = list.from(1 + index * RULE_WORDS)
    return { condition: Number(at.integer(0, 1)), offset: Number(at.integer(1, 2)), word: at.hex(2) }
  })

const actionIn = (at: Words): SessionAction => ({
  target: at.address(0),
  codeHash: at.hex(1),
  selector: `0x${at.hex(2).slice(2, 10)}`,
  valueMode: Number(at.integer(3, 1)),
  allocation: Number(at.integer(4, 1)),
  minimumLength: Number(at.integer(5, 4)),
  maximumLength: Number(at.integer(6, 4)),
  perCall: at.text(7),
  total: at.text(8),
  rules: rulesIn(at.behind(9))
})

const allocationsIn = (list: Words) =>
  several(list.count(ALLOCATION_WORDS), index => {
    const at = list.from(1 + index * ALLOCATION_WORDS)
    return { id: at.hex(0), asset: at.address(1), limit: at.text(2) }
  })

/** None where they claim more rules than there are bytes, so that no bytes cost more than their own length to read. */
const actionsIn = (list: Words) => {
  const heads = list.from(1)
  const all = several(list.count(1), index => heads.behind(index))
  const rules = all.reduce((sum, action) => sum + action.behind(9).count(RULE_WORDS), 0)
  return rules > heads.room(RULE_WORDS) ? [] : all.map(actionIn)
}

const gasIn = (at: Words) => ({
  paymaster: at.address(0),
  paymasterCodeHash: at.hex(1),
  paymasterDataLength: Number(at.integer(2, 4)),
  maxGasPerOperation: at.text(3, 16),
  maxFeePerGas: at.text(4, 16),
  maxPriorityFeePerGas: at.text(5, 16),
  totalGas: at.text(6),
  totalCost: at.text(7)
})

/** The policy of which these bytes are the one encoding; undefined: they are of none. */
export const decodePolicy = (encoded: Hex): SessionPolicy | undefined => {
  const at = wordsOf(digitsOf(encoded)).behind(0)
  const policy = {
    sessionKey: at.address(0),
    generation: at.text(1, 8),
    nonce: at.hex(2),
    validAfter: Number(at.integer(3, 6)),
    validUntil: Number(at.integer(4, 6)),
    maximumCalls: Number(at.integer(5, 4)),
    gas: gasIn(at.from(6)),
    allocations: allocationsIn(at.behind(14)),
    actions: actionsIn(at.behind(15))
  }
  return encodePolicy(policy) === encoded.toLowerCase() ? policy : undefined
}
