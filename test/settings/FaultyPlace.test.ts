/** A setting that consists of parts is refused with the place of the part that is wrong. */
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { decodeSettings, type Environment, problemLine } from "../../src/settings/decode.ts"

const lineOf = (environment: Environment): string =>
  Either.match(decodeSettings(environment), {
    onLeft: problems => problems.map(problemLine).join("\n"),
    onRight: () => ""
  })

const gas = {
  call: "10000000",
  verification: "3000000",
  preVerification: "2000000",
  paymasterVerification: "1000000",
  paymasterPostOp: "1000000"
}
const app = {
  bot: "0x00000000000000000000000000000000000000b1",
  origin: "https://app.example",
  callbackUri: "https://app.example/paid"
}
const pilot = { issuer: "https://service.example", rpId: "localhost", apps: [app], manifestIds: ["pilot"] }
const contract = { address: app.bot, runtimeCodeHash: `0x${"0".repeat(64)}` }
const { call: _, ...incomplete } = gas

const parts: ReadonlyArray<readonly [Environment, string]> = [
  [{ SERVICE_RPC_1: "https://a.example,https://b.example,ftp://c.example" }, "item 3"],
  [{ SERVICE_BUNDLER_31337: "https://a.example,,https://b.example" }, "item 2"],
  [{ SERVICE_TRUSTED_PROXIES: "10.0.0.0/8,10.0.0.0/33" }, "item 2"],
  [{ SERVICE_READY_NEEDS: "chains:1,provider" }, "item 1"],
  [{ SERVICE_OPERATION_GAS: JSON.stringify({ ...gas, paymasterPostOp: 1_000_000 }) }, "paymasterPostOp"],
  [{ SERVICE_OPERATION_GAS: JSON.stringify(incomplete) }, "call"],
  [{ SERVICE_OPERATION_GAS: JSON.stringify({ ...gas, calls: "1" }) }, "calls"],
  [
    { SERVICE_PROVIDER_PAYMENTS: JSON.stringify({ 1: contract, 10: { ...contract, address: "0x1" } }) },
    "10.address"
  ],
  [
    { SERVICE_WALLET_PAYMENTS: JSON.stringify({ ...pilot, apps: [app, { ...app, origin: "app.example" }] }) },
    "apps.1.origin"
  ]
]

describe("a setting of several parts", () => {
  it.each(parts)("%j says which part is wrong", (environment, place) => {
    assert.include(lineOf(environment), ` (look at ${place}); `)
  })

  it.each([
    { SERVICE_PORT: "x" },
    { SERVICE_OPERATION_GAS: "{" },
    { SERVICE_INDEXER_HEADERS: '{"hidden-key":["hidden-key"]}' }
  ])("%j has no such place, or a secret's", environment => {
    assert.notMatch(lineOf(environment), /look at|hidden-key/)
  })
})
