/** Why a call reverts, as the service decoded it by the catalog's ABIs. */
import { isRecord } from "effect/Predicate"
import type { Step } from "../plans/Plan.ts"
import type { Problem } from "../values/Problem.ts"
import { exact, type Piece, type ReviewRow, row, toned, untrusted, words } from "./Words.ts"

const PLAIN = /^(?:-?[0-9]+|0x[0-9a-fA-F]*|true|false)$/

/** A contract may have been told any text. */
const valuePiece = (value: unknown): Piece => {
  const text = typeof value === "string" ? value : String(JSON.stringify(value))
  return PLAIN.test(text) ? exact(text) : untrusted(text)
}

const argumentPieces = (argument: unknown, index: number): ReadonlyArray<Piece> => {
  const { name, value } = Object(argument)
  return [
    words(index === 0 ? ": " : ", "),
    ...(typeof name === "string" ? [exact(name), words(" ")] : []),
    valuePiece(value)
  ]
}

const reasonPieces = ({ selector, name, args }: Readonly<Record<string, unknown>>): ReadonlyArray<Piece> => {
  if (typeof name === "string")
    return [exact(name), ...(Array.isArray(args) ? args : []).flatMap(argumentPieces)]
  return typeof selector === "string"
    ? [words("an error that the catalog has no name for, "), exact(selector)]
    : [words("no reason")]
}

/** None where the problem tells of no revert. */
export const revertRows = ({ context }: Problem): ReadonlyArray<ReviewRow> => {
  const revert: unknown = context?.revert
  return isRecord(revert) ? [toned("danger", { name: "reverts with", value: reasonPieces(revert) })] : []
}

/** Of a transaction that reverted: no receipt says why, the same call run again does. */
export const repeatedRows = ({ semantic }: Step): ReadonlyArray<ReviewRow> => {
  const revert = semantic?.revert
  if (revert === undefined) return []
  const told =
    revert.status === "known" ? reasonPieces(revert) : [words("unknown: "), untrusted(revert.reason)]
  return [
    toned(
      "danger",
      row(
        "reverts with",
        ...told,
        words(", run again at the end of block "),
        exact(revert.blockNumber),
        words(", before the other transactions of its own block")
      )
    )
  ]
}
