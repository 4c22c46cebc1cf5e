/** A bare revocation sent by one who pays for it: kept before it leaves, so that the same command goes on with the same bytes. */
import { type Hex, isHex, keccak256, parseTransaction } from "viem"
import { plannedTransaction } from "../client/PlannedTransaction.ts"
import type { CommandTerminal } from "./Command.ts"
import { CliFailure, ExitCode, usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { type Pending, type PendingRecord, pendingWork } from "./Pending.ts"
import { type SafeTransaction, safeHashes } from "./SafeTransaction.ts"
import { broadcast, isNodeRefusal, keptStandingOf, type MinedTransaction, mined } from "./SendRaw.ts"
import { nodeOf, signingTerms } from "./SignTransaction.ts"
import type { Wallet } from "./Wallet.ts"

interface PaidPlace extends Pick<SafeTransaction, "chainId" | "wallet"> {
  readonly input: Input
  readonly payer: Wallet
}

interface PaidRevocation extends PaidPlace {
  readonly transaction: SafeTransaction
  readonly permissionId: Hex
  /** Of the wallet's `execTransaction`. */
  readonly data: Hex
}

const keptAt = (terminal: CommandTerminal, { chainId, wallet, payer }: PaidPlace): Pending =>
  pendingWork(terminal, [
    ["bare revocation", String(chainId), wallet.toLowerCase(), payer.address.toLowerCase()]
  ])

/** Each that was signed for the payer's nonce; the bytes that are kept are the last one's. */
const hashesOf = ({ hashes = "" }: PendingRecord): ReadonlyArray<string> => hashes.split(" ")

const rawOf = (raw: string | undefined): Hex => {
  if (raw !== undefined && isHex(raw)) return raw
  throw usageFailure("The key signed no transaction.", "Sign by another key.")
}

interface SentRevocation extends MinedTransaction {
  readonly permissionId: string
}

/** What an earlier run sent, where it is mined; it is forgotten then, and where another transaction took its nonce. */
export const minedBefore = async (
  terminal: CommandTerminal,
  place: PaidPlace
): Promise<SentRevocation | undefined> => {
  const kept = keptAt(terminal, place)
  const record = await kept.recall()
  if (record === undefined) return undefined
  const { found, isNonceUsed } = await keptStandingOf(nodeOf(place.input), {
    sender: place.payer.address,
    raw: rawOf(record.raw),
    hashes: hashesOf(record)
  })
  if (found !== undefined || isNonceUsed) await kept.forget()
  return found && { ...found, permissionId: record.permissionId ?? "" }
}

/** By a tenth at least, or nodes keep what they have. */
const raised = (fee: bigint): bigint => (fee * 11n + 9n) / 10n

/** The payer's next, or the one that was signed for before. */
const signed = async (
  { input, payer, chainId, wallet: to, data }: PaidRevocation,
  before: { readonly nonce?: number } = {}
): Promise<Hex> => {
  const node = nodeOf(input)
  const asked = { from: payer.address, to, data }
  const estimated = async () =>
    BigInt(String(await node.request({ method: "eth_estimateGas", params: [asked] })))
  const call = { chainId, to, data, value: "0" }
  const planned = await plannedTransaction(node, payer.address, call, signingTerms(input), estimated)
  return rawOf(await payer.signTransaction({ ...planned, ...before }))
}

/** The same bytes, or where a higher fee is given others for the same nonce of the payer. */
const replacement = async ({ input, payer, chainId, wallet }: PaidRevocation, raw: Hex): Promise<Hex> => {
  const terms = signingTerms(input)
  const { nonce = 0, data = "0x", gas = 0n, ...fees } = parseTransaction(raw)
  const { maxFeePerGas: before = 0n, maxPriorityFeePerGas: tip = 0n } = fees
  const maxFeePerGas = terms.maxFeePerGas ?? before
  const least = raised(before)
  if (maxFeePerGas <= before) {
    if ((terms.gas ?? gas) === gas) return raw
    throw usageFailure(
      `An earlier run signed ${keccak256(raw)} with a gas limit of ${gas}, and a node takes another for a higher fee alone.`,
      `Give --max-fee ${least} or more with it, or leave --gas out to send the same again.`
    )
  }
  if (maxFeePerGas < least)
    throw usageFailure(
      `A node takes nothing in place of ${keccak256(raw)}, whose fee cap is ${before} wei, below ${least} wei.`,
      `Give --max-fee ${least} or more, or leave it out to send the same again.`
    )
  const highest = [raised(tip), terms.maxPriorityFeePerGas ?? 0n].reduce((a, b) => (a > b ? a : b))
  const call = { chainId, to: wallet, data, value: 0n, nonce, gas: terms.gas ?? gas }
  return rawOf(await payer.signTransaction({ ...call, maxFeePerGas, maxPriorityFeePerGas: highest }))
}

/** Kept already, and one for each transaction of the wallet, whatever runs side by side; what a node refused is signed by what is given now. */
const toBeSent = async (work: PaidRevocation, kept: Pending): Promise<PendingRecord> => {
  const { whole: safeHash } = safeHashes(work.transaction)
  const before = await kept.recall()
  if (before?.safeHash === safeHash) {
    const { refused, ...record } = before
    const raw = rawOf(record.raw)
    const { nonce = 0 } = parseTransaction(raw)
    const again = await (refused === undefined ? replacement(work, raw) : signed(work, { nonce }))
    const hashes = [...new Set([...hashesOf(record), keccak256(again)])].join(" ")
    const next = { ...record, raw: again, hashes }
    await kept.keep(next)
    return next
  }
  const raw = await signed(work)
  const record = { raw, hashes: keccak256(raw), permissionId: work.permissionId, safeHash }
  if (before !== undefined) await kept.forget()
  if (await kept.keepFirst(record)) return record
  throw new CliFailure(
    ExitCode.unknown,
    "Another run of this command is sending it.",
    "Run the same command again: it goes on with what that one signed."
  )
}

/** The hash. */
export const sentRevocation = async (work: PaidRevocation, terminal: CommandTerminal): Promise<string> => {
  const kept = keptAt(terminal, work)
  const record = await toBeSent(work, kept)
  const hashes = hashesOf(record)
  await broadcast(work.input, rawOf(record.raw), hashes).catch(async (failure: unknown) => {
    if (isNodeRefusal(failure)) await kept.keep({ ...record, refused: "yes" })
    throw failure
  })
  const { hash, isDone } = await mined(work.input, hashes)
  await kept.forget()
  if (isDone) return hash
  throw new CliFailure(
    ExitCode.unconfirmed,
    `The transaction ${hash} failed.`,
    "Run the same command again: it looks at the chain anew."
  )
}
