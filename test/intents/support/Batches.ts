/** Creation code that makes calls one after the other, whatever becomes of each. */
import type { Hex } from "viem"

export type Act =
  | { readonly kind: "call" | "delegatecall"; readonly to: string; readonly data: string }
  /** Runs other creation code, which may revert and so undo what it called. */
  | { readonly kind: "create"; readonly code: string }

export const called = ({ to, data }: { readonly to: string; readonly data: string }): Act => ({
  kind: "call",
  to,
  data
})

const push = (value: number, bytes: number): string =>
  (0x5f + bytes).toString(16) + value.toString(16).padStart(bytes * 2, "0")

const ZERO = push(0, 1)
const [CODECOPY, CALL, DELEGATECALL, CREATE, GAS, POP, RETURN, REVERT] = [
  "39",
  "f1",
  "f4",
  "f0",
  "5a",
  "50",
  "f3",
  "fd"
]

const bytesOf = (act: Act): string => (act.kind === "create" ? act.code : act.data).slice(2)

const made = (act: Act, size: number): string => {
  if (act.kind === "create") return push(size, 3) + ZERO + ZERO + CREATE
  const value = act.kind === "call" ? ZERO : ""
  const target = `73${act.to.slice(2).toLowerCase()}`
  return (
    ZERO + ZERO + push(size, 3) + ZERO + value + target + GAS + (act.kind === "call" ? CALL : DELEGATECALL)
  )
}

const program = (
  acts: ReadonlyArray<Act>,
  offsets: ReadonlyArray<number>,
  end: "return" | "revert"
): string => {
  const parts = acts.map((act, index) => {
    const size = bytesOf(act).length / 2
    return push(size, 3) + push(offsets[index] ?? 0, 3) + ZERO + CODECOPY + made(act, size) + POP
  })
  return parts.join("") + ZERO + ZERO + (end === "return" ? RETURN : REVERT)
}

export const batchCode = (acts: ReadonlyArray<Act>, end: "return" | "revert" = "return"): Hex => {
  const length = program(acts, [], end).length / 2
  const offsets = acts.map((_, index) =>
    acts.slice(0, index).reduce((at, act) => at + bytesOf(act).length / 2, length)
  )
  return `0x${program(acts, offsets, end)}${acts.map(bytesOf).join("")}`
}
