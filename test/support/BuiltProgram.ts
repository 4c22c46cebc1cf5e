/** Programs of this project, each bundled once in a run of the suite, and elsewhere once by each process that needs it. */
import { execFile } from "node:child_process"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { packageRoot } from "../../src/settings/PackageRoot.ts"

interface Bundler {
  readonly bundle: (
    entries: ReadonlyArray<string>,
    options: { readonly sourcemap: false } & (
      | { readonly outfile: string }
      | { readonly outdir: string; readonly splitting: true }
    )
  ) => Promise<unknown>
}

/** Of the run of the suite, whose sources stay as they are. */
const { SUITE_RUN, KEPT_PROGRAMS } = process.env

const bundler = (): Promise<Bundler> => import(pathToFileURL(join(packageRoot, "scripts", "bundle.mjs")).href)

/** Put in place whole, because other processes read the same program at the same time. */
const make = async (entry: string, program: string) => {
  const { bundle } = await bundler()
  const draft = `${program}.${process.pid}`
  await bundle([join(packageRoot, entry)], { outfile: draft, sourcemap: false })
  await rename(draft, program)
}

const BUILD_MILLIS = 60_000

/** One worker of the run makes it, and the others wait for it, unless that one has failed. */
const makeOnce = async (entry: string, program: string, { run, place }: Record<"run" | "place", string>) => {
  const builtIn = `${program}.run`
  const isBuilt = async () => (await readFile(builtIn, "utf8").catch(() => "")) === run
  if (await isBuilt()) return
  const claim = mkdir(join(place, entry.replace(/\W+/g, "-")))
  const isMine = await claim.then(
    () => true,
    () => false
  )
  const end = Date.now() + BUILD_MILLIS
  while (!isMine && Date.now() < end) {
    if (await isBuilt()) return
    await setTimeout(50)
  }
  await make(entry, program)
  await writeFile(builtIn, run)
}

const build = async (entry: string): Promise<string> => {
  const program = join(packageRoot, "dist", "run", "tested", entry.replace(/\.ts$/, ".js"))
  if (SUITE_RUN === undefined || KEPT_PROGRAMS === undefined) await make(entry, program)
  else await makeOnce(entry, program, { run: SUITE_RUN, place: KEPT_PROGRAMS })
  return program
}

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
  if (SUITE_RUN === undefined) refreshed = undefined
  refreshed ??= refresh()
  await refreshed
}
