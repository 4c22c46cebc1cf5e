import { build } from "esbuild"
import { assert, describe, it } from "vitest"

const MAXIMUM_BYTES = 64 * 1024

const entry = `
  import { createClient } from "./src/client/Client.ts"
  import { approveStep } from "./src/client/OwnerApproval.ts"
  export { createClient, approveStep }
`

describe("the client in a browser", () => {
  it("bundles without anything of Node and stays small", async () => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: entry, resolveDir: process.cwd(), loader: "ts" },
      bundle: true,
      minify: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      write: false
    })
    const code = outputFiles[0]?.text ?? ""
    assert.deepStrictEqual(warnings, [])
    assert.isBelow(code.length, MAXIMUM_BYTES)
    assert.notMatch(code, /\bfrom\s*"|\brequire\(|\bprocess\.(?!env)|\bnode:/)
  })
})
