import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createTestClient, http } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN, type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

let cli: Cli
let sandbox: Sandbox
let proxy: LosingProxy

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startSandbox()])
  cli = parts[0]
  sandbox = parts[1]
  proxy = await losingProxy(sandbox.service.url)
  const enrolled = await run(["account", "enroll"])
  assert.strictEqual(enrolled.code, 0, enrolled.stderr)
})

afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
  await cli.remove()
})

const environment = () => ({
  FUNDING_URL: proxy.url,
  FUNDING_RPC: sandbox.chain.url,
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { ...environment(), ...env })

const payment = (amount: string) => [
  ...["plan", "create", "--contract", "JBMultiTerminal", "--function", "pay", "--value", amount, "--args"],
  JSON.stringify(["2", NATIVE_TOKEN, amount, BENEFICIARY, "0", "it's for you", "0x"])
]

const idIn = (text: string): string => /^plan +([0-9a-f-]{36})/m.exec(text)?.[1] ?? assert.fail(text)

const planned = async (amount: string): Promise<string> => {
  const created = await run(payment(amount))
  assert.strictEqual(created.code, 0, created.stderr)
  return idIn(created.stdout)
}

const shown = async (id: string) => JSON.parse((await run(["plan", "show", id, "--json"])).stdout)

/** Confirmations need blocks on top. */
const mine = async (blocks: number): Promise<void> => {
  const node = createTestClient({ mode: "anvil", transport: http(sandbox.chain.url) })
  await node.mine({ blocks })
}

describe("plans on the command line", { timeout: 120_000 }, () => {
  it("prepares a payment and says in words what it does", async () => {
    const { code, stdout } = await run(payment("1500000000000000000"))
    assert.strictEqual(code, 0)
    assert.match(stdout, /commitment +0x[0-9a-f]{64}: checked, for owner:eip155:31337:/)
    assert.match(stdout, /step 0 {2}JBMultiTerminal\.pay on .*\(chain 31337\)/)
    assert.match(stdout, /sends +1\.5 ether \(1500000000000000000 wei\)/)
    assert.match(
      stdout,
      /token \(address\): 0x000000000000000000000000000000000000EEEe, the chain's native currency/
    )
    assert.match(stdout, /memo \(string\): untrusted "it's for you"/)
    assert.match(stdout, /evidence +.*\(chain 31337\) block [0-9]+ 0x[0-9a-f]{64}/)
  })

  it("simulates, signs, submits and watches a step until it is confirmed", async () => {
    const id = await planned("1000")
    const simulated = await run(["plan", "simulate", id, "0"])
    assert.strictEqual(simulated.code, 0, simulated.stderr)
    assert.match(simulated.stdout, /estimated gas +[0-9]+/)
    assert.match(simulated.stdout, /moves +0\.000000000000001 ether \(1000 wei\) from 0xf39F/)
    const submitted = await run(["plan", "submit", id, "0", "--json"])
    assert.strictEqual(submitted.code, 0, submitted.stderr)
    assert.strictEqual(JSON.parse(submitted.stdout).dispatch.count, 1)
    await mine(2)
    const watched = await run(["plan", "watch", id])
    assert.strictEqual(watched.code, 0, watched.stderr)
    assert.match(watched.stdout, /transactions_confirmed/)
    assert.match(watched.stderr, /effects +verified/)
    const again = await run(["plan", "submit", id, "0"])
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stderr, /nothing was sent/)
  })

  it("stops watching in time and says that it is not confirmed", async () => {
    const id = await planned("1001")
    const watched = await run(["plan", "watch", id, "--timeout", "1"])
    assert.strictEqual(watched.code, 5)
    assert.match(watched.stderr, /Not decided after 1 seconds\.\nIt goes on without this command/)
  })

  it("lets a bot submit with the owner's fresh approval, and only with it", async () => {
    const keyFile = join(cli.directory, "bot.json")
    const created = await run(["bot", "create", "--out", keyFile, "--scope", "relay"])
    assert.strictEqual(created.code, 0, created.stderr)
    const bot = { FUNDING_KEY_FILE: keyFile }
    const prepared = await run(payment("1002"), bot)
    const id = idIn(prepared.stdout)
    assert.match((await run(["plan", "show", id])).stdout, /checked, for bot:/)
    const submitted = await run(["plan", "submit", id, "0"], bot)
    assert.strictEqual(submitted.code, 0, submitted.stderr)
    await mine(2)
    assert.strictEqual((await run(["plan", "watch", id, "--step", "0"], bot)).code, 0)
  })

  it("tells a bot whose owner's key is elsewhere where both sign, and who hands it in", async () => {
    const privateKey = generatePrivateKey()
    const { address } = privateKeyToAccount(privateKey)
    const [ownerFile, botFile] = [join(cli.directory, "elsewhere.json"), join(cli.directory, "its-bot.json")]
    await writeFile(ownerFile, JSON.stringify({ privateKey, address }), { mode: 0o600 })
    const owner = { FUNDING_KEY_FILE: ownerFile }
    assert.strictEqual((await run(["account", "enroll"], owner)).code, 0)
    const created = await run(["bot", "create", "--out", botFile, "--scope", "relay"], owner)
    assert.strictEqual(created.code, 0, created.stderr)
    const bot = { FUNDING_KEY_FILE: botFile }
    const id = idIn((await run(payment("1003"), bot)).stdout)
    const submit = ["plan", "submit", id, "0", "--gas", "500000"]
    const refused = await run(submit, bot)
    assert.strictEqual(refused.code, 1, refused.stderr)
    assert.include(refused.stderr, `"service plan show ${id}" names`)
    assert.include(refused.stderr, 'by "service request" as the bot')
    assert.notInclude(refused.stderr, "--raw")
  })

  it("refuses a dependent step with the problem and what to do", async () => {
    const one = JSON.parse((await run([...payment("7"), "--json"])).stdout).calls[0]
    const call = {
      chainId: one.chainId,
      contractId: one.decoded.contractId,
      function: one.decoded.function,
      args: one.decoded.args,
      value: "7"
    }
    const file = join(cli.directory, "plan.json")
    await writeFile(file, JSON.stringify({ calls: [call, { ...call, dependsOn: [0] }] }))
    const created = await run(["plan", "create", "--file", file])
    assert.match(created.stdout, /state +blocked by step 0/)
    const refused = await cli.run(["plan", "submit", idIn(created.stdout), "1", "--json"], environment())
    assert.strictEqual(refused.code, 2)
    const { error } = JSON.parse(refused.stderr)
    assert.strictEqual(error.problem.code, "DEPENDENCIES_UNCONFIRMED")
    assert.match(error.advice, /service plan watch/)
    const id = idIn(created.stdout)
    assert.strictEqual((await run(["plan", "submit", id, "0"])).code, 0)
    await mine(2)
    const half = await run(["plan", "watch", id])
    assert.strictEqual(half.code, 5)
    assert.include(half.stdout, `Next: service plan submit ${id} 1`)
  })
})

describe("a lost answer", { timeout: 120_000 }, () => {
  it("to a preparation leaves one plan, which the same command finds", async () => {
    proxy.lose(/^POST \/api\/v1\/plans$/)
    const lost = await run(payment("2001"))
    assert.strictEqual(lost.code, 4, lost.stderr)
    assert.match(lost.stderr, /same command again/)
    proxy.lose(undefined)
    const again = await run(payment("2001"))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stderr, /continuing it/)
    const listed = JSON.parse((await run(["plan", "list", "--json", "--most", "100"])).stdout)
    const same = listed.items.filter(({ calls }: { calls: [{ value: string }] }) => calls[0].value === "2001")
    assert.deepStrictEqual(
      same.map(({ id }: { id: string }) => id),
      [idIn(again.stdout)]
    )
    assert.notStrictEqual(await planned("2001"), idIn(again.stdout))
  })

  it("to a submission leaves one transaction, which the same command reports", async () => {
    const id = await planned("2002")
    proxy.lose(/submissions$/)
    const lost = await run(["plan", "submit", id, "0"])
    assert.strictEqual(lost.code, 4, lost.stderr)
    proxy.lose(undefined)
    const [before] = (await shown(id)).steps
    const again = await run(["plan", "submit", id, "0"])
    assert.strictEqual(again.code, 0, again.stderr)
    const [after] = (await shown(id)).steps
    assert.strictEqual(after.transaction.hash, before.transaction.hash)
    assert.strictEqual(after.dispatch.count, 1)
  })
})
