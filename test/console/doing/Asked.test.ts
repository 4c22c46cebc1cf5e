import { assert, describe, it } from "vitest"
import { askForProject } from "../../../src/console/doing/view/AskService.ts"
import { sentence } from "../../../src/review/Words.ts"
import { answeredClient } from "../support/AnsweredClient.ts"

const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const known = <A>(value: A) => ({ status: "known", value })
const unknown = { status: "unknown", error: { code: "UNSUPPORTED", message: "No.", retryable: false } }

const terminal = (accountingStore: object, decimals: string) => ({
  accountingStore,
  contexts: known([{ token: USDC, decimals }])
})

const asked = (...terminals: ReadonlyArray<object>) =>
  askForProject(
    {
      client: answeredClient(({ searchParams }) =>
        searchParams.get("source") === "onchain"
          ? {
              source: "onchain",
              onchain: { token: unknown, rulesets: { current: unknown }, terminals: known(terminals) }
            }
          : { source: "indexer", indexed: known({ name: "\u202eevil" }) }
      ),
      grant: {}
    },
    1,
    "7"
  )

describe("a project that is looked up", () => {
  it("tells the decimals of a token by the protocol's own terminal alone", async () => {
    const [own, foreign] = [terminal(known(USDC), "6"), terminal(unknown, "2")]
    for (const terminals of [
      [own, foreign],
      [foreign, own]
    ]) {
      const { tokens } = await asked(...terminals)
      assert.deepStrictEqual([...tokens], [[`1:${USDC.toLowerCase()}`, { decimals: 6 }]])
    }
    assert.strictEqual((await asked(foreign)).tokens.size, 0)
  })

  it("is named as others' text", async () => {
    const { rows } = await asked()
    assert.include(
      rows.map(({ name, value }) => `${name}: ${sentence(value)}`),
      String.raw`name: untrusted "\u{202E}evil"`
    )
  })
})
