/** Short names for the signatures of functions, events and errors: the second one of a name is `name#2`. */
import { Array } from "effect"
import type { Source } from "./Names.ts"

export type Signatures = Readonly<Record<string, string>>

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf("("))

const isSignature = (text: string | null | undefined): text is string => text?.includes("(") === true

export const signaturesOf = (sources: ReadonlyArray<Source>): Signatures => {
  const steps = sources.flatMap(source => source.steps)
  const all = steps.flatMap(step => [
    step.function,
    step.revert?.error,
    ...(step.logs ?? []).map(({ event }) => event)
  ])
  const grouped = Array.groupBy([...new Set(all.filter(isSignature))].sort(), nameOf)
  const named = Object.entries(grouped).flatMap(([name, signatures]) =>
    signatures.map((signature, at) => [at === 0 ? name : `${name}#${at + 1}`, signature] as const)
  )
  return Object.fromEntries(named.sort())
}

export const shortened = (signatures: Signatures) => {
  const names = new Map(Object.entries(signatures).map(([name, signature]) => [signature, name]))
  return (signature: string): string => names.get(signature) ?? signature
}
