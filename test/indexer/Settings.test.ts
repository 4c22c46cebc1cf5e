import { Either, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { decodeSettings } from "../../src/settings/decode.ts"

const decoded = (environment: Readonly<Record<string, string>>) => decodeSettings(environment)

describe("the settings of indexed sources", () => {
  it("take a URL for each network, and headers", () => {
    const { indexer } = Either.getOrThrow(
      decoded({
        SERVICE_INDEXER_MAINNET_URL: "https://index.example/graphql?key=1",
        SERVICE_INDEXER_TESTNET_URL: "http://ponder:42069",
        SERVICE_INDEXER_HEADERS: '{"Authorization":"Bearer x"}'
      })
    )
    assert.strictEqual(
      indexer.mainnetUrl && Redacted.value(indexer.mainnetUrl),
      "https://index.example/graphql?key=1"
    )
    assert.strictEqual(indexer.testnetUrl && Redacted.value(indexer.testnetUrl), "http://ponder:42069")
    assert.deepStrictEqual(Redacted.value(indexer.headers), { Authorization: "Bearer x" })
  })

  for (const [variable, value] of [
    ["SERVICE_INDEXER_MAINNET_URL", "https://hidden-key:secret@index.example"],
    ["SERVICE_INDEXER_MAINNET_URL", "https://index.example/#hidden-key"],
    ["SERVICE_INDEXER_TESTNET_URL", "https://index.example/#"],
    ["SERVICE_INDEXER_TESTNET_URL", "ftp://index.example/hidden-key"],
    ["SERVICE_INDEXER_HEADERS", '{"Host":"hidden-key"}'],
    ["SERVICE_INDEXER_HEADERS", '{"content-length":"1","x":"hidden-key"}'],
    ["SERVICE_INDEXER_HEADERS", '{"x":"a\\r\\nhidden-key: b"}'],
    ["SERVICE_INDEXER_HEADERS", '{"x y":"hidden-key"}']
  ] as const)
    it(`refuse ${variable}=${value}`, () => {
      const problems = Either.getOrThrow(Either.flip(decoded({ [variable]: value })))
      assert.deepStrictEqual(
        problems.map(problem => problem.variable),
        [variable]
      )
      assert.notInclude(JSON.stringify(problems), "hidden-key")
    })
})
