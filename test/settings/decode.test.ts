import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import type { Environment } from "../../src/settings/decode.ts"
import { settingRows } from "../../src/settings/register.ts"
import { linesOf, settingsOf } from "./support/Decoded.ts"

describe("settings that are right", () => {
  it("start from nothing with the documented defaults", () => {
    const settings = settingsOf({ PATH: "/bin", SERVICE_PORT: "" })
    assert.deepInclude(settings, {
      host: "127.0.0.1",
      port: 8787,
      opsPort: 8788,
      chainPort: 8789,
      audience: "http://localhost:8787",
      databaseUrl: undefined,
      databaseConnections: 10,
      processes: 1,
      chains: [],
      headMaximumAgeSeconds: 60,
      maximumInWork: 256,
      accountCap: 100_000,
      enrolmentsPerAddress: 100,
      opsNames: [],
      readiness: { needs: [], deadlineMillis: 2_000 },
      tracePercent: 5,
      trustedProxies: [],
      reviewSecret: undefined,
      previousReviewSecret: undefined,
      reviewTtlSeconds: 600
    })
    assert.strictEqual(settings.plans.maximumTransactionCost, 10n ** 21n)
    assert.deepStrictEqual(settings.quotas, { owner: 300, bots: 300, address: 600, rpc: 20_000 })
    assert.match(settings.dataDirectory, /^\/.*\/\.data$/)
  })

  it("let the public URL follow the port and lose one trailing slash", () => {
    assert.strictEqual(settingsOf({ SERVICE_PORT: "9000" }).audience, "http://localhost:9000")
    const given = settingsOf({ SERVICE_PUBLIC_URL: "https://funding.example/base/" })
    assert.strictEqual(given.audience, "https://funding.example/base")
  })

  it("gather chains in the order of their ids, with URLs redacted", () => {
    const { chains } = settingsOf({
      SERVICE_RPC_8453: "https://one.example/key, http://127.0.0.1:8545",
      SERVICE_RPC_1: "https://main.example",
      SERVICE_CONFIRMATIONS_1: "12"
    })
    assert.deepStrictEqual(
      chains.map(chain => ({ ...chain, urls: chain.urls.map(Redacted.value) })),
      [
        { chainId: 1, urls: ["https://main.example"], confirmations: 12 },
        { chainId: 8453, urls: ["https://one.example/key", "http://127.0.0.1:8545"], confirmations: 2 }
      ]
    )
    assert.notInclude(JSON.stringify(chains), "example")
  })

  it("let the embedded chain and configured ones have bundlers and a paymaster", () => {
    const { userOperations } = settingsOf({
      SERVICE_RPC_10: "https://ten.example",
      SERVICE_BUNDLER_10: "https://bundler.example/key, http://127.0.0.1:4337",
      SERVICE_PAYMASTER_10: "https://paymaster.example/key",
      SERVICE_PAYMASTER_CONTEXT_10: '{"policyId":"hidden"}'
    })
    const [bundler] = userOperations.bundlers
    assert.deepStrictEqual(bundler?.urls.map(Redacted.value), [
      "https://bundler.example/key",
      "http://127.0.0.1:4337"
    ])
    const [paymaster] = userOperations.paymasters
    assert.deepStrictEqual(paymaster && Redacted.value(paymaster.context), { policyId: "hidden" })
    assert.notMatch(JSON.stringify(userOperations.bundlers), /example/)
    assert.notMatch(JSON.stringify(userOperations.paymasters), /example|hidden/)
    assert.deepStrictEqual(userOperations.maximumGas, {
      call: 10_000_000n,
      verification: 3_000_000n,
      preVerification: 2_000_000n,
      paymasterVerification: 1_000_000n,
      paymasterPostOp: 1_000_000n
    })
    const local = settingsOf({ SERVICE_BUNDLER_31337: "http://127.0.0.1:4337" })
    assert.deepStrictEqual(
      local.userOperations.bundlers.map(({ chainId }) => chainId),
      [31337]
    )
    assert.deepStrictEqual(local.userOperations.paymasters, [])
  })

  it("let configured chains have a manifest of a sandbox deployment", () => {
    const { sandboxManifest } = settingsOf({
      SERVICE_RPC_31337: "http://127.0.0.1:8545",
      SERVICE_SANDBOX_MANIFEST: "/deployments.json"
    })
    assert.strictEqual(sandboxManifest, "/deployments.json")
  })

  it("take the origin of a provider with a slash behind it, and without", () => {
    for (const text of ["https://provider.example", "https://provider.example/", "http://127.0.0.1:9"]) {
      const { providerUrl } = settingsOf({ SERVICE_PROVIDER_URL: text }).sponsorship
      assert.strictEqual(providerUrl && Redacted.value(providerUrl), text)
    }
  })

  it("take proxies, headers and secrets", () => {
    const settings = settingsOf({
      SERVICE_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      SERVICE_INDEXER_HEADERS: '{"authorization":"Bearer x"}',
      SERVICE_REVIEW_SECRET: "k".repeat(32)
    })
    assert.deepStrictEqual(settings.trustedProxies, ["10.0.0.0/8", "::1"])
    assert.deepStrictEqual(Redacted.value(settings.indexer.headers), { authorization: "Bearer x" })
  })
})

const wrong: ReadonlyArray<readonly [Environment, string]> = [
  [
    { SERVICE_PORT: "99999" },
    'SERVICE_PORT: "99999" is not a port from 1 to 65535; give one or leave it out for 8787.'
  ],
  [{ SERVICE_PROT: "1" }, "SERVICE_PROT: there is no such setting; perhaps SERVICE_PORT is meant."],
  [
    { SERVICE_FROBNICATION: "1" },
    "SERVICE_FROBNICATION: there is no such setting; remove it or look its name up in the settings table."
  ],
  [
    { SERVICE_RPC_main: "https://x.example" },
    'SERVICE_RPC_main: "main" is not a chain id; name the chain by its number, such as SERVICE_RPC_1.'
  ],
  [
    { SERVICE_CONFIRMATIONS_10: "3" },
    "SERVICE_CONFIRMATIONS_10: there is no SERVICE_RPC_10; set SERVICE_RPC_10 too or remove it."
  ],
  [
    { SERVICE_SANDBOX_MANIFEST: "deployments.json" },
    "SERVICE_SANDBOX_MANIFEST: no chain is configured whose contracts it could tell; set SERVICE_RPC_<chainId> too or remove it (that of the embedded chain)."
  ],
  [
    { SERVICE_BUNDLER_10: "https://bundler.example" },
    "SERVICE_BUNDLER_10: there is no SERVICE_RPC_10; set SERVICE_RPC_10 too or remove it."
  ],
  [
    { SERVICE_PAYMASTER_main: "https://paymaster.example" },
    'SERVICE_PAYMASTER_main: "main" is not a chain id; name the chain by its number, such as SERVICE_PAYMASTER_1.'
  ],
  [
    { SERVICE_RPC_10: "https://node.example", SERVICE_PAYMASTER_10: "https://paymaster.example" },
    "SERVICE_PAYMASTER_10: there is no SERVICE_BUNDLER_10; set SERVICE_BUNDLER_10 too or remove it."
  ],
  [
    { SERVICE_PAYMASTER_CONTEXT_31337: "{}" },
    "SERVICE_PAYMASTER_CONTEXT_31337: there is no SERVICE_PAYMASTER_31337; set SERVICE_PAYMASTER_31337 too or remove it."
  ],
  [
    { SERVICE_OPERATION_CAP: "1" },
    'SERVICE_OPERATION_CAP: "1" is not an integer from 33 to 1000000; give one or leave it out for 1000.'
  ],
  [
    { SERVICE_SESSION_CAP: "1" },
    'SERVICE_SESSION_CAP: "1" is not an integer from 33 to 1000000; give one or leave it out for 1000.'
  ],
  [
    { SERVICE_OPS_PORT: "8787" },
    "SERVICE_OPS_PORT: 8787 is the port of the public API too; give it another port than SERVICE_PORT."
  ]
]

describe("settings that are wrong", () => {
  it.each(wrong)("say so in one line: %j", (environment, line) => {
    assert.deepStrictEqual(linesOf(environment), [line])
  })

  it("are all told at once", () => {
    assert.lengthOf(linesOf({ SERVICE_PORT: "x", SERVICE_LOG_LEVEL: "loud", SERVICE_QUOTA_RPC: "49" }), 3)
  })

  it.each([
    { SERVICE_RPC_1: "http://node.example/hidden-key" },
    { SERVICE_RPC_1: "https://node.example/hidden-key,,https://b.example" },
    { SERVICE_DATABASE_URL: "mysql://u:hidden-key@host/db" },
    { SERVICE_REVIEW_SECRET: "hidden-key" },
    { SERVICE_REVIEW_SECRET_PREVIOUS: "hidden-key" },
    { SERVICE_METRICS_TOKEN: "hidden-key" },
    { SERVICE_INDEXER_HEADERS: '{"authorization":["hidden-key"]}' },
    { SERVICE_INDEXER_MAINNET_URL: "ftp://hidden-key" },
    { SERVICE_BUNDLER_31337: "http://bundler.example/hidden-key" },
    { SERVICE_PAYMASTER_31337: "ftp://paymaster.example/hidden-key" },
    { SERVICE_PAYMASTER_31337: "http://127.0.0.1:1", SERVICE_PAYMASTER_CONTEXT_31337: "hidden-key" },
    { SERVICE_PROVIDER_URL: "https://provider.example/hidden-key" },
    { SERVICE_PROVIDER_URL: "https://provider.example?key=hidden-key" },
    { SERVICE_OTLP_ENDPOINT: "hidden-key" },
    { SERVICE_OTLP_ENDPOINT: "https://user:hidden-key%@traces.example" }
  ])("never show a secret: %j", environment => {
    const [line = "", ...others] = linesOf(environment)
    assert.lengthOf(others, 0)
    assert.include(line, "the value (not shown) is not ")
    assert.notInclude(line, "hidden-key")
  })

  it.each([
    "http://funding.example",
    "https://user@funding.example",
    "https://funding.example?x=1",
    "https://funding.example/#",
    "https://funding.example/?",
    "https://funding.example//",
    "https://funding.example/a//b",
    "https:funding.example",
    " https://funding.example",
    "https://Funding.example",
    "http://127.0.0.2",
    "localhost:8787"
  ])("refuse the public URL %s", text => {
    assert.lengthOf(linesOf({ SERVICE_PUBLIC_URL: text }), 1)
  })

  it("never show credentials that a public URL must not have", () => {
    const [line = ""] = linesOf({ SERVICE_PUBLIC_URL: "https://user:hidden-key@funding.example" })
    assert.include(line, '"https://…@funding.example" is not an https URL')
    assert.notInclude(line, "hidden-key")
  })

  it.each(["1.5", "01", "1e3", " 5", "+5", "0x10", "٣"])("refuse the number %s", text => {
    assert.lengthOf(linesOf({ SERVICE_MAX_IN_WORK: text }), 1)
    assert.lengthOf(linesOf({ SERVICE_MAXIMUM_GAS: text }), 1)
  })

  it.each(["10.0.0.0/33", "10.0.0.0/8/8", "proxy", "::1/129", ""])("refuse the proxy %s", text => {
    assert.lengthOf(linesOf({ SERVICE_TRUSTED_PROXIES: `127.0.0.1,${text}` }), 1)
  })
})

it("lists every variable once, with a sentence", () => {
  const names = settingRows.map(row => row.name)
  assert.strictEqual(new Set(names).size, names.length)
  for (const row of settingRows) {
    assert.match(row.name, /^SERVICE_[A-Z_]+(?:<chainId>)?$/)
    assert.match(row.help, /^[A-Z].*\.$/)
  }
})
