/** Plans whose gas somebody else pays, on the command line: said first, signed after a yes, published once. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { developmentKey } from "../../sandbox/DevelopmentAccounts.ts"
import { ROUTED_PROJECT_ID, sandboxUsdOf } from "../../sandbox/families/routing.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { startScriptedProvider } from "../sponsorship/support/ScriptedProvider.ts"
import { startSponsoringBench } from "../sponsorship/support/Sponsored.ts"
import { fundedOwner } from "../support/Sandbox.ts"
import { runHere } from "./support/InProcess.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const directory = await mkdtemp(join(tmpdir(), "sponsor-"))

afterAll(async () => {
  await bench.stop()
  await provider.stop()
  await rm(directory, { recursive: true })
})

const run = (args: ReadonlyArray<string>, ask?: (question: string) => Promise<string>) =>
  runHere(
    args,
    {
      FUNDING_URL: bench.service.url,
      FUNDING_RPC: bench.chain.url,
      FUNDING_STATE_DIR: join(directory, "state")
    },
    ask
  )

beforeAll(async () => {
  assert.strictEqual((await run(["account", "enroll"])).code, 0)
})

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...["pay", "--project", "2", "--amount", amount, "--sponsor", "--timeout", "1"],
  ...more
]

const listed = async (): Promise<ReadonlyArray<Sponsorship>> =>
  JSON.parse((await run(["sponsor", "list", "--json"])).stdout).items

const SIGNING = /^Signing a request:$/m

const planIn = (text: string): string =>
  /service sponsor ([0-9a-f-]{36})/.exec(text)?.[1] ?? assert.fail(`no plan in ${text}`)

describe("a verb whose gas somebody else pays", { timeout: 120_000 }, () => {
  it("says so first, and signs nothing after a no", async () => {
    const asked: Array<string> = []
    const { code, stdout, stderr } = await run(pay("1000"), async question => {
      asked.push(question)
      return "no"
    })
    assert.strictEqual(code, 1, stderr)
    assert.match(
      stderr,
      /^Somebody else pays about 0\.0\d+ ETH of gas; you sign one request that ends on \w+day\.$/m
    )
    assert.match(stderr, /^ +gas +paid by the wallet, or by somebody else: /m)
    assert.deepStrictEqual(asked, ["Sign and publish this request? [y/N] "])
    assert.notMatch(stderr, SIGNING)
    assert.match(stdout, /^Nothing of the plan [0-9a-f-]{36} was signed\.$/)
    assert.deepStrictEqual(
      (await listed()).map(({ state }) => state),
      ["prepared"]
    )
    assert.strictEqual(provider.requests.length, 0)
  })

  it("refuses where nobody can be asked, and goes on with the same requests after a yes", async () => {
    const refused = await run(pay("2000"))
    assert.strictEqual(refused.code, 1)
    const plan = planIn(refused.stderr)
    const before = await listed()
    const went = await run(pay("2000", "--yes"))
    assert.strictEqual(went.code, 5, went.stderr)
    assert.match(went.stderr, SIGNING)
    assert.match(went.stderr, /^sponsorship [0-9a-f-]{36}: quote_unverified$/m)
    assert.include(went.stderr, `service sponsor ${plan}, or a longer --timeout`)
    assert.deepStrictEqual(
      (await listed()).map(({ id }) => id),
      before.map(({ id }) => id)
    )
    const again = await run(["sponsor", plan, "--timeout", "1", "--yes"])
    assert.strictEqual(again.code, 5, again.stderr)
    assert.notMatch(again.stderr, SIGNING)
    assert.strictEqual(provider.requests.filter(({ method }) => method === "POST").length, 1)
  })

  it("signs no transaction for a step that is sponsored already", async () => {
    const [first = assert.fail("no sponsorship")] = await listed()
    assert.strictEqual(first.state, "quote_unverified")
    const direct = await run(["pay", "--project", "2", "--amount", "2000", "--yes", "--timeout", "1"])
    assert.strictEqual(direct.code, 5, direct.stderr)
    assert.include(direct.stderr, "Step 0 is sponsored")
  })

  it("tells before anything is signed which step cannot be forwarded, and the way on", async () => {
    const token = sandboxUsdOf(bench.manifest.accounts)
    const { key, accountId } = fundedOwner(1)
    const file = join(directory, "payer.json")
    const content = { privateKey: developmentKey(1), address: key.address, accountId }
    await writeFile(file, JSON.stringify(content), { mode: 0o600 })
    const payer = ["--key-file", file]
    assert.strictEqual((await run(["account", "enroll", ...payer])).code, 0)
    const refused = await run([
      ...["pay", "--project", String(ROUTED_PROJECT_ID), "--token", token, "--amount", "5000000"],
      ...["--sponsor", "--yes", ...payer]
    ])
    assert.strictEqual(refused.code, 2, refused.stderr)
    assert.match(refused.stderr, /^ +gas +paid by the wallet alone: /m)
    assert.match(refused.stderr, /^FORWARDER_TARGET_UNTRUSTED/m)
    assert.match(refused.stderr, /"service plan submit <plan> <step>"/)
    assert.notMatch(refused.stderr, SIGNING)
    assert.strictEqual((await run(["sponsor", "list", ...payer])).stdout, "No sponsorships.")
  })
})

describe("sponsorships on the command line", { timeout: 120_000 }, () => {
  it("are listed and shown, with every request", async () => {
    const [first = assert.fail("no sponsorship")] = await listed()
    const list = await run(["sponsor", "list", "--plan", first.planId])
    assert.match(list.stdout, new RegExp(`^${first.id} +quote_unverified +\\S+ +${first.planId} +0$`, "m"))
    const { stdout } = await run(["sponsor", "show", first.id])
    const [request = assert.fail("no request")] = first.authorizations
    assert.match(stdout, new RegExp(`^sponsorship ${first.id}: quote_unverified$`, "m"))
    assert.match(stdout, new RegExp(`^ +digest +${request.digest}$`, "m"))
    assert.match(stdout, new RegExp(`^ +published +${first.submission?.hash}$`, "m"))
    const none = await run(["sponsor", "list", "--plan", first.id])
    assert.strictEqual(none.stdout, "No sponsorships.")
    const unknown = await run(["sponsor", "show", first.planId])
    assert.strictEqual(unknown.code, 2)
    assert.include(unknown.stderr, "SPONSORSHIP_NOT_FOUND")
  })
})
