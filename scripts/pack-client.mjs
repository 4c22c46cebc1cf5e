/** `npm run pack:client [directory]` makes the client a package of its own, which needs no other, and packs it into the directory. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
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
  /** Small, and without WebAssembly, which the security policies of pages may not let in. */
  alias: {
    "hash-wasm": join(root, "scripts/pack-client/HashWasm.mjs"),
    "@noble/curves/secp256k1": join(root, "src/console/Secp256k1.ts")
  }
}

/** Own modules stay apart, so that who bundles the package gets those that are used alone; other packages are taken in. */
const apart = {
  name: "apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, importer, kind }) =>
      kind === "entry-point" || importer.includes("node_modules")
        ? undefined
        : { path: path.replace(/\.ts$/, ".js"), external: true, sideEffects: false }
    )
  }
}

const EXPORTED = /^export (?:class|function|const) (\w+)/gm

/** Of other packages: one copy of the hash, no words of refusals that are caught here, no blobs, which no planned call has, and nothing that only unused parts load. */
const lean = {
  name: "lean",
  setup: ({ onLoad, onResolve, resolve: found }) => {
    onResolve({ filter: /^@noble\/hashes\// }, ({ path, kind, pluginData }) =>
      pluginData === lean
        ? undefined
        : found(path, { kind, resolveDir: join(root, "node_modules/viem"), pluginData: lean })
    )
    onResolve({ filter: /^\./ }, ({ kind, importer }) =>
      kind === "dynamic-import" && importer.includes("node_modules") ? { external: true } : undefined
    )
    onLoad({ filter: /viem\/_esm\/(?:errors|utils\/blob)\/\w+\.js$/ }, ({ path }) => ({
      contents: [...readFileSync(path, "utf8").matchAll(EXPORTED)]
        .map(([, name]) => `export class ${name} extends Error {}`)
        .join("\n")
    }))
  }
}

/** The modules of ours that the client loads, sooner or later. */
const ownModules = async () => {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: ["src/client/main.ts"],
    plugins: [lean],
    splitting: true,
    outdir: "parts",
    metafile: true
  })
  return Object.keys(metafile.inputs).filter(
    path => path.startsWith("src/") && !path.startsWith("src/console/")
  )
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
    description:
      "Signs requests to a signed-request service, prepares plans and carries them out, in Node.js and in browsers.",
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
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: await ownModules(),
    splitting: true,
    chunkNames: "packages/[name]-[hash]",
    outbase: "src",
    outdir: directory,
    plugins: [apart, lean]
  })
  for (const { path, contents } of outputFiles) {
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(path, contents)
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
