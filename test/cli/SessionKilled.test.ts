/** Commands around a session that are killed at any point, again and again: each goes on where the one before it ended, and nothing happens twice. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { afterAll, assert, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { buildCli } from "./support/Cli.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const cli = await buildCli()
const { bench, proxy, at, wallet, succeeded } = place

afterAll(async () => {
  await cli.remove()
  await place.stop()
})

const SESSIONS = "/api/v1/smart-accounts/sessions"
const OPERATIONS = "/api/v1/user-operations"
const ID = "[0-9a-f-]+"

const bot: string = JSON.parse(await readFile(at("bot.json"), "utf8")).address
const byOwners = ["--owner-key-file", at("owner-1.json"), "--yes", "--timeout", "100"]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const listed = async (what: string): Promise<number> =>
  JSON.parse((await succeeded([what, "list", "--json"])).stdout).items.length

type Moment = readonly ["before" | "after", string]

/** The command is there no more as soon as such a request is. */
const killedAt = async (args: ReadonlyArray<string>, [phase, pattern]: Moment) => {
  const reached = proxy.withhold(new RegExp(`^${pattern}$`), phase)
  const child = spawn(process.execPath, [cli.program, ...args], {
    cwd: cli.directory,
    env: { PATH: process.env.PATH ?? "", ...place.environment },
    stdio: "ignore"
  })
  const ended = once(child, "exit")
  await Promise.race([reached, ended])
  assert.isNull(child.exitCode, `it ended before it was killed ${phase} ${pattern}`)
  child.kill("SIGKILL")
  await ended
}

/** By the wallet's operation, whoever signs it. */
const UNSENT: Moment = ["before", `POST ${OPERATIONS}/${ID}/submissions`]
const CARRYING: ReadonlyArray<Moment> = [
  ["before", `POST ${OPERATIONS}`],
  ["after", `POST ${OPERATIONS}`],
  UNSENT,
  ["after", `POST ${OPERATIONS}/${ID}/submissions`]
]

const goesOn = async (args: ReadonlyArray<string>, moments: ReadonlyArray<Moment>) => {
  for (const moment of moments) await killedAt(args, moment)
  return (await succeeded(args)).stdout
}

describe("commands around a session that are killed", { timeout: 240_000 }, () => {
  let id = ""
  const paying = (amount: string) => [
    ...["pay", "--amount", amount, "--session", id],
    ...["--key-file", at("bot.json"), "--yes", "--timeout", "100"]
  ]
  const unsent = () => paying("0.002ether")

  it("prepare one session", async () => {
    const { stdout } = await succeeded(["session", "review", "--example", "--project", "2"])
    await writeFile(at("policy.json"), stdout)
    const prepare = ["session", "prepare", at("policy.json"), "--wallet", wallet, "--bot", bot]
    const told = await goesOn(prepare, [
      ["before", `POST ${SESSIONS}`],
      ["after", `POST ${SESSIONS}`]
    ])
    id = /^session ([0-9a-f-]{36}): prepared$/m.exec(told)?.[1] ?? assert.fail(told)
    assert.strictEqual(await listed("session"), 1)
  })

  it("enable it by one operation of one plan", async () => {
    const plans = `POST ${SESSIONS}/${ID}/activation-plans`
    const told = await goesOn(
      ["session", "activate", id, ...byOwners],
      [["before", plans], ["after", plans], ...CARRYING]
    )
    assert.match(told, new RegExp(`^session ${id}: active$`, "m"))
    assert.deepStrictEqual([sends(), await listed("plan")], [1, 1])
  })

  it("use it once", async () => {
    const told = await goesOn(paying("0.01ether"), CARRYING)
    assert.match(told, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
    assert.deepStrictEqual([sends(), await listed("plan")], [2, 2])
    const { stdout } = await succeeded(["session", "quota", id])
    assert.match(stdout, /^calls +1 +20 +19$/m)
  })

  it("sign for what is not handed in any more", async () => {
    await killedAt(unsent(), UNSENT)
  })

  it("revoke it by one operation of one plan", async () => {
    const plans = `POST ${SESSIONS}/${ID}/revocation-plans`
    const told = await goesOn(
      ["session", "revoke", id, ...byOwners],
      [["after", plans], ...CARRYING.slice(1)]
    )
    assert.match(told, new RegExp(`^session ${id}: revoked$`, "m"))
    assert.deepStrictEqual([sends(), await listed("plan")], [3, 4])
  })

  it("hand in what its key signed, which is refused, and begin nothing else", async () => {
    const { code, stderr } = await place.run(unsent())
    assert.strictEqual(code, ExitCode.refused, stderr)
    assert.include(stderr, "SESSION_NOT_ACTIVE")
    const fresh = await place.run(paying("0.003ether"))
    assert.strictEqual(fresh.code, ExitCode.usage, fresh.stderr)
    assert.include(fresh.stderr, `The session ${id} is revoked.`)
    assert.deepStrictEqual([sends(), await listed("plan")], [3, 4])
  })
})
