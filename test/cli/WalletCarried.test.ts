/** An operation that another bundler carried before its owner handed it in: the same command does nothing a second time, and it is taken up. */
import { afterAll, assert, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { sqlOn } from "../support/Sql.ts"
import { carriedByAnybody } from "../useroperations/support/Carried.ts"
import { envelopeOf, partyOf, shownOperation } from "../useroperations/support/Operating.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace({ recovers: true })
const { bench, at, owners, wallet, run, succeeded } = place
afterAll(place.stop)

const owner = partyOf(owners[0] ?? assert.fail("no owner"))
const second = ["--owner-key-file", at("owner-1.json")]
const pay = ["pay", "--project", "2", "--amount", "0.1ether", "--wallet", wallet, "--yes", "--timeout", "100"]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

describe("an operation that was written to a file, signed by the others, and carried by them", {
  timeout: 240_000
}, () => {
  let id = ""
  /** When the time to send it is over, as its commitment has it. */
  let committed: string

  const endsAt = (moment: string) =>
    sqlOn(bench.service.databaseUrl, `UPDATE user_operations SET expires_at = ${moment} WHERE id = $1`, [id])

  it("is not done again by the same command, once the time to send it is over", async () => {
    const left = await succeeded([...pay, "--out", at("ask.json")])
    assert.include(left.stdout, "1 of the 2 owners that it takes signed.")
    id = JSON.parse((await succeeded(["operation", "list", "--json"])).stdout).items[0].id
    const operation = await shownOperation(bench.service, owner, { id })
    const [row] = await sqlOn(
      bench.service.databaseUrl,
      "SELECT expires_at::text AS moment FROM user_operations WHERE id = $1",
      [id]
    )
    committed = String(row?.moment)
    const signature = await envelopeOf(operation, owners)
    await carriedByAnybody(bench, { owner, operation, signature })
    await endsAt("unix_millis()")
    const { code, stderr } = await run([...pay, ...second])
    assert.strictEqual(code, ExitCode.refused, stderr)
    assert.include(stderr, `The operation ${id} of these steps was executed, though not sent from here`)
    assert.include(stderr, '"service operation submit <id>"')
    assert.strictEqual(sends(), 0)
  })

  it("is taken up by its owners' signatures, and the same command goes on with it", async () => {
    const sign = await run(["operation", "sign", id, "--yes"])
    assert.strictEqual(sign.code, ExitCode.usage)
    assert.include(sign.stderr, "its owners have nothing to sign")
    await endsAt(committed)
    await succeeded(["operation", "submit", id, "--yes", ...second])
    const { stdout } = await succeeded([...pay, ...second])
    assert.match(stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
    assert.strictEqual(sends(), 0)
  })
})
