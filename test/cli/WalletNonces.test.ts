/** Another operation for a payment that was signed for: at the same nonce of the wallet it is signed as ever, at another one not before somebody says so. */
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"
import { sqlOn } from "../support/Sql.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

/** No operation is sent that ends within forty seconds, and another payment is confirmed before. */
const LIFE_SECONDS = 90

const settings = { plans: { ...testSettings().plans, ttlSeconds: LIFE_SECONDS } }
const place = await sessionPlace({ settings })
const { bench, proxy, at, wallet, run, succeeded } = place
afterAll(place.stop)

const byOwners = ["--owner-key-file", at("owner-1.json"), "--yes", "--timeout", "100"]
let session = ""

beforeAll(async () => {
  const { stdout } = await succeeded(["session", "review", "--example", "--project", "2"])
  await writeFile(at("policy.json"), stdout)
  const bot: string = JSON.parse(await readFile(at("bot.json"), "utf8")).address
  const prepare = ["session", "prepare", at("policy.json"), "--wallet", wallet, "--bot", bot, "--json"]
  session = JSON.parse((await succeeded(prepare)).stdout).id
  await succeeded(["session", "activate", session, ...byOwners])
})

const ownersPay = (amount: string) => [
  ...["pay", "--project", "2", "--amount", amount, "--wallet", wallet],
  ...byOwners
]

const botPays = (amount: string) => [
  ...["pay", "--amount", amount, "--session", session],
  ...["--key-file", at("bot.json"), "--yes", "--timeout", "100"]
]

const SUBMISSION = /^POST \/api\/v1\/user-operations\/[0-9a-f-]+\/submissions$/

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const signatures = (stderr: string) => stderr.match(/^Signing as the owner 0x/gm)?.length ?? 0

/** Signed, and at a nonce that another payment used before it was handed in. */
const overtaken = async (pay: (amount: string) => ReadonlyArray<string>, amount: string, other: string) => {
  const before = sends()
  proxy.during(SUBMISSION, () => run(pay(other)))
  const { code, stderr } = await run(pay(amount))
  assert.strictEqual(code, ExitCode.unknown, stderr)
  assert.include(stderr, "was signed at the wallet's nonce 0x")
  assert.include(stderr, "--anew")
  assert.strictEqual(sends() - before, 1)
  return stderr
}

const stopped = async (args: ReadonlyArray<string>) => {
  const before = sends()
  const { code, stderr } = await run(args)
  assert.strictEqual(code, ExitCode.unknown, stderr)
  assert.deepStrictEqual([signatures(stderr), sends() - before], [0, 0])
  return stderr
}

/** A block of its chain is final where 64 others follow. */
const UNTIL_FINAL = "0x41"

let endsAt = 0

/** Its time goes by while the others are tried. */
beforeAll(async () => {
  await overtaken(ownersPay, "0.004ether", "0.003ether")
  endsAt = Date.now() + LIFE_SECONDS * 1000
})

describe("a payment that was signed for", { timeout: 300_000 }, () => {
  it.each([
    ["a wallet's owners", ownersPay, 2],
    ["a session's key", botPays, 0]
  ] as const)("is not signed at another nonce by %s, but by --anew", async (_, pay, owners) => {
    assert.strictEqual(signatures(await overtaken(pay, "0.002ether", "0.001ether")), owners)
    await stopped(pay("0.002ether"))
    const unagreed = await run([...pay("0.002ether").filter(flag => flag !== "--yes"), "--anew"])
    assert.strictEqual(unagreed.code, ExitCode.usage, unagreed.stderr)
    await stopped(pay("0.002ether"))
    const before = sends()
    await succeeded([...pay("0.002ether"), "--anew"])
    assert.strictEqual(sends() - before, 1)
  })

  it("is signed again at the same nonce where the time to send it was over", async () => {
    const before = sends()
    proxy.during(SUBMISSION, () =>
      sqlOn(bench.service.databaseUrl, "UPDATE user_operations SET expires_at = created_at WHERE NOT claimed")
    )
    const { stderr } = await succeeded(ownersPay("0.005ether"))
    assert.deepStrictEqual([signatures(stderr), sends() - before], [4, 1])
  })

  it("is not signed at another nonce for a plan in the place of one that expired", async () => {
    await setTimeout(endsAt - Date.now())
    await rpc(bench.chain.url, "anvil_mine", [UNTIL_FINAL])
    assert.include(await stopped(ownersPay("0.004ether")), "preparing another one for what is left")
    await succeeded([...ownersPay("0.004ether"), "--anew"])
  })
})
