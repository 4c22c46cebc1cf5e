import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createPublicClient, http, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { developmentKey } from "../../sandbox/DevelopmentAccounts.ts"
import {
  POOL_FEE,
  POOL_TICK_SPACING,
  ROUTED_PROJECT_ID,
  sandboxUsdOf
} from "../../sandbox/families/routing.ts"
import { verbs } from "../../src/cli/verbs/Verbs.ts"
import { planIds } from "../../src/operations/generated/OperationIds.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { rulesetConfiguration } from "../operations/support/SandboxInputs.ts"
import { BRIDGED, SENDER } from "../sandbox/support/suckers.ts"
import { fundedOwner, NATIVE_TOKEN, type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"
import { signingProgram } from "./support/SigningProgram.ts"

const BENEFICIARY = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

let cli: Cli
let sandbox: Sandbox
let proxy: LosingProxy

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startSandbox({ confirmations: 1 })])
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

const env = () => ({
  FUNDING_URL: proxy.url,
  FUNDING_RPC: sandbox.chain.url,
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>) => runHere(args, env())

const pay = (amount: string, ...more: ReadonlyArray<string>) => [
  ...["pay", "--project", "2", "--amount", amount, "--beneficiary", BENEFICIARY],
  ...more
]

const listed = async (): Promise<ReadonlyArray<Plan>> =>
  JSON.parse((await run(["plan", "list", "--json", "--most", "100"])).stdout).items

/** As somebody at a terminal who gives this answer. */
const seated = async (args: ReadonlyArray<string>, answer: string) => {
  const asked: Array<string> = []
  const ran = await runHere(args, env(), async question => {
    asked.push(question)
    return answer
  })
  return { ...ran, asked }
}

describe("verbs on the command line", { timeout: 120_000 }, () => {
  it("are one for each operation that prepares a plan", () => {
    assert.sameMembers(
      verbs.map(({ operation }) => operation),
      [...planIds]
    )
  })

  it("prepare, sign, submit and follow, and say so line by line", async () => {
    const chain = createPublicClient({ transport: http(sandbox.chain.url) })
    const terminal = sandbox.manifest.deployments.find(({ contractId }) =>
      contractId.endsWith(":JBMultiTerminal")
    )
    const { address = assert.fail() } = terminal ?? {}
    const before = await chain.getBalance({ address })
    const paid = await cli.run(pay("0.25ether", "--memo", "well done", "--yes"), env())
    assert.strictEqual(paid.code, 0, paid.stderr)
    assert.match(paid.stderr, /^operation +pay$/m)
    assert.match(paid.stderr, /step 0 {2}JBMultiTerminal\.pay/)
    assert.match(paid.stderr, /step 1 of 1: /)
    assert.match(paid.stderr, /effects +verified/)
    assert.match(paid.stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
    assert.strictEqual((await chain.getBalance({ address })) - before, parseEther("0.25"))
  })

  it("ask before anything is signed, and sign nothing after a no", async () => {
    const { code, stdout, stderr, asked } = await seated(pay("11"), "no")
    assert.strictEqual(code, 1)
    assert.match(stdout, /Nothing of the plan .* was signed/)
    assert.deepStrictEqual(asked, ["Sign and submit this step? [y/N] "])
    assert.match(stderr, /^commitment +0x[0-9a-f]{64}: checked/m)
    const [plan] = await listed()
    assert.deepStrictEqual([plan?.calls[0]?.value, plan?.status], ["11", "prepared"])
    const agreed = await seated(pay("12"), "y")
    assert.strictEqual(agreed.code, 0, agreed.stderr)
  })

  it("refuse without a terminal and without --yes, and go on with the same plan", async () => {
    const refused = await cli.run(pay("21"), env())
    assert.strictEqual(refused.code, 1)
    const [, id = assert.fail(refused.stderr)] =
      /Nobody is here to agree to the plan ([0-9a-f-]{36}); nothing was signed\.\n/.exec(refused.stderr) ?? []
    assert.include(refused.stderr, `"service plan submit ${id} 0"`)
    const paid = await run(pay("21", "--yes"))
    assert.strictEqual(paid.code, 0, paid.stderr)
    assert.include(paid.stdout, `plan ${id}: transactions_confirmed`)
    assert.strictEqual((await listed()).filter(({ calls }) => calls[0]?.value === "21").length, 1)
  })

  it("look at what signing and watching will need before there is a plan", async () => {
    const before = (await listed()).length
    const wrong = [
      ["--timeout", "x"],
      ["--gas", "1x"],
      ["--max-fee", "1gwei"],
      ["--max-fee", "1", "--priority-fee", "2"],
      ["--rpc", "nowhere"]
    ]
    for (const flags of wrong) {
      const refused = await run(pay("51", "--yes", ...flags))
      assert.strictEqual(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, new RegExp(`${flags.at(-2)}|"nowhere"`))
    }
    const blind = await runHere(pay("51", "--yes"), { ...env(), FUNDING_RPC: "" })
    assert.strictEqual(blind.code, 1)
    assert.match(blind.stderr, /needs --rpc or FUNDING_RPC/)
    assert.strictEqual((await listed()).length, before)
    const planned = await runHere(pay("51", "--plan-only"), { ...env(), FUNDING_RPC: "" })
    assert.strictEqual(planned.code, 0, planned.stderr)
  })

  it("lower a suggested tip to the cap that is given, and leave the rest to the service", async () => {
    const capped = await run(pay("52", "--yes", "--max-fee", "1"))
    assert.strictEqual(capped.code, 2, capped.stderr)
    assert.match(capped.stderr, /^SIGNED_FEE_BELOW_BASE_FEE/m)
  })

  it("stop after the plan where that is all that is wanted", async () => {
    const planned = await run(pay("31", "--plan-only"))
    assert.strictEqual(planned.code, 0, planned.stderr)
    assert.match(planned.stdout, /Next: service plan submit [0-9a-f-]{36} 0\.$/m)
    const [plan] = await listed()
    assert.strictEqual(plan?.status, "prepared")
  })

  it("find their plan again after its answer was lost, and their transaction too", async () => {
    proxy.lose(/^POST \/api\/v1\/operations\/prepare_pay\/plans$/)
    const lost = await run(pay("41", "--yes"))
    assert.strictEqual(lost.code, 4, lost.stderr)
    proxy.lose(/submissions$/)
    const again = await run(pay("41", "--yes"))
    assert.strictEqual(again.code, 4, again.stderr)
    proxy.lose(undefined)
    const done = await run(pay("41", "--yes", "--json"))
    assert.strictEqual(done.code, 0, done.stderr)
    const plans = (await listed()).filter(({ calls }) => calls[0]?.value === "41")
    assert.deepStrictEqual(
      plans.map(({ id, status }) => [id, status]),
      [[JSON.parse(done.stdout).id, "transactions_confirmed"]]
    )
    assert.strictEqual(plans[0]?.steps[0]?.dispatch?.count, 1)
  })

  it("take the rest of their input from a file, after the flags", async () => {
    const file = join(cli.directory, "payment.json")
    const project = { chainId: 31337, projectId: "2" }
    await writeFile(file, JSON.stringify({ project, token: NATIVE_TOKEN, amount: "51", memo: "filed" }))
    const planned = await run(["pay", "--input", file, "--amount", "52", "--plan-only", "--json"])
    assert.strictEqual(planned.code, 0, planned.stderr)
    const { calls } = JSON.parse(planned.stdout)
    assert.strictEqual(calls[0].value, "52")
    assert.strictEqual(calls[0].decoded.args[5], "filed")
    const elsewhere = await run(["pay", "--input", file, "--chain", "1", "--plan-only"])
    assert.notStrictEqual(elsewhere.code, 0)
    assert.include(elsewhere.stderr, "UNSUPPORTED_CHAIN")
  })

  it("queue and launch what a file says, and show the new project's id", async () => {
    const rulesets = join(cli.directory, "rulesets.json")
    await writeFile(rulesets, JSON.stringify({ rulesetConfigurations: [rulesetConfiguration] }))
    const queued = await run(["queue-ruleset", "--project", "2", "--input", rulesets, "--yes"])
    assert.strictEqual(queued.code, 0, queued.stderr)
    const launch = join(cli.directory, "launch.json")
    const terminalConfigurations: ReadonlyArray<unknown> = []
    await writeFile(
      launch,
      JSON.stringify({ rulesetConfigurations: [rulesetConfiguration], terminalConfigurations })
    )
    const launched = await run(["launch", "--input", launch, "--uri", "ipfs://x", "--yes"])
    assert.strictEqual(launched.code, 0, launched.stderr)
    assert.match(launched.stdout, /^ +event +LaunchProject projectId [0-9]+, rulesetId [0-9]+$/m)
  })

  it("go on with the steps that are left, and send an approval once", async () => {
    const key = fundedOwner(1)
    const keyFile = join(cli.directory, "payer.json")
    const { address } = key.key
    const content = { privateKey: developmentKey(1), address, accountId: key.accountId }
    await writeFile(keyFile, JSON.stringify(content), { mode: 0o600 })
    const payer = ["--key-file", keyFile]
    assert.strictEqual((await run(["account", "enroll", ...payer])).code, 0)
    const dollars = ["--token", sandboxUsdOf(sandbox.manifest.accounts), "--amount", "5000000"]
    const command = ["pay", "--project", String(ROUTED_PROJECT_ID), ...dollars, ...payer]
    const asked = await run(command)
    const [, id = assert.fail(asked.stderr)] = /agree to the plan ([0-9a-f-]{36})/.exec(asked.stderr) ?? []
    const approved = await run(["plan", "submit", id, "0", "--watch", ...payer])
    assert.strictEqual(approved.code, 0, approved.stderr)
    const unasked = await run(command)
    assert.strictEqual(unasked.code, 1)
    assert.include(unasked.stderr, `"service plan submit ${id} 1"`)
    const paid = await run([...command, "--yes", "--json"])
    assert.strictEqual(paid.code, 0, paid.stderr)
    const plan: Plan = JSON.parse(paid.stdout)
    assert.deepStrictEqual([plan.id, plan.status], [id, "transactions_confirmed"])
    assert.deepStrictEqual(
      plan.steps.map(({ dispatch }) => dispatch?.count),
      [1, 1]
    )
  })

  it("reach the bridges, buybacks and routers that no guide tells of", async () => {
    const usd = sandboxUsdOf(sandbox.manifest.accounts)
    const at = (name: string) =>
      sandbox.manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(name)
    const pool = ["--fee", String(POOL_FEE), "--tick-spacing", String(POOL_TICK_SPACING), "--twap", "1800"]
    const routed = ["--project", String(ROUTED_PROJECT_ID)]
    const commands: ReadonlyArray<ReadonlyArray<string>> = [
      ["sync", "--project", String(BRIDGED), "--sucker", SENDER, "--max-transport", "0.001ether"],
      ["buyback", "pool", ...routed, ...pool],
      ["buyback", "twap", ...routed, "--token", usd, "--twap", "900"],
      ["buyback", "hook", ...routed, "--hook", at("JBBuybackHook")],
      ["router", "terminal", ...routed, "--terminal", at("JBRouterTerminal")]
    ]
    for (const command of commands) {
      const { code, stdout, stderr } = await run([...command, "--yes"])
      assert.strictEqual(code, 0, `${command.join(" ")}\n${stdout}\n${stderr}`)
      assert.match(stdout, /: transactions_confirmed$/m)
    }
  })

  it("sign with another program", async () => {
    const external = await signingProgram(cli.directory, developmentKey(0))
    const paid = await run(pay("61", "--yes", ...external))
    assert.strictEqual(paid.code, 0, paid.stderr)
  })

  it("say what is missing before anything is sent", async () => {
    const [named, none] = [join(cli.directory, "named.json"), join(cli.directory, "none.json")]
    await writeFile(named, '{"token":"native","amount":"1"}')
    await writeFile(none, '{"token":null,"amount":"1"}')
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [["payout", "--project", "2", "--input", named], /The file's token is no address: native/],
      [["payout", "--project", "2", "--input", none], /The file's token is no address: null/],
      [["pay", "--amount", "1"], /needs --project/],
      [["pay", "--project", "2"], /Give --amount, or amount in the file/],
      [pay("1eth"), /--amount takes base units in digits, or a number with "ether", not "1eth"/],
      [pay("1", "--token", "DAI"), /--token takes an address/],
      [["shop", "pay", "--project", "3", "--amount", "1"], /Give --tier/],
      [["launch", "--input", "/none.json"], /cannot be read/]
    ]
    for (const [args, message] of cases) {
      const { code, stderr } = await run(args)
      assert.strictEqual(code, 1, stderr)
      assert.match(stderr, message)
    }
  })
})
