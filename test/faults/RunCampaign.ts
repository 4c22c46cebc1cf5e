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

/** Ends with the status of the run. */
export const runCampaign = ({ name, file, seed, sizes }: Wanted): Promise<number> => {
  console.log(`${name}: seed ${seed}, ${JSON.stringify(sizes)}`)
  const vitest = join(packageRoot, "node_modules", "vitest", "vitest.mjs")
  const args = [vitest, "run", join("test", "faults", file), "--disable-console-intercept"]
  const env = { ...process.env, [CAMPAIGN_VARIABLE]: JSON.stringify({ name, seed, sizes }) }
  const child = spawn(process.execPath, args, { cwd: packageRoot, stdio: "inherit", env })
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => child.kill(signal))
  return new Promise(resolve => child.once("exit", code => resolve(code ?? 1)))
}
