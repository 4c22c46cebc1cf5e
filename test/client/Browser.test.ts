import { build } from "esbuild"
import { assert, describe, it } from "vitest"

const MAXIMUM_BYTES = 64 * 1024

describe("the client in a browser", () => {
  it("bundles without anything of Node and stays small", async () => {
    const { outputFiles, warnings } = await build({
      entryPoints: ["src/client/main.ts"],
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
