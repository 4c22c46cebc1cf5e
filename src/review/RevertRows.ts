/** Why a call reverts, as the service decoded it by the catalog's ABIs. */
import { Predicate } from "effect"
import type { Problem } from "../values/Problem.ts"
import { exact, type Piece, type ReviewRow, toned, untrusted, words } from "./Words.ts"

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

/** None where the problem tells of no revert. */
export const revertRows = ({ context }: Problem): ReadonlyArray<ReviewRow> => {
  const revert: unknown = context?.revert
  if (!Predicate.isRecord(revert)) return []
  const { selector, name, args } = revert
  const told =
    typeof name === "string"
      ? [exact(name), ...(Array.isArray(args) ? args : []).flatMap(argumentPieces)]
      : typeof selector === "string"
        ? [words("an error that the catalog has no name for, "), exact(selector)]
        : [words("no reason")]
  return [toned("danger", { name: "reverts with", value: told })]
}
