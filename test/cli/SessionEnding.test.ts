/** Sessions that stop being active on the command line: what their keys sent is followed, and the owners are told what brings back what can come back. */
import { readFile, writeFile } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { createWallet } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const { bench, at, owners, wallet, run, succeeded } = place
afterAll(place.stop)

const SLOW = { timeout: 240_000 }
const bot: string = JSON.parse(await readFile(at("bot.json"), "utf8")).address
const byOwners = ["--owner-key-file", at("owner-1.json"), "--yes", "--timeout", "100"]
const asBot = (seconds: string) => ["--key-file", at("bot.json"), "--yes", "--timeout", seconds]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const preparedFor = async (address: string): Promise<string> => {
  const { stdout } = await succeeded(["session", "review", "--example", "--project", "2"])
  await writeFile(at("policy.json"), stdout)
  const prepare = ["session", "prepare", at("policy.json"), "--wallet", address, "--bot", bot, "--json"]
  return JSON.parse((await succeeded(prepare)).stdout).id
}

describe("a session that is being revoked while its key's operation is in flight", SLOW, () => {
  let id = ""
  let plan = ""
  const pay = (amount: string, seconds: string) => [
    "pay",
    "--amount",
    amount,
    "--session",
    id,
    ...asBot(seconds)
  ]

  const refused = async (args: ReadonlyArray<string>) => {
    const sent = sends()
    const { code, stderr } = await run(args)
    assert.strictEqual(code, ExitCode.usage, stderr)
    assert.include(stderr, `The session ${id} is revoking.`)
    assert.strictEqual(sends(), sent)
  }

  const followed = async (args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await run(args)
    assert.strictEqual(code, ExitCode.unconfirmed, `${stderr}\n${stdout}`)
    assert.include(stderr, "It goes on without this command")
    assert.include(stderr, plan)
    assert.strictEqual(sends(), 2)
  }

  beforeAll(async () => {
    id = await preparedFor(wallet)
    await succeeded(["session", "activate", id, ...byOwners])
  }, SLOW.timeout)

  it("has it followed by the same command, and begins nothing", async () => {
    const other = JSON.parse((await succeeded([...pay("0.001ether", "0"), "--plan-only", "--json"])).stdout)
    await rpc(bench.chain.url, "evm_setIntervalMining", [0])
    const begun = await run(pay("0.01ether", "0"))
    assert.strictEqual(begun.code, ExitCode.unconfirmed, begun.stderr)
    plan = /^plan +([0-9a-f-]{36})$/m.exec(begun.stderr)?.[1] ?? assert.fail(begun.stderr)
    assert.strictEqual(sends(), 2)
    await succeeded(["session", "revoke", id, "--plan-only", "--owner-key-file", at("owner-1.json")])
    await followed(pay("0.01ether", "0"))
    await followed(["session", "use", id, plan, ...asBot("0")])
    await refused(pay("0.002ether", "0"))
    await refused([...pay("0.01ether", "0"), "--anew"])
    await refused(["session", "use", id, other.id, ...asBot("0")])
    await followed(pay("0.01ether", "0"))
  })

  it("has it confirmed by the same command, after which that begins nothing either", async () => {
    await rpc(bench.chain.url, "evm_setIntervalMining", [1])
    const { stdout } = await succeeded(pay("0.01ether", "100"))
    assert.match(stdout, new RegExp(`^plan ${plan}: transactions_confirmed$`, "m"))
    const used = await succeeded(["session", "use", id, plan, ...asBot("100")])
    assert.match(used.stdout, new RegExp(`^plan ${plan}: transactions_confirmed$`, "m"))
    await refused(pay("0.01ether", "0"))
    assert.strictEqual(sends(), 2)
  })
})

describe("a session of a wallet without the guard", SLOW, () => {
  it("is enabled by its installation, after which the wallet is to be bound anew", async () => {
    const bare = await createWallet(bench.sandbox, {
      owners: owners.map(({ address }) => address),
      saltNonce: 90_001n,
      validators: []
    })
    const bind = ["wallet", "bind", bare.address, "--yes", "--owner-key-file", at("owner-1.json")]
    await succeeded(bind)
    const id = await preparedFor(bare.address)
    const { code, stdout, stderr } = await run(["session", "activate", id, ...byOwners])
    assert.strictEqual(code, ExitCode.unconfirmed, stderr)
    assert.match(stdout, new RegExp(`^session ${id}: stale$`, "m"))
    assert.match(stdout, new RegExp(`^ +next .*service wallet bind ${bare.address}$`, "m"))
    assert.notInclude(stdout, "session revoke")
    await succeeded(bind)
    const again = await succeeded(["session", "activate", id, ...byOwners])
    assert.match(again.stdout, new RegExp(`^session ${id}: active$`, "m"))
  })
})

describe("a session that is to be revoked before anything enabled it", SLOW, () => {
  it("has nothing for its owners to sign, and is told when it is given up", async () => {
    const fresh = await createWallet(bench.sandbox, {
      owners: owners.map(({ address }) => address),
      saltNonce: 90_002n
    })
    await succeeded(["wallet", "bind", fresh.address, "--yes", "--owner-key-file", at("owner-1.json")])
    const id = await preparedFor(fresh.address)
    await succeeded(["session", "activate", id, ...byOwners, "--plan-only"])
    const sent = sends()
    for (const _ of [1, 2]) {
      const { code, stdout, stderr } = await run(["session", "revoke", id, ...byOwners])
      assert.strictEqual(code, ExitCode.unconfirmed, stderr)
      assert.match(stdout, new RegExp(`^session ${id}: revoking$`, "m"))
      assert.match(stdout, /nothing to revoke yet.* it is given up once the plan .* is over, at 20/)
    }
    assert.strictEqual(sends(), sent)
  })
})
