/** Runs a campaign at the size that its command line asks for: the same test that every run of the tests holds, on its own. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { CAMPAIGN_VARIABLE, type Sizes } from "./Campaign.ts"

export interface Wanted {
  readonly name: string
  readonly file: string
  readonly seed: number
  readonly sizes: Sizes
}

export const freshSeed = (): number => Math.floor(Math.random() * 2 ** 31)

/** A whole number within bounds, or the end of the command. */
export const numberFrom = (flag: string, text: string, least: number, most: number): number => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  process.stderr.write(`--${flag} takes a whole number from ${least} to ${most}, not "${text}".\n`)
  return process.exit(2)
}

/** From the first up to, not including, the last: `0..1200`. */
export const rangeFrom = (flag: string, text: string, most: number): readonly [number, number] => {
  const [from = "", to = ""] = text.split("..")
  return [numberFrom(flag, from, 0, most), numberFrom(flag, to, 0, most)]
}

/** Ends with the status of the run. */
export const runCampaign = ({ name, file, seed, sizes }: Wanted): Promise<number> => {
  console.log(`${name}: seed ${seed}, ${JSON.stringify(sizes)}`)
  const vitest = join(packageRoot, "node_modules", "vitest", "vitest.mjs")
  const args = [vitest, "run", join("test", "faults", file), "--disable-console-intercept"]
  const env = { ...process.env, [CAMPAIGN_VARIABLE]: JSON.stringify({ name, seed, sizes }) }
  const child = spawn(process.execPath, args, { cwd: packageRoot, stdio: "inherit", env })
  return new Promise(resolve => child.once("exit", code => resolve(code ?? 1)))
}
