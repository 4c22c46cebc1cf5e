/** The compiler for a process that has a core to itself at best: one thread, which does a third of the work of several, and few collections. */
import { join } from "node:path"
import { packageRoot } from "../../src/settings/PackageRoot.ts"

/** For Node, with what else the compiler is to be told. */
export const compiler = (...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  join(packageRoot, "node_modules", "typescript", "bin", "tsc"),
  "--singleThreaded",
  ...args
]

export const COMPILER_ENVIRONMENT = { ...process.env, GOGC: "400" }
