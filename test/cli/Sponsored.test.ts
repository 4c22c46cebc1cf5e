/** A verb whose gas somebody else pays, to its end: one publication, one payment, effects proved. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { startQuotedBench } from "../sponsorship/support/Quoted.ts"
import { rpc } from "../support/Rpc.ts"
import { runHere } from "./support/InProcess.ts"

const bench = await startQuotedBench()
const directory = await mkdtemp(join(tmpdir(), "sponsored-"))
await rpc(bench.chain.url, "evm_setIntervalMining", [1])

afterAll(async () => {
  await bench.stop()
  await rm(directory, { recursive: true })
})

const run = (args: ReadonlyArray<string>) =>
  runHere(args, {
    FUNDING_URL: bench.service.url,
    FUNDING_RPC: bench.chain.url,
    FUNDING_STATE_DIR: join(directory, "state")
  })

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
