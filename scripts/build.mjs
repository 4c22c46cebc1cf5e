/** Bundles the service, the command line, the client, the door for teams and the scripts of pages into dist, with `--types` the types of the client and the door too; with `--if-needed` only when a source is newer. */
import { execFileSync } from "node:child_process"
import { chmod, readdir, rm, stat } from "node:fs/promises"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

/** The client runs in browsers too, so nothing of Node may be in it. */
const FOR_BROWSERS = { platform: "browser", banner: {}, external: [] }

/** A sixth of the size of the curve of viem's. */
const SMALL_CURVE = { "@noble/curves/secp256k1": join(root, "src/console/Secp256k1.ts") }

/** What carries plans out is loaded when it is needed. */
const CLIENT_IN_PARTS = {
  ...FOR_BROWSERS,
  alias: SMALL_CURVE,
  outfile: undefined,
  outdir: join(root, "dist/client"),
  splitting: true,
  chunkNames: "[name]-[hash]"
}

/** Its policy lets no WebAssembly in; its size is what a telephone loads. */
const FOR_THE_PAGE = {
  ...FOR_BROWSERS,
  minify: true,
  sourcemap: false,
  target: "es2022",
  alias: {
    "hash-wasm": join(root, "src/console/HashWasm.ts"),
    ...SMALL_CURVE
  }
}

/** What packages load late is kept in the bundle even where nothing that is used loads it, so it is left out. */
const withoutLate = {
  name: "without-late",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, importer }) =>
      kind === "dynamic-import" && importer.includes("node_modules") ? { external: true } : undefined
    )
}

/** What a page needs is loaded when it is turned to. */
const IN_PARTS = {
  outfile: undefined,
  outdir: join(root, "dist/console"),
  splitting: true,
  chunkNames: "[name]-[hash]",
  jsx: "automatic",
  jsxImportSource: "preact",
  plugins: [withoutLate]
}

/** A team's package has the same Effect as this one: what both import is one module. */
const FOR_TEAMS = { packages: "external", banner: {} }

const ENTRIES = [
  { source: "src/main.ts", output: "dist/main.js" },
  { source: "sandbox/index/main.ts", output: "dist/sandbox-index.js" },
  { source: "sandbox/provider/main.ts", output: "dist/sandbox-provider.js" },
  { source: "sandbox/bundler/main.ts", output: "dist/sandbox-bundler.js" },
  { source: "sandbox/bundler/loopback.ts", output: "dist/sandbox-loopback.js" },
  { source: "src/cli/main.ts", output: "dist/cli.js" },
  { source: "src/service/main.ts", output: "dist/service.js", options: FOR_TEAMS },
  { source: "src/client/main.ts", output: "dist/client/main.js", options: CLIENT_IN_PARTS },
  {
    source: "src/console/main.ts",
    output: "dist/console/main.js",
    options: { ...FOR_THE_PAGE, ...IN_PARTS }
  },
  { source: "src/passkey/main.ts", output: "dist/payment-review.js", options: FOR_THE_PAGE },
  { source: "src/explorer/main.ts", output: "dist/reference.js", options: FOR_THE_PAGE }
]

const SOURCES = ["src", "sandbox", "schema", "migrations", "scripts", "package-lock.json"]
const TYPES = ["dist/types/src/client/main.d.ts", "dist/types/src/service/main.d.ts"]
/** What the compiler remembers of the types that it wrote, and would not write again. */
const REMEMBERED = "dist/types.tsbuildinfo"
const withTypes = process.argv.includes("--types")

const changedAt = path =>
  stat(join(root, path)).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined
  )

const newest = async path => {
  const entry = await stat(join(root, path)).catch(() => undefined)
  if (entry === undefined) return 0
  if (!entry.isDirectory()) return entry.mtimeMs
  const names = await readdir(join(root, path))
  return Math.max(entry.mtimeMs, ...(await Promise.all(names.map(name => newest(join(path, name))))))
}

const isCurrent = async entries => {
  const outputs = [...entries.map(({ output }) => output), ...(withTypes ? TYPES : [])]
  const built = await Promise.all(outputs.map(changedAt))
  if (built.includes(undefined)) return false
  return Math.min(...built) > Math.max(...(await Promise.all(SOURCES.map(newest))))
}

const present = []
for (const entry of ENTRIES)
  if ((await changedAt(entry.source)) === undefined) console.log(`${entry.source} is absent: not built.`)
  else present.push(entry)

const bundler = () =>
  import("./bundle.mjs").catch(cause => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause
    return undefined
  })

/** Parts of a build before, once nothing leads to them: a service that starts meanwhile finds a whole page. */
const removeOthers = async (outdir, written) => {
  const kept = new Set(written.map(path => resolve(path)))
  for (const name of await readdir(outdir))
    if (!kept.has(join(outdir, name))) await rm(join(outdir, name), { force: true })
}

const build = async () => {
  const tools = await bundler()
  const built = await Promise.all(present.map(({ output }) => changedAt(output)))
  if (tools === undefined && built.includes(undefined)) {
    console.error('The build needs the development dependencies: run "npm install" without --omit=dev.')
    process.exit(1)
  }
  for (const { source, output, options } of tools === undefined ? [] : present) {
    const files = { outfile: join(root, output), metafile: true, ...options }
    const { metafile } = await tools.bundle([join(root, source)], files)
    if (options?.outdir !== undefined) await removeOthers(options.outdir, Object.keys(metafile.outputs))
  }
  for (const { output } of present) await chmod(join(root, output), 0o755)
  if (!withTypes || tools === undefined) return
  const written = await Promise.all(TYPES.map(changedAt))
  if (written.includes(undefined)) await rm(join(root, REMEMBERED), { force: true })
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], {
    cwd: root,
    stdio: "inherit"
  })
}

if (!(process.argv.includes("--if-needed") && (await isCurrent(present)))) await build()
