/** The campaigns as they are called: programs of their own, without a test runner around them. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, beforeAll, it } from "vitest"
import { builtTogether } from "../support/BuiltProgram.ts"

const without = ({ SUITE_RUN, KEPT_PROGRAMS, VITEST, ...env }: NodeJS.ProcessEnv) => env

const CAMPAIGNS = ["crash", "faults", "races", "reorgs", "soak"]

let directory: string

beforeAll(async () => {
  directory = await builtTogether(CAMPAIGNS.map(name => `test/faults/${name}.ts`))
})

it.each(CAMPAIGNS)("npm run %s says how it is used", async name => {
  const program = join(directory, `${name}.js`)
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--help"], {
    env: without(process.env)
  })
  assert.include(stdout, `npm run ${name} -- `)
})
