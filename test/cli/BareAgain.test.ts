/** A revocation without the service: by whom it is signed, and that of one which is not mined in time the same command goes on with what was signed. */
import { readFile, writeFile } from "node:fs/promises"
import { afterAll, assert, describe, it } from "vitest"
import { rpc } from "../support/Rpc.ts"
import { sessionPlace } from "./support/SessionPlace.ts"
import { signingProgram } from "./support/SigningProgram.ts"

const place = await sessionPlace()
const { bench, at, wallet, owners, run, succeeded } = place
afterAll(place.stop)

const NOWHERE = "http://127.0.0.1:9"
const second = ["--owner-key-file", at("owner-1.json")]
const payer = owners[0]?.address ?? assert.fail("no owner")

const ask = (method: string, ...params: ReadonlyArray<unknown>) => rpc(bench.chain.url, method, params)

const nonceAt = async (block: "latest" | "pending"): Promise<number> =>
  Number(await ask("eth_getTransactionCount", payer, block))

const mining = (seconds: number) => ask("evm_setIntervalMining", seconds)

const pooled = async (): Promise<number> => Number((await ask("txpool_status")).pending)

const hashIn = (text: string): string => /transaction (0x[0-9a-f]{64})/.exec(text)?.[1] ?? assert.fail(text)

const enabled = async (name: string): Promise<string> => {
  const { stdout } = await succeeded(["session", "review", "--example", "--project", "2"])
  await writeFile(at(name), stdout)
  const bot: string = JSON.parse(await readFile(at("bot.json"), "utf8")).address
  const whose = ["--wallet", wallet, "--bot", bot]
  const { id } = JSON.parse((await succeeded(["session", "prepare", at(name), ...whose, "--json"])).stdout)
  await succeeded(["session", "activate", id, "--yes", "--timeout", "100", ...second])
  return id
}

const id = await enabled("again.json")

const stateOf = async (): Promise<string> =>
  JSON.parse((await succeeded(["session", "show", id, "--json"])).stdout).state

const bare = ["session", "revoke", "--bare", "--wallet", wallet]
const offline = (args: ReadonlyArray<string>) => run(args, NOWHERE)

/** With a limit of gas of its own: no estimate then tells that the wallet's nonce is used in the node's pool. */
const revokeWith = (gas: string, ...more: ReadonlyArray<string>) => {
  const sent = ["--send", "--yes", "--gas", gas]
  return offline([...bare, ...second, ...sent, ...more])
}

const revoke = (...more: ReadonlyArray<string>) => revokeWith("1000000", ...more)

describe("a bare revocation", { timeout: 240_000 }, () => {
  it("is signed by another program too, and not said to be sent where too few sign or a session is named", async () => {
    const { privateKey, address } = JSON.parse(await readFile(at("owner-1.json"), "utf8"))
    const program = await signingProgram(at(""), privateKey)
    const signatures = async (flags: ReadonlyArray<string>) => {
      const { code, stdout, stderr } = await offline([...bare, ...flags, "--yes", "--json"])
      assert.strictEqual(code, 0, stderr)
      return JSON.parse(stdout).signatures
    }
    assert.deepStrictEqual(await signatures(program), await signatures(["--key-file", at("owner-1.json")]))
    assert.deepStrictEqual(await signatures([]), await signatures(["--key-file", at("owner-0.json")]))
    const nobody = await offline([...bare, "--address", address, "--yes"])
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.stderr, "--address is that of a signer command")

    const few = await offline([...bare, "--send", "--yes"])
    assert.strictEqual(few.code, 1, few.stdout)
    assert.include(few.stderr, "1 of the 2 owners that it takes signed. Nothing was sent.")
    const written = await offline([...bare, "--send", "--yes", "--out", at("few-safe.json")])
    assert.strictEqual(written.code, 5, written.stderr)
    assert.include(written.stdout, `${at("few-safe.json")} is what each of the others signs`)
    const named = await offline([...bare, id, ...second, "--send", "--yes"])
    assert.strictEqual(named.code, 1, named.stdout)
    assert.include(named.stderr, "leave it out, and give --wallet")
    assert.notStrictEqual(await stateOf(), "revoked")
  })
})

describe("a bare revocation that is not mined in time", { timeout: 240_000 }, () => {
  it("is one transaction, whatever runs again, and is told as done once it is mined", async () => {
    await mining(0)
    const before = await nonceAt("latest")
    for (let each = 0; each < 2; each++) {
      const unpayable = await revoke("--timeout", "0", "--max-fee", "200000000000000")
      assert.strictEqual(unpayable.code, 2, unpayable.stderr)
    }
    const first = await revoke("--timeout", "0")
    assert.strictEqual(first.code, 4, first.stderr)
    const again = await revoke("--timeout", "0")
    assert.strictEqual(again.code, 4, again.stderr)
    assert.deepStrictEqual([await nonceAt("pending"), await pooled()], [before + 1, 1])
    assert.strictEqual(hashIn(again.stderr), hashIn(first.stderr))

    const cap = Number((await ask("eth_getTransactionByHash", hashIn(first.stderr))).maxFeePerGas)
    const little = await revoke("--timeout", "0", "--max-fee", String(cap + 1))
    assert.strictEqual(little.code, 1, little.stderr)
    assert.include(little.stderr, "Give --max-fee ")
    const other = await revokeWith("900000", "--timeout", "0")
    assert.strictEqual(other.code, 1, other.stderr)
    assert.include(other.stderr, "with a gas limit of 1000000")
    const dearer = await revoke("--timeout", "0", "--max-fee", String(cap * 2))
    assert.strictEqual(dearer.code, 4, dearer.stderr)
    assert.notStrictEqual(hashIn(dearer.stderr), hashIn(first.stderr))
    assert.deepStrictEqual([await nonceAt("pending"), await pooled()], [before + 1, 1])

    await ask("evm_mine")
    await mining(1)
    const done = await revoke()
    assert.strictEqual(done.code, 0, done.stderr)
    assert.match(done.stdout, new RegExp(`^revoked 0x[0-9a-f]{64}: ${hashIn(dearer.stderr)}$`, "m"))
    assert.strictEqual(await nonceAt("pending"), before + 1)
    assert.strictEqual(await stateOf(), "revoked")
    const over = await revoke()
    assert.strictEqual(over.code, 1)
    assert.include(over.stderr, "there is nothing to revoke")
  })
})
