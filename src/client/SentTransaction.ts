/** A transaction that a wallet sent by itself, read back from a node: its exact bytes, and whether they are a planned call. */
import { encodeBytes, encodeListOf } from "../direct/Rlp.ts"
import type { Call } from "../plans/Plan.ts"
import { keccak256 } from "../values/Keccak.ts"
import { fromHex, toHex } from "../values/TypedDataHash.ts"
import { type BytesCheck, checkBytes } from "./PlannedBytes.ts"
import { realSystem, type System } from "./System.ts"

type Told = Readonly<Record<string, unknown>>

const isHex = (value: unknown): value is `0x${string}` =>
  typeof value === "string" && /^0x[0-9a-f]*$/i.test(value)

const quantity = (value: unknown): bigint => (isHex(value) && value !== "0x" ? BigInt(value) : 0n)

const bytesIn = (value: unknown): Uint8Array => encodeBytes(fromHex(isHex(value) ? value : "0x"))

/** Without leading zeros. */
const integerIn = (value: unknown): Uint8Array => {
  const digits = quantity(value).toString(16)
  return bytesIn(`0x${digits.length % 2 === 0 ? "" : 0}${digits}`.replace("0x00", "0x"))
}

const listIn = (value: unknown, encoded: (item: unknown) => Uint8Array): Uint8Array =>
  encodeListOf(...(Array.isArray(value) ? value.map(encoded) : []))

const accessIn = (entry: unknown): Uint8Array => {
  const { address, storageKeys } = Object(entry)
  return encodeListOf(bytesIn(address), listIn(storageKeys, bytesIn))
}

const bytesOf = (told: Told): Uint8Array => {
  const type = Number(quantity(told.type))
  const parity = type === 0 ? told.v : (told.yParity ?? told.v)
  const fees = type === 2 ? [told.maxPriorityFeePerGas, told.maxFeePerGas] : [told.gasPrice]
  const encoded = encodeListOf(
    ...[...(type === 0 ? [] : [told.chainId]), told.nonce, ...fees, told.gas].map(integerIn),
    bytesIn(told.to),
    integerIn(told.value),
    bytesIn(told.input ?? told.data),
    ...(type === 0 ? [] : [listIn(told.accessList, accessIn)]),
    ...[parity, told.r, told.s].map(integerIn)
  )
  return type === 0 ? encoded : Uint8Array.from([type, ...encoded])
}

/** Nothing that a node says is believed unless the bytes that it leads to have the hash. */
const provedBytes = (told: Told, hash: string): `0x${string}` | undefined => {
  try {
    const raw = bytesOf(told)
    return keccak256(raw) === hash ? toHex(raw) : undefined
  } catch {
    return undefined
  }
}

const LAST_TYPE = 2n
const DELEGATING = 4n

const typeFault = (type: bigint): string =>
  type === DELEGATING
    ? "it delegates the account to a contract (EIP-7702, type 4)"
    : `it is of type ${type}, and a planned call is of type 0, 1 or 2`

const lower = (value: unknown): string => String(value).toLowerCase()

/** How smart accounts and batches change a call. */
const wrapping = (
  { from, to, value, chainId, input }: Told,
  call: Call,
  wallet: string
): ReadonlyArray<string> => {
  const sent = lower(input)
  const isToCall =
    lower([from, to, quantity(value), quantity(chainId)]) ===
    lower([wallet, call.to, call.value, call.chainId])
  const how =
    isToCall && sent.startsWith(call.data)
      ? sent === call.data
        ? "makes"
        : "has bytes behind"
      : sent.indexOf(call.data.slice(2)) > 2 && "wraps"
  const own = lower(wallet)
  return [
    lower(from) !== own && `it was from ${from}`,
    lower(to) === own && "it calls the wallet's own account",
    how && `it ${how} the planned call: if it succeeded, do not send it again`
  ].flatMap(fault => fault || [])
}

/** Wallets that tell of what they just sent by themselves leave its chain out. */
const withChain = (told: object, { chainId }: Call): Told => ({
  ...told,
  chainId: Object(told).chainId ?? `0x${chainId.toString(16)}`
})

export type SentCheck =
  | BytesCheck
  /** The node tells of other bytes than those of the hash, or of less: nothing is known of what was sent. */
  | { readonly fits: false; readonly isUnproved: true; readonly faults: ReadonlyArray<string> }

/** Whether what a node tells of a transaction is exactly the planned call. */
export const checkSent = async (
  told: object,
  hash: string,
  call: Call,
  wallet: string
): Promise<SentCheck> => {
  const members = withChain(told, call)
  const type = quantity(members.type)
  if (type > LAST_TYPE) return { fits: false, faults: [typeFault(type), ...wrapping(members, call, wallet)] }
  const raw = provedBytes(members, hash)
  if (raw === undefined)
    return {
      fits: false,
      isUnproved: true,
      faults: ["the node's account does not lead to bytes of this hash"]
    }
  const check = await checkBytes(raw, call, wallet)
  return check.fits ? check : { fits: false, faults: [...check.faults, ...wrapping(members, call, wallet)] }
}

const FIRST_MILLIS = 250
const LONGEST_MILLIS = 4_000
const GROWTH = 1.6

/** Asks with growing pauses, for nodes take a while to tell of what was just sent; undefined where none does in time. */
export const readSent = async (
  ask: () => Promise<unknown>,
  patienceMillis: number,
  {
    sleep = realSystem.sleep,
    signal
  }: Partial<Pick<System, "sleep">> & { readonly signal?: AbortSignal | undefined } = {}
): Promise<object | undefined> => {
  let waited = 0
  for (let pause = FIRST_MILLIS; ; pause = Math.min(pause * GROWTH, LONGEST_MILLIS)) {
    const answer = await ask()
    if (typeof answer === "object" && answer !== null) return answer
    if (waited >= patienceMillis) return undefined
    waited += pause
    await sleep(pause, signal)
  }
}
