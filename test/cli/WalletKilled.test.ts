/** A command that acts by a wallet and is killed at any point: started again it goes on with the same operation, which leaves once. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createWallet } from "../smartaccounts/support/Wallets.ts"
import { enroll } from "../support/Bots.ts"
import { rpc } from "../support/Rpc.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import {
  bindWallet,
  type OperatingBench,
  partyOf,
  startOperatingBench
} from "../useroperations/support/Operating.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"

const keys = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()].sort((a, b) =>
  privateKeyToAccount(a).address.toLowerCase() < privateKeyToAccount(b).address.toLowerCase() ? -1 : 1
)
const owners = keys.map(key => privateKeyToAccount(key))

let bench: OperatingBench
let proxy: LosingProxy
let cli: Cli
let owner: Party
let wallet: string

const keyFile = (index: number) => join(cli.directory, `owner-${index}.json`)

beforeAll(async () => {
  bench = await startOperatingBench({ recovers: true })
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
  proxy = await losingProxy(bench.service.url)
  cli = await buildCli()
  for (const [index, privateKey] of keys.entries()) {
    const { address } = privateKeyToAccount(privateKey)
    await writeFile(keyFile(index), JSON.stringify({ privateKey, address }), { mode: 0o600 })
  }
  owner = partyOf(owners[0] ?? assert.fail("no owner"))
  await enroll(bench.service, owner)
  const created = await createWallet(bench.sandbox, { owners: owners.map(({ address }) => address) })
  await bindWallet(bench.service, owner, owners, created.address)
  wallet = created.address
})

afterAll(async () => {
  await cli.remove()
  await proxy.stop()
  await bench.stop()
})

const environment = () => ({
  FUNDING_URL: proxy.url,
  FUNDING_RPC: bench.chain.url,
  FUNDING_KEY_FILE: keyFile(0),
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>) => runHere(args, environment())

const pay = () => [
  "pay",
  "--project",
  "2",
  "--amount",
  "0.1ether",
  "--wallet",
  wallet,
  "--yes",
  "--timeout",
  "100"
]

const byTwo = () => [...pay(), "--owner-key-file", keyFile(1)]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const listed = async (what: string): Promise<ReadonlyArray<{ readonly id: string }>> => {
  const answer = await signedFetch(bench.service, owner, "GET", `/api/v1/${what}?limit=100`)
  return (await answer.json()).items
}

type Moment = readonly ["before" | "after", string]

/** The command is there no more as soon as such a request is. */
const killedAt = async ([phase, pattern]: Moment) => {
  const reached = proxy.withhold(new RegExp(`^${pattern}`), phase)
  const child = spawn(process.execPath, [cli.program, ...byTwo()], {
    cwd: cli.directory,
    env: { PATH: process.env.PATH ?? "", ...environment() },
    stdio: "ignore"
  })
  const ended = once(child, "exit")
  await Promise.race([reached, ended])
  assert.isNull(child.exitCode, `it ended before it was killed ${phase} ${pattern}`)
  child.kill("SIGKILL")
  await ended
}

const OPERATIONS = "/api/v1/user-operations"
const ID = "[0-9a-f-]+"

const SUBMITTED = `POST ${OPERATIONS}/${ID}/submissions$`

/** Its operation prepared, read and signed, one run after the other. */
const UNSENT: ReadonlyArray<Moment> = [
  ["before", `POST ${OPERATIONS}$`],
  ["after", `POST ${OPERATIONS}$`],
  ["before", `GET ${OPERATIONS}/${ID}$`],
  ["before", SUBMITTED]
]

const KILLED: ReadonlyArray<readonly [string, ReadonlyArray<Moment>, number]> = [
  ["again and again before its operation is sent", UNSENT, 0],
  ["after it was sent", [["after", SUBMITTED]], 1],
  ["while it follows", [["before", `GET ${OPERATIONS}/${ID}\\?wait=`]], 1]
]

describe("a command that acts by a wallet", { timeout: 240_000 }, () => {
  it.each(KILLED)("goes on when it was killed %s", async (_, moments, left) => {
    const [before, operations, plans] = [sends(), await listed("user-operations"), await listed("plans")]
    for (const moment of moments) {
      await killedAt(moment)
      assert.strictEqual(sends() - before, left)
    }
    const { code, stdout, stderr } = await run(byTwo())
    assert.strictEqual(code, 0, `${stderr}\n${stdout}`)
    assert.match(stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
    assert.strictEqual(sends() - before, 1)
    assert.strictEqual((await listed("user-operations")).length, operations.length + 1)
    assert.strictEqual((await listed("plans")).length, plans.length + 1)
  })

  it("takes other owners' signatures from files, and says what is wrong with others", async () => {
    const asked = join(cli.directory, "asked.json")
    const signed = join(cli.directory, "signed")
    const before = sends()
    const left = await run([...pay(), "--out", asked])
    assert.include(left.stdout, "1 of the 2 owners that it takes signed.", left.stderr)
    const added = (...files: ReadonlyArray<string>) =>
      run([...pay(), ...files.flatMap(file => ["--add-signature", file])])
    const absent = await added(join(cli.directory, "absent"))
    assert.notStrictEqual(absent.code, 0)
    assert.include(absent.stderr, join(cli.directory, "absent"))
    const empty = join(cli.directory, "empty")
    await writeFile(empty, "nothing of any use")
    assert.include((await added(empty)).stderr, `The file ${empty} holds no signature.`)
    const foreign = join(cli.directory, "foreign")
    const stranger = privateKeyToAccount(generatePrivateKey())
    await writeFile(foreign, await stranger.signMessage({ message: "of something else" }))
    assert.include((await added(foreign)).stderr, "A signature that was added is no owner's")
    assert.strictEqual(sends(), before)
    const second = { ...environment(), FUNDING_KEY_FILE: keyFile(1) }
    const signing = await runHere(["wallet", "sign", asked, "--out", signed, "--yes"], second)
    assert.strictEqual(signing.code, 0, `${signing.stderr}\n${signing.stdout}`)
    const done = await added(asked, signed)
    assert.strictEqual(done.code, 0, `${done.stderr}\n${done.stdout}`)
    assert.strictEqual(sends(), before + 1)
  })
})
