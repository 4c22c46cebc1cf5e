/** Commands that sent something, and whose service then answers no read: what left is told, and their exit codes do not say that nothing was sent. */
import { writeFile } from "node:fs/promises"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { signedItems } from "../support/Bundles.ts"
import { payment } from "../support/PlannedCalls.ts"
import { partyOf } from "../useroperations/support/Operating.ts"
import type { Ran } from "./support/Cli.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const { bench, proxy, at, owners, wallet, run, succeeded } = place
afterAll(place.stop)
afterEach(() => proxy.lose(undefined))

/** From the next such request on nothing that reads is answered. */
const cutAfter = (request: RegExp, reads = /^GET /): void =>
  proxy.during(request, async () => proxy.lose(reads))

const isTold = ({ code, stderr }: Ran): void => {
  assert.strictEqual(code, ExitCode.unconfirmed, stderr)
  assert.match(stderr, /was not answered/)
  assert.match(stderr, /What left before stands|was handed in before|: transactions_confirmed/)
  assert.match(stderr, /the same command goes on/)
}

const pay = (amount: string) => ["pay", "--project", "2", "--amount", amount, "--yes"]

describe("a command that sent something", { timeout: 120_000 }, () => {
  it("does not say that nothing was sent where its wallet's operation left", async () => {
    const command = [...pay("0.1ether"), "--wallet", wallet, "--owner-key-file", at("owner-1.json")]
    cutAfter(/^POST .*operations\/[^/]+\/submissions/)
    isTold(await run(command))
    proxy.lose(undefined)
    assert.match((await succeeded(command)).stdout, /: transactions_confirmed$/m)
    const sent = bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation")
    assert.strictEqual(sent.length, 1)
  })

  it("is done where its plan is confirmed and cannot be looked at once more", async () => {
    cutAfter(/^POST .*submissions/, /^GET .*\/plans\/[0-9a-f-]{36}$/)
    const { code, stdout, stderr } = await run(pay("0.2ether"))
    assert.strictEqual(code, ExitCode.ok, stderr)
    assert.match(stdout, /: transactions_confirmed$/m)
    assert.match(stderr, /was not answered.*\nWhat is kept of the plan [0-9a-f-]{36} stays/m)
  })

  it("does not say so where the funding of a wallet fails that was created", async () => {
    const create = ["wallet", "create", "--owner", owners[1]?.address ?? "", "--salt", "78", "--yes"]
    const { code, stderr } = await run([...create, "--fund", "1000000ether"])
    assert.strictEqual(code, ExitCode.unconfirmed, stderr)
    assert.match(stderr, /: transactions_confirmed$/m)
  })
})

describe("a plan that is followed after its bytes were handed in", { timeout: 120_000 }, () => {
  let id: string
  let raw: string

  beforeAll(async () => {
    const call = payment(bench, bench.manifest.accounts.holder)
    await writeFile(at("calls.json"), JSON.stringify({ calls: [call, { ...call, dependsOn: [0] }] }))
    const plan = JSON.parse(
      (await succeeded(["plan", "create", "--file", at("calls.json"), "--json"])).stdout
    )
    const [item] = await signedItems(bench, partyOf(owners[0] ?? assert.fail("no owner")), plan)
    id = plan.id
    raw = item?.rawSignedTransaction ?? ""
  })

  it("does not say that nothing was sent", async () => {
    cutAfter(/^POST .*submission/)
    isTold(await run(["plan", "submit-all", id, "--raw", `0=${raw}`, "--watch"]))
  })

  it("nor where its transaction was recorded", async () => {
    const { stdout } = await succeeded(["plan", "show", id, "--json"])
    const [step] = JSON.parse(stdout).steps
    cutAfter(/^POST .*submission/)
    isTold(await run(["plan", "record", id, "0", step.transaction.hash, "--watch"]))
  })
})
