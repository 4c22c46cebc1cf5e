/** A wallet's plan of two operations, an allowance and the payment that it is for: ended between them, it goes on, and says what stands. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { erc20Abi, toHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ROUTED_PROJECT_ID, sandboxUsdOf } from "../../sandbox/families/routing.ts"
import { ExitCode } from "../../src/cli/Failure.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { holder } from "../sandbox/support/Sandbox.ts"
import { testKey } from "../signatures/TestKeys.ts"
import { createWallet, walletOwners } from "../smartaccounts/support/Wallets.ts"
import { enroll } from "../support/Bots.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import {
  bindWallet,
  type OperatingBench,
  partyOf,
  startOperatingBench
} from "../useroperations/support/Operating.ts"
import { runHere } from "./support/InProcess.ts"

const addresses = walletOwners.map(({ address }) => address)
const [first = assert.fail("no owner"), second = assert.fail("no owner")] = addresses

let bench: OperatingBench
let directory: string
let wallet: `0x${string}`

const keyOf = (address: string) => join(directory, `${address.toLowerCase()}.json`)

const dollarsFor = (address: `0x${string}`, amount: bigint) =>
  bench.sandbox.mined(
    bench.sandbox.client.writeContract({
      ...{ account: holder, address: sandboxUsdOf(bench.manifest.accounts), abi: erc20Abi },
      functionName: "transfer",
      args: [address, amount]
    })
  )

beforeAll(async () => {
  bench = await startOperatingBench({ recovers: true })
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
  directory = await mkdtemp(join(tmpdir(), "wallet-steps-"))
  for (const number of [1, 2, 3]) {
    const { privateKey, address } = testKey(`execution vector owner ${number}`)
    await writeFile(keyOf(address), JSON.stringify({ privateKey, address }), { mode: 0o600 })
    await rpc(bench.chain.url, "anvil_setBalance", [address, toHex(10n ** 20n)])
  }
  const owner = partyOf(walletOwners[0] ?? assert.fail("no owner"))
  await enroll(bench.service, owner)
  const created = await createWallet(bench.sandbox, { owners: addresses })
  wallet = created.address
  await rpc(bench.chain.url, "anvil_setBalance", [wallet, toHex(10n ** 20n)])
  await bindWallet(bench.service, owner, walletOwners, wallet)
  await dollarsFor(wallet, 100_000_000n)
})

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
      FUNDING_KEY_FILE: keyOf(first),
      FUNDING_STATE_DIR: join(directory, "state")
    },
    ask
  )

/** Two operations; each amount is another plan. */
const paying = (amount: string) => [
  ...["pay", "--project", String(ROUTED_PROJECT_ID), "--token", sandboxUsdOf(bench.manifest.accounts)],
  ...["--amount", amount, "--wallet", wallet]
]

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...paying(amount),
  ...["--owner-key-file", keyOf(second), ...more]
]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const planIn = (text: string): string =>
  /console\/plans\/([0-9a-f-]{36})/.exec(text)?.[1] ?? assert.fail(text)

const isCompleted = /^plan [0-9a-f-]{36}: transactions_confirmed$/m

describe("a wallet's plan of two operations", { timeout: 240_000 }, () => {
  it("goes on with the second where the run before ended while it followed the first", async () => {
    const before = sends()
    const ended = await run(pay("5000000", "--yes", "--timeout", "0"))
    assert.strictEqual(ended.code, ExitCode.unconfirmed, ended.stderr)
    assert.include(ended.stderr, "Not decided after 0 seconds.")
    assert.strictEqual(sends() - before, 1)
    const id = planIn(ended.stderr)
    await until(
      async (): Promise<Plan> => JSON.parse((await run(["plan", "show", id, "--refresh", "--json"])).stdout),
      ({ steps }) => steps[0]?.semantic?.status === "verified"
    )
    const { code, stdout, stderr } = await run(pay("5000000", "--yes", "--timeout", "100"))
    assert.strictEqual(code, ExitCode.ok, `${stderr}\n${stdout}`)
    assert.match(stdout, isCompleted)
    assert.include(stdout, id)
    assert.strictEqual(sends() - before, 2)
  })

  it("says that nothing was signed where nobody agrees to the first", async () => {
    const declined = await run(pay("6000000"), async () => "n")
    assert.strictEqual(declined.code, ExitCode.usage, declined.stderr)
    assert.match(declined.stdout, /^Nothing of the plan [0-9a-f-]{36} was signed\.$/)
  })

  it("says what stands where nobody agrees to the second, which the same command goes on with", async () => {
    const before = sends()
    const answers = ["y", "n"]
    const declined = await run(pay("7000000", "--timeout", "100"), async () => answers.shift() ?? "n")
    assert.strictEqual(declined.code, ExitCode.unconfirmed, `${declined.stderr}\n${declined.stdout}`)
    assert.match(declined.stdout, /^Step 1 of the plan [0-9a-f-]{36} was not signed\. /)
    assert.match(declined.stdout, /^step 0 {2}confirmed/m)
    assert.notInclude(declined.stdout, "Nothing of the plan")
    assert.strictEqual(sends() - before, 1)
    const { code, stdout, stderr } = await run(pay("7000000", "--yes", "--timeout", "100"))
    assert.strictEqual(code, ExitCode.ok, `${stderr}\n${stdout}`)
    assert.match(stdout, isCompleted)
    assert.strictEqual(sends() - before, 2)
  })

  it("says what stands where the files have the other owner's signature of the first alone", async () => {
    const before = sends()
    const [asked, signed] = [join(directory, "asked.json"), join(directory, "signed")]
    const alone = (...more: ReadonlyArray<string>) =>
      run([...paying("8000000"), "--yes", "--timeout", "100", ...more])
    const left = await alone("--out", asked)
    assert.include(left.stdout, "1 of the 2 owners that it takes signed.", left.stderr)
    const signing = await run([
      "wallet",
      "sign",
      asked,
      "--out",
      signed,
      "--yes",
      "--key-file",
      keyOf(second)
    ])
    assert.strictEqual(signing.code, 0, `${signing.stderr}\n${signing.stdout}`)
    const { code, stderr } = await alone("--add-signature", asked, "--add-signature", signed)
    assert.strictEqual(code, ExitCode.unconfirmed, stderr)
    assert.include(stderr, `The file ${asked} is of something else than is to be signed now`)
    assert.include(stderr, "What left before")
    assert.match(stderr, /^step 0 {2}confirmed/m)
    assert.strictEqual(sends() - before, 1)
  })
})
