/** Whose key a session has, where the service tells of another bot than the one that is meant; and a key that was granted again. */
import { readFile, writeFile } from "node:fs/promises"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { createClient } from "../../src/client/Client.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const { bench, proxy, at, owners, wallet, run, succeeded } = place
afterAll(place.stop)
afterEach(() => proxy.alter(undefined))

const SLOW = { timeout: 120_000 }
const DAY_SECONDS = 86_400
const byOwners = ["--owner-key-file", at("owner-1.json"), "--yes", "--timeout", "100"]
const bot = JSON.parse(await readFile(at("bot.json"), "utf8"))
let other: { readonly address: string; readonly grantId: string }

beforeAll(async () => {
  await succeeded(["bot", "create", "--out", at("other.json"), "--scope", "relay", "--days", "30"])
  other = JSON.parse(await readFile(at("other.json"), "utf8"))
  const { stdout } = await succeeded(["session", "review", "--example", "--project", "2"])
  await writeFile(at("policy.json"), stdout)
}, SLOW.timeout)

const prepare = (named: string) => [
  ...["session", "prepare", at("policy.json"), "--wallet", wallet, "--bot", named, "--json"]
]

const isOf = (address: string, { address: known }: { readonly address: string }) =>
  address.toLowerCase() === known.toLowerCase()

/** The grants of the two bots change places. */
const swapped = (text: string) =>
  text.replace(/("botAddress":")(0x[0-9a-fA-F]{40})/g, (_, name: string, address: string) => {
    if (isOf(address, bot)) return `${name}${other.address}`
    return `${name}${isOf(address, other) ? bot.address : address}`
  })

const refused = async (args: ReadonlyArray<string>, told: string) => {
  const { code, stderr } = await run(args)
  assert.strictEqual(code, ExitCode.failedCheck, stderr)
  assert.include(stderr, told)
  assert.notInclude(stderr, "Signing as")
}

describe("a session's key", SLOW, () => {
  it("is that of the bot whose address was given, whatever the service tells of its grant", async () => {
    proxy.alter(swapped)
    await refused(prepare(bot.address), "its key differs")
  })

  it("has its next session under a grant that it was given again", async () => {
    const [signer = assert.fail("no owner")] = owners
    const account = `eip155:31337:${signer.address.toLowerCase()}`
    const client = createClient({ baseUrl: bench.service.url, account, signer })
    const { id } = await client.bots.grant({
      bot: privateKeyToAccount(bot.privateKey),
      scopes: ["read", "plan", "relay"],
      expiresAt: client.clock.seconds() + 30 * DAY_SECONDS
    })
    const generations: Array<string> = []
    for (const grant of [bot.grantId, id]) {
      generations.push(JSON.parse((await succeeded(prepare(grant))).stdout).generation)
      await new Promise(resolve => setTimeout(resolve, 1_100))
    }
    assert.strictEqual(new Set(generations).size, 2)
  })

  it("is enabled by no owner where it is another bot's, or of a grant that nobody knows", async () => {
    const { id } = JSON.parse((await succeeded(prepare(other.address))).stdout)
    const activate = ["session", "activate", id, ...byOwners]
    await refused([...activate, "--bot", bot.address], "its key differs")
    proxy.alter(swapped)
    await refused(activate, "its key differs")
    proxy.alter(text =>
      text.replaceAll(`"id":"${other.grantId}"`, `"id":"${bot.grantId.replace(/^./, "f")}"`)
    )
    await refused(activate, "the account knows no bot of its grant")
    proxy.alter(undefined)
    const { stdout } = await succeeded([...activate, "--bot", other.address])
    assert.match(stdout, new RegExp(`^session ${id}: active$`, "m"))
  })
})
