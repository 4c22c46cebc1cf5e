/** Programs of this project, each bundled once in a run of the suite, and elsewhere once by each process that needs it. */
import { execFile } from "node:child_process"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { oncePerRun } from "./OncePerRun.ts"

interface Bundler {
  readonly bundle: (
    entries: ReadonlyArray<string>,
    options: { readonly sourcemap: false } & (
      | { readonly outfile: string }
      | { readonly outdir: string; readonly splitting: true }
    )
  ) => Promise<unknown>
}

const bundler = (): Promise<Bundler> => import(pathToFileURL(join(packageRoot, "scripts", "bundle.mjs")).href)

/** Put in place whole, because other processes read the same program at the same time. */
const make = async (entry: string, program: string) => {
  const { bundle } = await bundler()
  const draft = `${program}.${process.pid}`
  await bundle([join(packageRoot, entry)], { outfile: draft, sourcemap: false })
  await rename(draft, program)
}

const build = (entry: string): Promise<string> =>
  oncePerRun(entry.replace(/\W+/g, "-"), async () => {
    const program = join(packageRoot, "dist", "run", "tested", entry.replace(/\.ts$/, ".js"))
    await make(entry, program)
    return program
  })

const builds = new Map<string, Promise<string>>()
let latest: Promise<unknown> = Promise.resolve()

/** One after the other, since the end of one build stops the builder. */
const inTurn = (build: () => Promise<string>): Promise<string> => {
  const building = latest.then(build)
  latest = building.catch(() => {})
  return building
}

/** The file that Node runs, built from this entry. */
export const builtProgram = (entry: string): Promise<string> => {
  const building = builds.get(entry) ?? inTurn(() => build(entry))
  builds.set(entry, building)
  return building
}

/** The directory of programs that have what they share in common, which takes a fraction of the work of one by one. */
export const builtTogether = (entries: ReadonlyArray<string>): Promise<string> =>
  inTurn(async () => {
    const { bundle } = await bundler()
    const outdir = join(packageRoot, "dist", "run", "together")
    const sources = entries.map(entry => join(packageRoot, entry))
    await rm(outdir, { recursive: true, force: true })
    await bundle(sources, { outdir, splitting: true, sourcemap: false })
    return outdir
  })

const refresh = () =>
  promisify(execFile)(process.execPath, [join(packageRoot, "scripts", "build.mjs"), "--if-needed"])

let refreshed: ReturnType<typeof refresh> | undefined

/** What the package is built into, of the sources as they are: looked at once by a worker of the suite's run. */
export const builtPackage = async (): Promise<void> => {
  if (process.env.SUITE_RUN === undefined) refreshed = undefined
  refreshed ??= refresh()
  await refreshed
}
