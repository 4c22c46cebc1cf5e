/** A campaign's size: small in every run of the tests, as large as its command asks otherwise. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../src/settings/PackageRoot.ts"

export type Sizes = Readonly<Record<string, number>>

/** Set by the commands for the run that they start. */
export const CAMPAIGN_VARIABLE = "FAULT_CAMPAIGN"

const USUAL_SEED = 20_261_121

export interface Campaign<S extends Sizes> {
  readonly seed: number
  readonly sizes: S
  /** Whether a command asked for it; nothing is written down otherwise. */
  readonly asked: boolean
  /** Prints what a run came to, and keeps it when a command asked for it. */
  readonly report: (figures: Readonly<Record<string, unknown>>) => void
}

interface Asked {
  readonly name: string
  readonly seed: number
  readonly sizes: Sizes
}

const askedFor = (name: string): Asked | undefined => {
  const asked: Asked | null = JSON.parse(process.env[CAMPAIGN_VARIABLE] ?? "null")
  return asked?.name === name ? asked : undefined
}

export const campaign = <S extends Sizes>(name: string, usual: S): Campaign<S> => {
  const asked = askedFor(name)
  const seed = asked?.seed ?? USUAL_SEED
  const sizes: S = { ...usual, ...asked?.sizes }
  const begun = performance.now()
  const report = (figures: Readonly<Record<string, unknown>>) => {
    const seconds = Math.round((performance.now() - begun) / 1000)
    const line = JSON.stringify({ campaign: name, at: new Date().toISOString(), seed, seconds, ...figures })
    console.log(line)
    if (asked !== undefined) appendFileSync(join(packageRoot, "RELIABILITY.json"), `${line}\n`)
  }
  return { seed, sizes, asked: asked !== undefined, report }
}
