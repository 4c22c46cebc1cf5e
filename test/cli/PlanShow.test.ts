import { join } from "node:path"
import { Redacted } from "effect"
import { createTestClient, http } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type FreshDatabase, freshDatabase } from "../support/Postgres.ts"
import { NATIVE_TOKEN, type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { startService } from "../support/Service.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const PATIENCE = { timeout: 120_000 }

let cli: Cli
let database: FreshDatabase
let sandbox: Sandbox
let proxy: LosingProxy

beforeAll(async () => {
  database = await freshDatabase()
  const parts = await Promise.all([buildCli(), startSandbox({ databaseUrl: database.url })])
  cli = parts[0]
  sandbox = parts[1]
  proxy = await losingProxy(sandbox.service.url)
  const enrolled = await run(["account", "enroll"])
  assert.strictEqual(enrolled.code, 0, enrolled.stderr)
})

afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
  await database.drop()
  await cli.remove()
})

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, {
    FUNDING_URL: proxy.url,
    FUNDING_RPC: sandbox.chain.url,
    FUNDING_STATE_DIR: join(cli.directory, "state"),
    ...env
  })

const payment = (amount: string, label: string) => [
  ...["plan", "create", "--contract", "JBMultiTerminal", "--function", "pay", "--value", amount],
  ...["--label", label, "--json", "--args"],
  JSON.stringify(["2", NATIVE_TOKEN, amount, BENEFICIARY, "0", "for\u202Eyou", "0x"])
]

const planned = async (amount: string, label = "a payment"): Promise<string> => {
  const created = await run(payment(amount, label))
  assert.strictEqual(created.code, 0, created.stderr)
  return JSON.parse(created.stdout).id
}

describe("service plan show", PATIENCE, () => {
  it("says what others wrote as marked, visible text, and where the page is", async () => {
    const id = await planned("10", "\u2066odd\u2069")
    const { code, stdout } = await run(["plan", "show", id])
    assert.strictEqual(code, 0)
    assert.match(stdout, /memo \(string\): untrusted "for\\u\{202E\}you"/)
    assert.match(stdout, /label +untrusted "\\u\{2066\}odd\\u\{2069\}"/)
    assert.match(stdout, new RegExp(`recipient +${BENEFICIARY} as beneficiary`))
    assert.include(stdout, `${sandbox.service.audience}/console/plans/${id}#account=eip155:31337:0xf39fd6`)
    assert.notMatch(stdout, /[\u202A-\u202E\u2066-\u2069]/)
  })

  it("proves a project's token, and reads its amounts in whole units", async () => {
    const created = await run([
      ...["plan", "create", "--contract", "JBERC20", "--function", "transfer", "--project", "2"],
      ...["--args", JSON.stringify([BENEFICIARY, "2500000000000000000"])]
    ])
    assert.strictEqual(created.code, 0, created.stderr)
    assert.match(created.stdout, /to +0x[0-9a-fA-F]{40}, a clone, proved on chain when it was looked up/)
    assert.include(
      created.stdout,
      'value (uint256): 2.5 of a token that calls itself untrusted "DEMO" (2500000000000000000 with 18 decimals)'
    )
  })

  it("prints the hash that a hardware wallet shows, and signs what it foretold", async () => {
    const id = await planned("11")
    const fees = ["--gas", "900000", "--max-fee", "30000000000", "--priority-fee", "1000000000"]
    const shown = await run(["plan", "show", id, "--digest", ...fees])
    const [, hash = assert.fail(shown.stdout)] =
      /transaction hash to sign +(0x[0-9a-f]{64})/.exec(shown.stdout) ?? []
    const submitted = await run(["plan", "submit", id, "0", ...fees])
    assert.strictEqual(submitted.code, 0, submitted.stderr)
    assert.include(submitted.stderr, `transaction hash to sign  ${hash}`)
    await createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) }).mine({ blocks: 2 })
  })

  it("shows a tampered answer as a danger, and submits nothing of it", async () => {
    const id = await planned("12")
    proxy.alter(text => text.replaceAll(BENEFICIARY, "0x00000000000000000000000000000000000000bB"))
    const shown = await run(["plan", "show", id])
    assert.strictEqual(shown.code, 6)
    assert.match(shown.stdout, /^DANGER: sign nothing of this plan\.\n {2}the commitment does not match/)
    assert.include(shown.stdout, "step 0: the calldata carries other arguments than shown")
    assert.notInclude(shown.stdout, "/console/plans/")
    const refused = await run(["plan", "submit", id, "0"])
    proxy.alter(undefined)
    assert.strictEqual(refused.code, 6)
    assert.match(refused.stderr, /is not what it seems/)
    const { steps } = JSON.parse((await run(["plan", "show", id, "--json"])).stdout)
    assert.isUndefined(steps[0].transaction)
  })

  it("says the same after the service was started anew", async () => {
    const id = await planned("13")
    const before = await run(["plan", "show", id])
    await sandbox.service.stop()
    const { audience } = sandbox.service
    const chains = [{ chainId: 31_337, urls: [Redacted.make(sandbox.chain.url)], confirmations: 2 }]
    const settings = { audience, chains }
    const anew = await startService({ databaseUrl: database.url, overlays: [sandbox.overlay], settings })
    const after = await run(["plan", "show", id], { FUNDING_URL: anew.url })
    await anew.stop()
    assert.strictEqual(after.code, 0, after.stderr)
    const timeless = (text: string) =>
      text.replace(/, (?:(?:just )?now|(?:in )?[0-9]+ [a-z]+(?: and [0-9]+ [a-z]+)?(?: ago)?)$/gm, "")
    assert.strictEqual(timeless(after.stdout), timeless(before.stdout))
  })
})
