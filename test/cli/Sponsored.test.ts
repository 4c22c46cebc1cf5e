/** A verb whose gas somebody else pays, to its end: one publication, one payment, effects proved. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { startQuotedBench } from "../sponsorship/support/Quoted.ts"
import { payment } from "../support/PlannedCalls.ts"
import { rpc } from "../support/Rpc.ts"
import { runHere } from "./support/InProcess.ts"
import { losingProxy } from "./support/LosingProxy.ts"

const bench = await startQuotedBench()
const proxy = await losingProxy(bench.service.url)
const directory = await mkdtemp(join(tmpdir(), "sponsored-"))
await rpc(bench.chain.url, "evm_setIntervalMining", [1])

afterAll(async () => {
  await proxy.stop()
  await bench.stop()
  await rm(directory, { recursive: true })
})

const run = (args: ReadonlyArray<string>, ask?: (question: string) => Promise<string>) =>
  runHere(
    args,
    {
      FUNDING_URL: proxy.url,
      FUNDING_RPC: bench.chain.url,
      FUNDING_STATE_DIR: join(directory, "state")
    },
    ask
  )

it("is completed by one command, by which the account is enrolled too", { timeout: 120_000 }, async () => {
  const pay = ["pay", "--project", "2", "--amount", "0.01ether", "--sponsor", "--yes"]
  const { code, stdout, stderr } = await run(pay)
  assert.strictEqual(code, 0, `${stderr}\n${stdout}`)
  assert.match(stderr, /^Enrolled the account eip155:/m)
  assert.match(stdout, /^sponsorship [0-9a-f-]{36}: completed$/m)
  assert.match(stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
  assert.match(stderr, /^payment {2}confirmed/m)
  const { items } = JSON.parse((await run(["sponsor", "list", "--json"])).stdout)
  assert.strictEqual(items.length, 1)
})

it("tells what stands where nobody agrees to the second round, and goes on with it", {
  timeout: 120_000
}, async () => {
  const call = payment(bench, bench.manifest.accounts.holder)
  const file = join(directory, "calls.json")
  await writeFile(file, JSON.stringify({ calls: [call, { ...call, dependsOn: [0] }] }))
  const planned = await run(["plan", "create", "--file", file])
  const id =
    /Next: service plan simulate ([0-9a-f-]{36})/.exec(planned.stdout)?.[1] ?? assert.fail(planned.stderr)
  const asked: Array<string> = []
  const declined = await run(["sponsor", id], async question => (asked.push(question) < 3 ? "y" : "n"))
  assert.strictEqual(asked.length, 3, declined.stderr)
  assert.strictEqual(declined.code, ExitCode.unconfirmed, declined.stderr)
  assert.match(declined.stdout, new RegExp(`^Step 1 of the plan ${id} was not signed\\. `))
  assert.match(declined.stdout, /^step 0 {2}confirmed/m)
  assert.notInclude(declined.stdout, "Nothing of the plan")
  const { code, stdout, stderr } = await run(["sponsor", id, "--yes"])
  assert.strictEqual(code, ExitCode.ok, `${stderr}\n${stdout}`)
  assert.match(stdout, new RegExp(`^plan ${id}: transactions_confirmed$`, "m"))
})

it("does not say that nothing was sent where the service is lost once its requests are published, or paid for", {
  timeout: 120_000
}, async () => {
  const pay = ["pay", "--project", "2", "--amount", "0.03ether", "--sponsor", "--yes"]
  for (const request of [
    /^POST .*sponsorships\/[^/]+\/submissions/,
    /^POST .*plans\/[^/]+\/steps\/0\/submissions/
  ]) {
    proxy.during(request, async () => proxy.lose(/^GET /))
    const { code, stderr } = await run(pay)
    proxy.lose(undefined)
    assert.strictEqual(code, ExitCode.unconfirmed, stderr)
    assert.match(stderr, /was not answered/)
    assert.match(stderr, /What left before stands|was handed in before/)
  }
  assert.strictEqual((await run(pay)).code, ExitCode.ok)
})
