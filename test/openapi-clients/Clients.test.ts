/** Two generators that know nothing of each other make clients from the committed description, and the clients compile. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"
import { afterAll, assert, describe, it } from "vitest"
import { signedFetch } from "../../src/client/SignedFetch.ts"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import { accountOf, newKey } from "../client/support/Parties.ts"
import { COMPILER_ENVIRONMENT, compiler } from "../compile/Compiler.ts"
import { startService } from "../support/Service.ts"

const allRoutes = placesOf(Api)

const run = promisify(execFile)
const packages = resolve("node_modules")
const packageOf = (name: string) => join(packages, name)

const DESCRIPTION = resolve("schema/openapi.json")
const COMPILER = {
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  skipLibCheck: true
}

const directory = await mkdtemp(join(tmpdir(), "openapi-clients-"))
await symlink(packages, join(directory, "node_modules"))

afterAll(() => rm(directory, { recursive: true }))

/** What the compiler has against programs by their names, or nothing. */
const complaints = async (programs: Readonly<Record<string, string>>): Promise<string> => {
  for (const [name, text] of Object.entries(programs)) await writeFile(join(directory, name), text)
  const config = join(directory, "tsconfig.json")
  await writeFile(config, JSON.stringify({ compilerOptions: COMPILER, files: Object.keys(programs) }))
  return run(process.execPath, compiler("-p", config), { env: COMPILER_ENVIRONMENT }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout
  )
}

const sourcesOf = async (place: string): Promise<string> => {
  const names = await readdir(join(directory, place), { recursive: true })
  const files = names.filter(name => name.endsWith(".ts")).map(name => join(directory, place, name))
  return (await Promise.all(files.map(file => readFile(file, "utf8")))).join("\n")
}

/** Generators write names without underscores. */
const joined = (name: string): string => name.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase())

const holdsEveryOperation = (source: string) => {
  for (const { name } of allRoutes) assert.match(source, new RegExp(`\\b${joined(name)}\\(`), name)
}

const SUBMITS = `{ rawSignedTransaction: "0x02" }`

const SIGNS = `import * as api from "./functions"
  export const me = async (baseUrl: string, fetch: typeof globalThis.fetch) => {
    api.defaults.baseUrl = baseUrl
    api.defaults.fetch = fetch
    const enrolled = await api.enrollAccount({})
    const { data } = await api.getAccount()
    return [enrolled.status, "account" in data ? data.account.id : data.code]
  }`

describe("a client generated from the description compiles and knows its types", { timeout: 600_000 }, () => {
  it("by oazapfts", async () => {
    const out = join(directory, "functions.ts")
    const generator = join(packageOf("oazapfts"), "dist", "cli.js")
    await run(process.execPath, [generator, DESCRIPTION, out])
    holdsEveryOperation(await readFile(out, "utf8"))
    const program = `import * as api from "./functions"
      export const read = async () => {
        const { data } = await api.getPlan("8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42")
        if ("code" in data) return data.code
        const hash: string | undefined = data.steps[0]?.transaction?.hash
        // @ts-expect-error a status is no number
        const status: number = data.status
        return [hash, status]
      }
      export const submit = () => api.submitStep("8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42", 0, "key", ${SUBMITS})
      // @ts-expect-error a step is a number
      export const wrong = () => api.submitStep("8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42", "0", "key", ${SUBMITS})
      export const approved = (ownerApproval: api.OwnerApproval) =>
        api.submitStep("8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42", 0, "key", { ...${SUBMITS}, ownerApproval })
      // @ts-expect-error an approval is not empty
      export const unapproved = () => approved({})
      export const hash: api.Bytes32 = "0x00"
      // @ts-expect-error a hash is a text
      export const noHash: api.Bytes32 = 7`
    assert.strictEqual(await complaints({ "use-functions.ts": program, "signing.ts": SIGNS }), "")
  })

  it("and signs by a fetch that it is given", async () => {
    const outfile = join(directory, "signing.mjs")
    const entry = join(directory, "signing.ts")
    await build({ entryPoints: [entry], bundle: true, format: "esm", platform: "node", outfile })
    const { me } = await import(pathToFileURL(outfile).href)
    const service = await startService()
    const key = newKey()
    const account = accountOf(key.address)
    const told: unknown = await me(service.url, signedFetch(key, { baseUrl: service.url, account })).finally(
      service.stop
    )
    assert.deepStrictEqual(told, [200, account])
  })

  it("by openapi-typescript-codegen", async () => {
    const generator = join(packageOf("openapi-typescript-codegen"), "bin", "index.js")
    const out = join(directory, "services")
    await run(process.execPath, [generator, "--input", DESCRIPTION, "--output", out, "--client", "fetch"])
    holdsEveryOperation(await sourcesOf("services"))
    const program = `import { type Bytes32, TransactionsService } from "./services"
      export const submit = () => TransactionsService.submitStep("8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42", 0, "key", ${SUBMITS})
      // @ts-expect-error a step is a number
      export const wrong = () => TransactionsService.submitStep("8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42", "0", "key", ${SUBMITS})
      export const hash: Bytes32 = "0x00"
      // @ts-expect-error a hash is a text
      export const noHash: Bytes32 = 7`
    assert.strictEqual(await complaints({ "use-services.ts": program }), "")
  })
})
