/** The campaigns as they are called: programs of their own, without a test runner around them. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, it } from "vitest"
import { builtProgram } from "../support/BuiltProgram.ts"

const without = ({ SUITE_RUN, KEPT_PROGRAMS, VITEST, ...env }: NodeJS.ProcessEnv) => env

it.each(["crash", "faults", "races", "reorgs", "soak"])("npm run %s says how it is used", async name => {
  const program = await builtProgram(`test/faults/${name}.ts`)
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--help"], {
    env: without(process.env)
  })
  assert.include(stdout, `npm run ${name} -- `)
})
