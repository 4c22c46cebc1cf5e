/** What a wallet did, of what is said as after "it will". */
import type { Clause } from "./Speech.ts"

const IRREGULAR: Readonly<Record<string, string>> = {
  choose: "chose",
  get: "got",
  have: "had",
  let: "let",
  make: "made",
  pay: "paid",
  repay: "repaid",
  send: "sent",
  take: "took"
}

const pastOf = (verb: string): string => IRREGULAR[verb] ?? verb.replace(/e?$/, "ed")

/** The verb that it begins with, and a second one of the wallet's. */
const FIRST = /^[a-z]+/
const FURTHER = /(?<= and )(?:get|let|pay|remove)\b/g

export const inPast = (clause: Clause): Clause =>
  clause.map((piece, index) => {
    if (piece.kind !== "words") return piece
    const text = index === 0 ? piece.text.replace(FIRST, pastOf) : piece.text
    return { ...piece, text: text.replace(FURTHER, pastOf) }
  })
