/** Random policies that a guard takes, and what makes each of them one that it refuses. */
import { keccak256 } from "viem"
import type { SessionAction, SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { type Address, type Hex, ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { contracts, ENTRY_POINT, GUARD } from "../../smartaccounts/support/Wallets.ts"
import type { Dice } from "../../support/Dice.ts"

/** What stands where a case takes place; no case shares an address with another. */
export interface Place {
  readonly account: Address
  readonly targets: ReadonlyArray<Address>
  readonly paymaster: Address
  /** Of all of them; what is not there has no account. */
  readonly codes: ReadonlyMap<Address, Hex>
  /** Has ether and no code. */
  readonly person: Address
  readonly nobody: Address
  readonly sessionKey: Address
  readonly now: number
}

const ZERO: Hex = `0x${"00".repeat(32)}`
export const NO_CODE = keccak256("0x")
const DAY = 86_400
const MOST_128 = String(2n ** 128n - 1n)
const MOST_256 = String(2n ** 256n - 1n)

const times = <A>(count: number, each: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => each(index))

export const wordOf = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`

/** Few as a rule, and sometimes as many as there may be. */
const several = (dice: Dice, least: number): number =>
  dice.chance(0.05) ? 16 : least + dice.below(4 - least)

export const hashAt = ({ codes, person }: Place, address: Address): Hex => {
  const code = codes.get(address)
  return code === undefined ? (address === person ? NO_CODE : ZERO) : keccak256(code)
}

const randomRules = (dice: Dice, perCall: bigint | undefined): SessionAction["rules"] => {
  const count = several(dice, perCall === undefined ? 0 : 1)
  const counted = dice.below(count)
  let offset = 32 * dice.below(3)
  return times(count, index => {
    const at = offset
    offset += 32 * (1 + dice.below(2))
    return perCall !== undefined && index === counted
      ? { condition: 1, offset: at, word: wordOf(perCall) }
      : { condition: 0, offset: at, word: dice.bytes(32) }
  })
}

const randomAction = (
  dice: Dice,
  place: Place,
  allocations: SessionPolicy["allocations"],
  index: number
): SessionAction => {
  const target = dice.pick(place.targets)
  const perCall = dice.chance(0.8) ? BigInt(1 + dice.below(1000)) : undefined
  const rules = randomRules(dice, perCall)
  const minimumLength = 4 + (rules.at(-1)?.offset ?? -32) + 32 + dice.pick([0, 1, 32])
  const isAllocated = perCall !== undefined && allocations.length > 0 && dice.chance(0.7)
  return {
    target,
    codeHash: hashAt(place, target),
    selector: `0x${dice.bytes(3).slice(2)}${index.toString(16).padStart(2, "0")}`,
    valueMode: perCall !== undefined && dice.chance(0.3) ? 1 : 0,
    allocation: isAllocated ? dice.below(allocations.length) : 255,
    minimumLength,
    maximumLength: minimumLength + dice.pick([0, 1, 40]),
    perCall: String(perCall ?? 0n),
    total: String((perCall ?? 0n) * BigInt(1 + dice.below(3))),
    rules
  }
}

const randomGas = (dice: Dice, place: Place): SessionPolicy["gas"] => {
  const isPaid = dice.chance(0.4)
  const gas = BigInt(300_000 + dice.below(2_000_000))
  const fee = BigInt(1 + dice.below(5_000_000_000))
  const operations = BigInt(1 + dice.below(12))
  return {
    paymaster: isPaid ? place.paymaster : ZERO_ADDRESS,
    paymasterCodeHash: isPaid ? hashAt(place, place.paymaster) : ZERO,
    paymasterDataLength: isPaid ? dice.pick([0, 1, 77]) : 0,
    maxGasPerOperation: String(gas),
    maxFeePerGas: String(fee),
    maxPriorityFeePerGas: String(dice.pick([0n, fee])),
    totalGas: dice.chance(0.1) ? MOST_256 : String(gas * operations),
    totalCost: dice.chance(0.1) ? MOST_256 : String(gas * fee * operations)
  }
}

export const randomPolicy = (dice: Dice, place: Place): SessionPolicy => {
  const allocations = times(several(dice, 0), () => ({
    id: dice.bytes(32),
    asset: dice.pick(place.targets),
    limit: String(3_000 + dice.below(1_000))
  }))
  const validAfter = place.now + dice.pick([-6 * DAY, -30, 0, DAY])
  return {
    sessionKey: place.sessionKey,
    generation: String(dice.pick([1n, 2n ** 64n - 1n])),
    nonce: dice.bytes(32),
    validAfter,
    validUntil: validAfter + dice.pick([7 * DAY, 30 * DAY]),
    maximumCalls: dice.pick([1, 5, 100_000, 100_000]),
    gas: randomGas(dice, place),
    allocations,
    actions: times(several(dice, 1), index => randomAction(dice, place, allocations, index))
  }
}

type Change = (policy: SessionPolicy, dice: Dice, place: Place) => Partial<SessionPolicy>

const inGas =
  (change: (gas: SessionPolicy["gas"], place: Place) => Partial<SessionPolicy["gas"]>): Change =>
  ({ gas }, _, place) => ({ gas: { ...gas, ...change(gas, place) } })

/** In one of the actions. */
const inAction =
  (change: (action: SessionAction, dice: Dice, place: Place) => Partial<SessionAction>): Change =>
  ({ actions }, dice, place) => {
    const chosen = dice.below(actions.length)
    return {
      actions: actions.map((action, index) =>
        index === chosen ? { ...action, ...change(action, dice, place) } : action
      )
    }
  }

const less = (text: string): string => String(BigInt(text) - 1n)
const more = (text: string): string => String(BigInt(text) + 1n)

const counting = (action: SessionAction, count: number): Partial<SessionAction> => {
  const rules = times(count, index => ({ condition: 1, offset: 32 * index, word: wordOf(5n) }))
  const minimumLength = 4 + 32 * count
  return {
    rules,
    minimumLength,
    maximumLength: minimumLength,
    perCall: "5",
    total: "5",
    allocation: 255,
    valueMode: action.valueMode
  }
}

const named: ReadonlyArray<Change> = [
  () => ({ sessionKey: ZERO_ADDRESS }),
  () => ({ nonce: ZERO }),
  () => ({ generation: "0" }),
  ({ validUntil }) => ({ validUntil: validUntil + 1 }),
  ({ validUntil }) => ({ validUntil: validUntil - 1 }),
  (_, __, { now }) => ({ validAfter: now - 7 * DAY, validUntil: now }),
  (_, __, { now }) => ({ validAfter: now - 7 * DAY + 1, validUntil: now + 1 }),
  (_, __, { now }) => ({ validAfter: now + DAY + 1, validUntil: now + 8 * DAY + 1 }),
  ({ validUntil }) => ({ validAfter: validUntil, validUntil }),
  () => ({ maximumCalls: 0 }),
  () => ({ maximumCalls: 100_001 }),
  ({ allocations: [one, ...others] }) => ({ allocations: one ? [{ ...one, id: ZERO }, ...others] : [] }),
  ({ allocations: [one, ...others] }) => ({ allocations: one ? [{ ...one, limit: "0" }, ...others] : [] }),
  () => ({ actions: [] }),
  ({ actions: [one] }) => ({
    actions: one
      ? times(17, index => ({ ...one, selector: `0x000000${index.toString(16).padStart(2, "0")}` as const }))
      : []
  }),
  ({ allocations }, dice, { targets }) => ({
    allocations: [
      ...allocations,
      ...times(17, () => ({ id: dice.bytes(32), asset: dice.pick(targets), limit: "9" }))
    ]
  }),
  ({ actions }) => ({ actions: [...actions, ...actions.slice(0, 1)] })
]

const budgets: ReadonlyArray<Change> = [
  inGas(() => ({ maxGasPerOperation: "0" })),
  inGas(() => ({ maxGasPerOperation: MOST_128, maxFeePerGas: MOST_128 })),
  inGas(() => ({
    maxGasPerOperation: MOST_128,
    maxFeePerGas: MOST_128,
    totalGas: MOST_256,
    totalCost: MOST_256
  })),
  inGas(() => ({ maxFeePerGas: "0", maxPriorityFeePerGas: "0" })),
  inGas(({ maxFeePerGas }) => ({ maxPriorityFeePerGas: more(maxFeePerGas) })),
  inGas(({ maxGasPerOperation }) => ({ totalGas: less(maxGasPerOperation) })),
  inGas(({ maxGasPerOperation, maxFeePerGas }) => ({
    totalCost: less(String(BigInt(maxGasPerOperation) * BigInt(maxFeePerGas)))
  })),
  inGas(() => ({ paymasterDataLength: 1_025 })),
  inGas(({ paymaster }) => ({ paymasterDataLength: paymaster === ZERO_ADDRESS ? 1 : 1_024 })),
  inGas(() => ({ paymasterCodeHash: NO_CODE })),
  inGas((_, { person }) => ({ paymaster: person, paymasterCodeHash: NO_CODE })),
  inGas((_, { nobody }) => ({ paymaster: nobody, paymasterCodeHash: ZERO }))
]

const acts: ReadonlyArray<Change> = [
  inAction(action => ({
    rules: times(17, index => ({ condition: 0, offset: 32 * index, word: ZERO })),
    minimumLength: 4 + 32 * 17,
    maximumLength: action.maximumLength + 600
  })),
  inAction((_, __, { account }) => ({ target: account })),
  inAction(() => ({ target: GUARD })),
  inAction(() => ({ target: ENTRY_POINT })),
  inAction(() => ({ target: contracts.adapter })),
  inAction((_, dice) => ({ codeHash: dice.bytes(32) })),
  inAction((_, __, { person }) => ({ target: person, codeHash: NO_CODE })),
  inAction((_, __, { nobody }) => ({ target: nobody, codeHash: ZERO })),
  inAction(() => ({ valueMode: 2 })),
  inAction(() => ({ minimumLength: 3, rules: [], perCall: "0", total: "0", allocation: 255, valueMode: 0 })),
  inAction(({ minimumLength }) => ({ maximumLength: minimumLength - 1 })),
  inAction(({ rules }) => ({ minimumLength: 3 + (rules.at(-1)?.offset ?? -31) + 32 })),
  inAction(({ rules }) => ({
    rules: rules.map((rule, index) => (index === 0 ? { ...rule, condition: 2 } : rule))
  })),
  inAction(({ rules }) => ({
    rules: rules.map((rule, index) => (index === 0 ? { ...rule, offset: rule.offset + 1 } : rule))
  })),
  inAction(({ rules }) => ({ rules: [...rules].reverse() })),
  inAction(({ rules }) => ({ rules: [...rules, ...rules.slice(-1)] })),
  inAction(action => counting(action, 1)),
  inAction(action => counting(action, 2)),
  inAction(({ perCall }) => ({ perCall: more(perCall) })),
  inAction(action => ({
    ...counting(action, 1),
    perCall: "0",
    total: "0",
    rules: [{ condition: 1, offset: 0, word: ZERO }]
  })),
  inAction(action => ({ ...counting(action, 1), total: "4" })),
  inAction(action => ({ ...counting(action, 1), allocation: 16 })),
  inAction(action => ({ ...counting(action, 1), allocation: 254 })),
  inAction(action => ({ ...counting(action, 1), allocation: 0, total: "100000" })),
  inAction(action => ({ ...counting(action, 0), perCall: "0", total: "0", valueMode: 1 })),
  inAction(action => ({ ...counting(action, 0), perCall: "0", total: "1", valueMode: 0 })),
  inAction(action => ({ ...counting(action, 0), perCall: "1", total: "1", valueMode: 0 })),
  inAction(action => ({ ...counting(action, 0), perCall: "0", total: "0", valueMode: 0, allocation: 0 })),
  ({ actions }) => ({ actions: actions.map(action => ({ ...action, selector: "0x00000000" })) })
]

/** Each makes another policy of one, most of which no guard takes. */
export const policyChanges: ReadonlyArray<Change> = [...named, ...budgets, ...acts]

const at = (encoded: Hex, index: number, digits: string): Hex =>
  `0x${encoded.slice(2, index)}${digits}${encoded.slice(index + digits.length)}`

const WORD = 64

/** Each makes other bytes of those of a policy. */
export const encodingChanges: ReadonlyArray<(encoded: Hex, dice: Dice) => Hex> = [
  encoded => `${encoded}00`,
  encoded => `${encoded}${"00".repeat(32)}`,
  encoded => `0x${encoded.slice(2, -2)}`,
  encoded => `0x${encoded.slice(2, -WORD)}`,
  (encoded, dice) => `0x${encoded.slice(2, 2 + 2 * dice.below(encoded.length / 2))}`,
  () => "0x",
  (encoded, dice) => at(encoded, 2 + WORD * dice.below((encoded.length - 2) / WORD), "01"),
  (encoded, dice) => at(encoded, 2 + WORD * dice.below((encoded.length - 2) / WORD), "f".repeat(WORD)),
  (encoded, dice) => at(encoded, 2 + WORD * dice.below((encoded.length - 2) / WORD), "0".repeat(WORD)),
  (encoded, dice) => at(encoded, 2 + dice.below(encoded.length - 2), dice.pick(["0", "1", "8", "f"])),
  encoded => at(encoded, WORD, "40"),
  (encoded, dice) =>
    at(encoded, 2 + WORD * (15 + dice.below(2)), wordOf(BigInt(32 * dice.below(40))).slice(2))
]

export const addressOf = (number: bigint): Address =>
  checksummed(`0x${number.toString(16).padStart(40, "0")}`)
