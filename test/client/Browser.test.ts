import { createContext, runInContext } from "node:vm"
import { build } from "esbuild"
import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { UnexpectedAnswer } from "../../src/client/Errors.ts"
import type { Fetch } from "../../src/client/Exchange.ts"
import { signedFetch } from "../../src/client/SignedFetch.ts"
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

/** As workers at the edge of a network have it: refusing the redirect mode "error", and called as nobody's method. */
const edgeFetch = (answer: Fetch): Fetch =>
  async function (this: unknown, url: string, init: RequestInit) {
    if (this !== undefined) throw new TypeError("Illegal invocation")
    if (init.redirect === "error") throw new TypeError("Invalid redirect value")
    return answer(url, init)
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

describe("the client at the edge of a network", () => {
  it("works by the fetch there, and follows no redirect", async () => {
    const key = newKey()
    const account = accountOf(key.address)
    const moved = () => new Response(null, { status: 307, headers: { location: "http://evil.test/" } })
    const redirects = [moved(), problem(302, "FORBIDDEN"), Response.error()]
    const { fetch, sent } = scriptedFetch([
      json(200, { account: { id: account } }),
      ...redirects,
      json(200, {}),
      ...redirects
    ])
    const baseUrl = "http://service.test"
    const options = { baseUrl, audience: baseUrl, account, fetch: edgeFetch(fetch) }
    const client = createClient({ ...options, signer: key, retries: 0 })
    const signing = signedFetch(key, options)
    const asked = [() => client.accounts.show(), () => signing("/api/v1/accounts/me")]
    for (const ask of asked) {
      await ask()
      for (const { status } of redirects) {
        const failure = await ask().catch((caught: unknown) => caught)
        assert.instanceOf(failure, UnexpectedAnswer)
        assert.strictEqual(failure.status, status)
      }
    }
    assert.deepStrictEqual([...new Set(sent.map(({ url }) => url))], [`${baseUrl}/api/v1/accounts/me`])
  })
})
