/** A wallet that is unlinked: whether a session of it goes on is said, and what ends it. */
import { readFile, writeFile } from "node:fs/promises"
import { afterAll, assert, describe, it } from "vitest"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const { bench, at, wallet, run, succeeded } = place
afterAll(place.stop)

const second = ["--owner-key-file", at("owner-1.json")]
const unlink = ["wallet", "unlink", wallet, "--yes"]
const revoke = ["session", "revoke", "--bare", "--wallet", wallet]

const activated = async () => {
  await writeFile(
    at("policy.json"),
    (await succeeded(["session", "review", "--example", "--project", "2"])).stdout
  )
  const bot: string = JSON.parse(await readFile(at("bot.json"), "utf8")).address
  const prepare = ["session", "prepare", at("policy.json"), "--wallet", wallet, "--bot", bot, "--json"]
  const { id } = JSON.parse((await succeeded(prepare)).stdout)
  await succeeded(["session", "activate", id, "--yes", "--timeout", "100", ...second])
}

describe("a wallet that is unlinked", { timeout: 240_000 }, () => {
  it("leaves nothing to be said of sessions where it has none", async () => {
    const { stdout } = await succeeded(unlink)
    assert.strictEqual(stdout, `The wallet ${wallet} is unlinked; what was sent stays so.`)
    await succeeded(["wallet", "bind", wallet, "--yes", ...second])
  })

  it("leaves a session that goes on until its owners revoke it by the command that is told", async () => {
    await activated()
    const { stdout } = await succeeded(unlink)
    assert.include(stdout, "A session of it goes on onchain until it ends or its owners revoke it")
    assert.include(stdout, `service ${revoke.join(" ")} --rpc `)
    const bare = await run([...revoke, "--rpc", bench.chain.url], "http://127.0.0.1:9")
    assert.strictEqual(bare.code, 0, bare.stderr)
    assert.match(bare.stdout, /^revokes +0x[0-9a-f]{64}$/m)
  })
})
