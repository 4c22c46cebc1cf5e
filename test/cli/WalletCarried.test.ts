/** An operation that another bundler carried before its owner handed it in: the same command does nothing a second time, and takes it up. */
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { testSettings } from "../support/Settings.ts"
import { carriedByAnybody } from "../useroperations/support/Carried.ts"
import { envelopeOf, type OwnersOperation, partyOf } from "../useroperations/support/Operating.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

/** No operation is sent that ends within forty seconds. */
const LIFE_SECONDS = 90

const settings = { plans: { ...testSettings().plans, ttlSeconds: LIFE_SECONDS } }
const place = await sessionPlace({ settings })
const { bench, at, owners, wallet, run, succeeded } = place
afterAll(place.stop)

const owner = partyOf(owners[0] ?? assert.fail("no owner"))
const second = ["--owner-key-file", at("owner-1.json")]
const pay = (amount: string) => [
  ...["pay", "--project", "2", "--amount", amount],
  ...["--wallet", wallet, "--yes", "--timeout", "100"]
]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

/** Asked of one owner, signed by all of them elsewhere, and carried by somebody else. */
const carried = async (amount: string): Promise<OwnersOperation> => {
  const left = await succeeded([...pay(amount), "--out", at("ask.json")])
  assert.include(left.stdout, "1 of the 2 owners that it takes signed.")
  const [operation] = JSON.parse((await succeeded(["operation", "list", "--json"])).stdout).items
  await carriedByAnybody(bench, { owner, operation, signature: await envelopeOf(operation, owners) })
  return operation
}

const isDone = async (args: ReadonlyArray<string>) =>
  assert.match((await succeeded(args)).stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)

const until = (moment: number) => setTimeout(Math.max(0, moment - Date.now()) + 1_000)

const planCount = async () => JSON.parse((await succeeded(["plan", "list", "--json"])).stdout).items.length

let ending: OwnersOperation

/** Its time goes by while the other is tried. */
beforeAll(async () => {
  ending = await carried("0.2ether")
})

describe("an operation that was written to a file, signed by the others, and carried by them", {
  timeout: 240_000
}, () => {
  it("is taken up by the same command, once the time to send it is over", async () => {
    await until((await carried("0.1ether")).expiresAt)
    await isDone([...pay("0.1ether"), ...second])
    assert.strictEqual(sends(), 0)
  })

  it("is not done again in another plan by the same command, once its own has ended, but is taken up", async () => {
    const { id, planId, signing } = ending
    const again = [...pay("0.2ether"), ...second]
    await until(signing.validUntil * 1_000)
    const plans = await planCount()
    for (const _ of ["once", "again"]) {
      const { code, stderr } = await run(again)
      assert.strictEqual(code, ExitCode.unknown, stderr)
      assert.include(
        stderr,
        `The operation ${id} of the plan ${planId} of an earlier run was perhaps executed`
      )
      assert.include(stderr, `"service operation submit ${id}"`)
    }
    assert.deepStrictEqual([await planCount(), sends()], [plans, 0])
    await succeeded(["operation", "submit", id, "--yes", ...second])
    await isDone(again)
    assert.deepStrictEqual([await planCount(), sends()], [plans, 0])
  })
})
