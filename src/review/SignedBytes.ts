/** Signed bytes that are exactly a planned call, in rows for the person who has them sent. */
import { keccak256 } from "viem"
import { checkBytes, type SignedTerms } from "../client/PlannedBytes.ts"
import { checkSent, type SentCheck } from "../client/SentTransaction.ts"
import type { Call } from "../plans/Plan.ts"
import { highestCost, nativeAmount } from "./Amounts.ts"
import { exact, type ReviewRow, row, toned } from "./Words.ts"

export type SignedCheck =
  | { readonly fits: true; readonly raw: `0x${string}`; readonly rows: ReadonlyArray<ReviewRow> }
  | Exclude<SentCheck, { readonly fits: true }>

const signedRows = (
  raw: `0x${string}`,
  { nonce, gas, feeCap, value }: SignedTerms
): ReadonlyArray<ReviewRow> => [
  row("signed transaction", exact(keccak256(raw))),
  row("nonce", exact(nonce)),
  row("gas limit", exact(gas)),
  row("fee cap per gas", ...nativeAmount(String(feeCap))),
  toned("key", highestCost(String(value + gas * feeCap)))
]

const inRows = (check: SentCheck): SignedCheck =>
  check.fits ? { fits: true, raw: check.raw, rows: signedRows(check.raw, check.terms) } : check

export const checkSigned = async (text: string, call: Call, wallet: string): Promise<SignedCheck> =>
  inRows(await checkBytes(text, call, wallet))

/** Of what a node tells of a transaction that a wallet sent by itself. */
export const reviewSent = async (
  told: object,
  hash: string,
  call: Call,
  wallet: string
): Promise<SignedCheck> => inRows(await checkSent(told, hash, call, wallet))
