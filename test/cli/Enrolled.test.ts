/** A verb of an account that is not enrolled: the person is asked, and nothing happens without a yes. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { startRelayBench } from "../support/RelayBench.ts"
import { runHere } from "./support/InProcess.ts"

const bench = await startRelayBench()
const directory = await mkdtemp(join(tmpdir(), "enrolled-"))

afterAll(async () => {
  await bench.stop()
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

const PAY = ["pay", "--project", "2", "--amount", "0.01ether"]

const isEnrolled = async () => (await run(["account", "show"])).code === 0

it("is not enrolled where nobody can be asked", async () => {
  const { code, stderr } = await run(PAY)
  assert.notStrictEqual(code, 0)
  assert.include(stderr, "service account enroll")
  assert.isFalse(await isEnrolled())
})

it("is not enrolled where the person says no", async () => {
  const questions: Array<string> = []
  const { code, stderr } = await run(PAY, async question => {
    questions.push(question)
    return "n"
  })
  assert.notStrictEqual(code, 0)
  assert.include(stderr, "ACCOUNT_NOT_FOUND")
  assert.strictEqual(questions.length, 1)
  assert.match(questions[0] ?? "", /^Enroll the account eip155:31337:0x[0-9a-f]{40} first\? /)
  assert.isFalse(await isEnrolled())
})

it("is enrolled where the person says yes, who is then asked for the step", async () => {
  const questions: Array<string> = []
  const { stderr } = await run(PAY, async question => {
    questions.push(question)
    return questions.length === 1 ? "y" : "n"
  })
  assert.include(stderr, "Enrolled the account")
  assert.strictEqual(questions.length, 2)
  assert.isTrue(await isEnrolled())
})
