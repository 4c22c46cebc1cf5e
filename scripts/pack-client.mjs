/** `npm run pack:client [directory]` makes the client a package of its own, which needs no other, and packs it into the directory. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, relative, resolve } from "node:path"
import { build, stop } from "esbuild"
import { clientDeclarations } from "./pack-client/Declarations.mjs"

const root = resolve(import.meta.dirname, "..")
const destination = resolve(process.argv[2] ?? join(root, "dist"))

const OPTIONS = {
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  write: false,
  logLevel: "warning",
  absWorkingDir: root,
  /** No line for a field that the constructor sets. */
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  /** Small, and without WebAssembly, which the security policies of pages may not let in. */
  alias: {
    "hash-wasm": join(root, "scripts/pack-client/HashWasm.mjs"),
    viem: join(root, "scripts/pack-client/Viem.mjs")
  }
}

/** What is tried apart. */
const APART = ["values/Keccak", "client/PlannedBytes"]

/** Each is a part of its own, so that who bundles the package gets what is used alone; the fewer, the smaller is the whole. */
const DOORS = ["client/WatchPlan", "client/Client"]

const doors = () => ["client/main", ...DOORS, ...APART].map(name => `src/${name}.ts`)

/** As the bundler names a part. */
const PART = /\b[A-Z2-7]{8}\.js\b/

/** `main` and what is tried apart, with all that they load. */
const reached = ({ outputs }) => {
  const kept = new Set(
    Object.keys(outputs).filter(path => ["client/main", ...APART].some(name => path.endsWith(`/${name}.js`)))
  )
  for (const path of kept) for (const each of outputs[path].imports) kept.add(each.path)
  return kept
}

/** Shared parts, by short names in the order in which they are reached. */
const shortNames = kept => {
  const parts = [...kept].map(path => basename(path)).filter(name => PART.test(name))
  return new Map(parts.map((name, index) => [name, `${index.toString(36)}.js`]))
}

const manifest = () => {
  const {
    version,
    license,
    private: isPrivate,
    engines
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return {
    name: "signed-request-client",
    version,
    private: isPrivate,
    description: "The client of a signed-request service, for Node.js and browsers.",
    license,
    type: "module",
    engines,
    sideEffects: false,
    exports: { ".": { types: "./main.d.ts", default: "./client/main.js" } },
    files: ["**/*.js", "main.d.ts"]
  }
}

mkdirSync(destination, { recursive: true })
const directory = mkdtempSync(join(tmpdir(), "client-package-"))
try {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: doors(),
    splitting: true,
    metafile: true,
    chunkNames: "parts/[hash]",
    outbase: "src",
    outdir: directory
  })
  const kept = reached(metafile)
  const names = shortNames(kept)
  const renamed = text => text.replace(new RegExp(PART, "g"), name => names.get(name) ?? name)
  /** No part does anything by being loaded alone. */
  const needed = text => text.replace(/import"[./\w]+\.js";/g, "")
  for (const { path, text } of outputFiles.filter(({ path }) => kept.has(relative(root, path)))) {
    const file = join(path, "..", renamed(basename(path)))
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(file, renamed(needed(text)))
  }
  writeFileSync(join(directory, "main.d.ts"), clientDeclarations(root))
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(join(root, "scripts", "pack-client", "README.md"), join(directory, "README.md"))
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", destination]
  const [{ filename, size, unpackedSize }] = JSON.parse(
    execFileSync("npm", packing, { cwd: directory, encoding: "utf8" })
  )
  console.log(
    `${relative(process.cwd(), join(destination, filename))}: ${size} bytes, ${unpackedSize} unpacked`
  )
} finally {
  await stop()
  rmSync(directory, { recursive: true, force: true })
}
