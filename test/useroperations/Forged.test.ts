/** Over HTTP: what is no envelope of a wallet's owners, in the one form that is taken, is refused with its reason, and nothing of it is kept or sent. */
import { encodeFunctionData, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { controlAbi } from "../smartaccounts/support/Inspections.ts"
import { problemIn } from "../support/Problem.ts"
import {
  bindWallet,
  boundWallet,
  envelopeOf,
  type ShownOperation,
  startOperatingBench,
  timesSent
} from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"
import { signedBy } from "./support/Signed.ts"
import { walletDoes } from "./support/WalletChanges.ts"

const bench = await startOperatingBench()
const { prepared, send, isUntouched } = sendingOn(bench)

type Standing = Awaited<ReturnType<typeof prepared>>
let one: Standing

beforeAll(async () => {
  one = await prepared()
})
afterAll(() => bench.stop())

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const PREFIX_DIGITS = 2 * 12
const HALF = 64

const word = (value: bigint) => value.toString(16).padStart(HALF, "0")

/** Of one signature of 65 bytes, without 0x. */
const partsOf = (signature: string) => ({
  r: signature.slice(0, HALF),
  s: signature.slice(HALF, 2 * HALF),
  v: Number(`0x${signature.slice(2 * HALF)}`)
})

const withV = (signature: string, v: number) =>
  `${signature.slice(0, 2 * HALF)}${v.toString(16).padStart(2, "0")}`

const highS = (signature: string) => {
  const { r, s, v } = partsOf(signature)
  return withV(`${r}${word(ORDER - BigInt(`0x${s}`))}00`, 55 - v)
}

/** EIP-2098. */
const compact = (signature: string) => {
  const { r, s, v } = partsOf(signature)
  return `${r}${word((BigInt(v - 27) << 255n) | BigInt(`0x${s}`))}`
}

/** As a Safe takes the word of an owner who approved the hash onchain, and of a contract. */
const inWord = (owner: string, offset: bigint, v: string) =>
  `${owner.slice(2).toLowerCase().padStart(HALF, "0")}${word(offset)}${v}`

interface Made {
  readonly prefix: string
  /** The owners' signatures, of the first two and of the third, without 0x. */
  readonly by: readonly [first: string, second: string, third: string]
  readonly owners: readonly [first: string, second: string, third: string]
}

const three = <A>([first, second, third]: ReadonlyArray<A>): readonly [A, A, A] =>
  first === undefined || second === undefined || third === undefined
    ? assert.fail("not three")
    : [first, second, third]

const made = async ({ owners, operation: { signing } }: Standing): Promise<Made> => ({
  prefix: (await signedBy(signing.digest, signing, [])).slice(2),
  by: three(
    await Promise.all(owners.map(async each => (await each.sign({ hash: signing.digest })).slice(2)))
  ),
  owners: three(owners.map(({ address }) => address))
})

const shifted = (prefix: string, after: number, until: number) => {
  const [start, end] = [prefix.slice(0, 12), prefix.slice(12)].map(text => Number(`0x${text}`))
  const time = (seconds = 0) => seconds.toString(16).padStart(12, "0")
  return `${time((start ?? 0) + after)}${time((end ?? 0) + until)}`
}

const FORM = ["400 INVALID_OWNER_SIGNATURES", { fault: "form", position: 1 }] as const
const FIRST_FORM = ["400 INVALID_OWNER_SIGNATURES", { fault: "form", position: 0 }] as const
const LENGTH = ["400 INVALID_ENVELOPE", { fault: "length" }] as const
const PREFIX = ["400 INVALID_ENVELOPE", { fault: "prefix" }] as const
const ORDERED = ["400 INVALID_OWNER_SIGNATURES", { fault: "order", position: 1 }] as const

type Refusal = readonly [refusal: string, context: Readonly<Record<string, unknown>>]

const TABLE: ReadonlyArray<readonly [string, (made: Made) => string, Refusal]> = [
  ["one signature too few", ({ prefix, by }) => `${prefix}${by[0]}`, LENGTH],
  ["one too many", ({ prefix, by }) => `${prefix}${by.join("")}`, LENGTH],
  ["a byte short", ({ prefix, by }) => `${prefix}${by[0]}${by[1]}`.slice(0, -2), LENGTH],
  ["a byte long", ({ prefix, by }) => `${prefix}${by[0]}${by[1]}00`, LENGTH],
  ["no prefix", ({ by }) => `${by[0]}${by[1]}`, LENGTH],
  ["the form of EIP-2098", ({ prefix, by }) => `${prefix}${by[0]}${compact(by[1])}`, LENGTH],
  [
    "a contract's signature with its bytes",
    ({ prefix, by, owners }) => `${prefix}${by[0]}${inWord(owners[1], 130n, "00")}${word(65n)}${by[1]}`,
    LENGTH
  ],
  ["an earlier beginning", ({ prefix, by }) => `${shifted(prefix, -1, 0)}${by[0]}${by[1]}`, PREFIX],
  ["a later beginning", ({ prefix, by }) => `${shifted(prefix, 1, 0)}${by[0]}${by[1]}`, PREFIX],
  ["an earlier end", ({ prefix, by }) => `${shifted(prefix, 0, -1)}${by[0]}${by[1]}`, PREFIX],
  ["a later end", ({ prefix, by }) => `${shifted(prefix, 0, 1)}${by[0]}${by[1]}`, PREFIX],
  ["no times at all", ({ by }) => `${"0".repeat(PREFIX_DIGITS)}${by[0]}${by[1]}`, PREFIX],
  ["descending signers", ({ prefix, by }) => `${prefix}${by[1]}${by[0]}`, ORDERED],
  ["one owner twice", ({ prefix, by }) => `${prefix}${by[0]}${by[0]}`, ORDERED],
  ["a high s", ({ prefix, by }) => `${prefix}${highS(by[0])}${by[1]}`, FIRST_FORM],
  ["v of 0 or 1", ({ prefix, by }) => `${prefix}${by[0]}${withV(by[1], partsOf(by[1]).v - 27)}`, FORM],
  ["v of eth_sign", ({ prefix, by }) => `${prefix}${by[0]}${withV(by[1], partsOf(by[1]).v + 4)}`, FORM],
  ["v of 31", ({ prefix, by }) => `${prefix}${by[0]}${withV(by[1], 31)}`, FORM],
  ["v of 32", ({ prefix, by }) => `${prefix}${by[0]}${withV(by[1], 32)}`, FORM],
  ["v of 29", ({ prefix, by }) => `${prefix}${by[0]}${withV(by[1], 29)}`, FORM],
  ["an approved hash", ({ prefix, by, owners }) => `${prefix}${by[0]}${inWord(owners[1], 0n, "01")}`, FORM],
  ["a contract's word", ({ prefix, by, owners }) => `${prefix}${by[0]}${inWord(owners[1], 0n, "00")}`, FORM],
  ["zeros", ({ prefix, by }) => `${prefix}${by[0]}${"00".repeat(64)}1b`, FORM]
]

const refusalOf = async (standing: Standing, signature: Hex): Promise<Refusal> => {
  const { status, code, context = {} } = await problemIn(await send({ ...standing, signature }))
  return [`${status} ${code}`, context]
}

describe("an operation is not sent with", () => {
  it.each(TABLE)("%s", async (_, forge, refusal) => {
    assert.deepEqual(await refusalOf(one, `0x${forge(await made(one))}`), refusal)
    await isUntouched(one)
  })

  const MISMATCH = "403 OWNER_SIGNATURES_MISMATCH"

  it("signatures of another digest, be it the operation's own hash or another operation's", async () => {
    const other = await prepared()
    const { operation, owners } = one
    for (const digest of [operation.operationHash, other.operation.signing.digest]) {
      const signature = await signedBy(digest, operation.signing, owners.slice(0, 2))
      const [refusal, context] = await refusalOf(one, signature)
      assert.deepEqual([refusal, context.fault], [MISMATCH, "owner"])
    }
    await isUntouched(one)
  })

  it("signatures of another wallet's owners", async () => {
    const { owners } = await boundWallet(bench)
    const [refusal] = await refusalOf(one, await envelopeOf(one.operation, owners))
    assert.equal(refusal, MISMATCH)
    await isUntouched(one)
  })

  it("the signature of one who was an owner before", async () => {
    const bound = await boundWallet(bench)
    const [, second, third] = three(bound.owners)
    const args = [second.address, third.address, 2n] as const
    await walletDoes(bench, bound, encodeFunctionData({ abi: controlAbi, functionName: "removeOwner", args }))
    const binding = await bindWallet(bench.service, bound.owner, bound.owners, bound.wallet.address)
    const standing = await prepared({ ...bound, binding })
    const [first] = three(bound.owners)
    const signature = await envelopeOf(standing.operation, [first, third])
    assert.deepEqual(await refusalOf(standing, signature), [MISMATCH, { fault: "owner", position: 1 }])
    await isUntouched(standing)
  })
})

/** Last, for it leaves. */
it("is sent with any two of its owners' signatures, in either case of their digits, after all of that", async () => {
  const { prefix, by } = await made(one)
  const signature: Hex = `0x${`${prefix}${by[0]}${by[2]}`.toUpperCase()}`
  const answer = await send({ ...one, signature })
  const told: ShownOperation = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(told))
  assert.strictEqual(timesSent(bench, told), 1)
})
