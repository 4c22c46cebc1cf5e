import { createContext, runInContext } from "node:vm"
import { build } from "esbuild"
import { assert, describe, it } from "vitest"
import { accountOf, newKey } from "./support/Parties.ts"
import { json, problem, scriptedFetch } from "./support/ScriptedFetch.ts"

const MAXIMUM_BYTES = 64 * 1024

const bundle = async (contents: string) => {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: "src/client" },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    write: false
  })
  assert.deepStrictEqual(warnings, [])
  return outputFiles[0]?.text ?? ""
}

/** What every current browser has of what the client may need, and nothing of Node. */
const WEB = {
  AbortSignal,
  TextDecoder,
  TextEncoder,
  URL,
  clearTimeout,
  crypto,
  setTimeout
}

/** The bytes that are loaded with the entry, and the code of all parts. */
const parted = async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ["src/client/main.ts"],
    bundle: true,
    minify: true,
    splitting: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    outdir: "parts",
    metafile: true,
    write: false
  })
  const loaded = new Set(["parts/main.js"])
  for (const path of loaded)
    for (const { kind, path: imported } of metafile.outputs[path]?.imports ?? [])
      if (kind === "import-statement") loaded.add(imported)
  const bytes = [...loaded].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0)
  return { bytes, code: outputFiles.map(({ text }) => text).join("\n") }
}

describe("the client in a browser", () => {
  it("bundles without anything of Node and stays small", async () => {
    const { bytes, code } = await parted()
    assert.isAbove(bytes, 20_000)
    assert.isBelow(bytes, MAXIMUM_BYTES)
    assert.notMatch(code, /\bfrom\s*"[@\w]|\brequire\(|\bprocess\.(?!env)|"node:/)
  })

  it("runs where there is nothing of Node, retries and all", async () => {
    const key = newKey()
    const account = accountOf(key.address)
    const { fetch, sent } = scriptedFetch([
      json(200, { audience: "http://service.test" }),
      problem(503, "DATABASE_UNAVAILABLE"),
      json(200, { account: { id: account } })
    ])
    const page = createContext({ ...WEB, fetch, key, account })
    const script = await bundle('import * as service from "./main.ts"; globalThis.service = service')
    await runInContext(`(async () => {${script}})()`, page)
    const told: unknown = await runInContext(
      `service.createClient({ baseUrl: "http://service.test", account, signer: key }).accounts.enroll()
        .catch(() => service.createClient({ baseUrl: "http://service.test", audience: "http://service.test", account, signer: key }).accounts.show())
        .then(({ id }) => id)`,
      page
    )
    assert.strictEqual(told, account)
    assert.deepStrictEqual(
      sent.map(({ method }) => method),
      ["GET", "POST", "GET"]
    )
  })
})
