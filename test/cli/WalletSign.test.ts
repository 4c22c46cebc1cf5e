/** What another owner wrote to a file is signed only where the wallet does what the file says, and is told by the bytes alone. */
import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ExitCode } from "../../src/cli/Failure.ts"
import { sqlOn } from "../support/Sql.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const { bench, at, wallet, run, succeeded } = place
afterAll(place.stop)

const OTHER = "0x00000000000000000000000000000000000000B1"
const HOSTILE = "nothing\u001b[2J\u202e"

interface Asked {
  readonly typedData: { readonly message: object }
  readonly calls: ReadonlyArray<{ readonly decoded: object }>
}

let asked: Asked

const sign = (name: string) => ["wallet", "sign", at(name), "--key-file", at("owner-1.json"), "--yes"]

const signing = async (file: object) => {
  await writeFile(at("altered.json"), JSON.stringify(file))
  return run([...sign("altered.json"), "--out", at("altered-signature.json")])
}

const withCall = (change: object): Asked => ({
  ...asked,
  calls: asked.calls.map(call => ({ ...call, ...change }))
})

const withDecoded = (change: object): Asked => ({
  ...asked,
  calls: asked.calls.map(call => ({ ...call, decoded: { ...call.decoded, ...change } }))
})

const withMessage = (change: object): Asked => ({
  ...asked,
  typedData: { ...asked.typedData, message: { ...asked.typedData.message, ...change } }
})

beforeAll(async () => {
  const pay = ["pay", "--project", "2", "--amount", "0.1ether", "--wallet", wallet, "--yes"]
  await succeeded([...pay, "--out", at("ask.json")])
  asked = JSON.parse(await readFile(at("ask.json"), "utf8"))
})

const isRefused = async (file: object, ...told: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await signing(file)
  assert.strictEqual(code, ExitCode.failedCheck, `${stderr}\n${stdout}`)
  for (const each of told) assert.include(stderr, each)
  assert.strictEqual(stdout, "")
  assert.notMatch(stderr, /[\u001b\u202e]/)
  assert.isFalse(existsSync(at("altered-signature.json")))
}

describe("what a wallet is asked to do", { timeout: 120_000 }, () => {
  it("is told in words and with every argument before it is signed", async () => {
    const { stdout, stderr } = await succeeded([...sign("ask.json"), "--out", at("signature.json")])
    assert.match(stdout, /^Signed as 0x/)
    assert.match(stderr, new RegExp(`^The wallet ${wallet} will pay 0\\.1 ETH to project 2`, "m"))
    assert.match(stderr, /^call 0 {2}JBMultiTerminal\.pay on /m)
    assert.match(stderr, /beneficiary \(address\): 0x/)
    assert.match(stderr, /^digest +0x[0-9a-f]{64}$/m)
  })

  it("is signed by nobody where there is no place for the signature", async () => {
    const { code, stdout, stderr } = await run([...sign("ask.json"), "--out", at("nowhere/signature.json")])
    assert.strictEqual(code, ExitCode.usage, stdout)
    assert.include(stderr, "nowhere/signature.json of --out cannot be written")
    assert.strictEqual(stdout, "")
  })

  it.each([
    ["another destination", { to: OTHER }],
    ["other bytes", { data: "0xdeadbeef" }],
    ["another value", { value: "1" }],
    ["another chain", { chainId: 10 }]
  ])("is refused where a call has %s than what is signed", async (_, change) => {
    await isRefused(withCall(change), "is not what it says")
  })

  it("is refused where its nonce is of another lane, in which the same could be done a second time", async () => {
    await isRefused(withMessage({ nonce: String(1n << 64n) }), "its nonce is not of the wallet's owners")
  })

  it("is refused where no call is said, or one more", async () => {
    await isRefused({ ...asked, calls: [] }, "is not what it says")
    await isRefused({ ...asked, calls: [...asked.calls, ...asked.calls] }, "is not what it says")
  })

  it.each([
    ["a false name", { function: "claim()" }, "the calldata calls another function than shown"],
    ["a name that hides something", { function: HOSTILE }, "the calldata calls another function than shown"],
    ["no arguments", { args: [] }, "the calldata carries other arguments than shown"],
    ["a contract that there is not", { contractId: HOSTILE }, "the catalog has no such contract"]
  ])("is refused where its call is said to have %s", async (_, change, told) => {
    await isRefused(withDecoded(change), told)
  })
})

describe("what is valid at another time", { timeout: 120_000 }, () => {
  it("is refused where it would never end", async () => {
    await isRefused(withMessage({ validAfter: 0, validUntil: 0 }), "it has no end")
  })

  it("is signed by nobody once it has ended", async () => {
    const { code, stdout, stderr } = await signing(withMessage({ validAfter: 1, validUntil: 2 }))
    assert.strictEqual(code, ExitCode.usage, stdout)
    assert.include(stderr, "asks for has ended; nothing was signed")
    assert.isFalse(existsSync(at("altered-signature.json")))
  })
})

describe("a wallet that is to be bound", { timeout: 120_000 }, () => {
  it("is refused where its state is another than the one that is signed", async () => {
    await succeeded(["wallet", "bind", wallet, "--yes", "--out", at("bind.json")])
    assert.strictEqual((await succeeded(sign("bind.json"))).code, ExitCode.ok)
    const { typedData, state } = JSON.parse(await readFile(at("bind.json"), "utf8"))
    await isRefused(
      { typedData, state: { ...state, owners: [...state.owners, OTHER] } },
      "the wallet is bound in another state than is shown"
    )
  })
  it("is refused, and nothing of it shown, where its account is none", async () => {
    await succeeded(["wallet", "bind", wallet, "--yes", "--out", at("bind.json")])
    const { typedData, state } = JSON.parse(await readFile(at("bind.json"), "utf8"))
    const message = { ...typedData.message, accountId: HOSTILE }
    const { code, stderr } = await signing({ typedData: { ...typedData, message }, state })
    assert.strictEqual(code, ExitCode.usage, stderr)
    assert.notInclude(stderr, "nothing\u001b")
    assert.isFalse(existsSync(at("altered-signature.json")))
  })
})

describe("what another owner signed in time, and is handed in late,", { timeout: 120_000 }, () => {
  const pay = ["pay", "--project", "2", "--amount", "0.2ether", "--wallet", wallet, "--yes"]

  it("is said to be over, with the command that asks for it anew", async () => {
    await succeeded([...pay, "--out", at("late.json")])
    await succeeded([...sign("late.json"), "--out", at("late-signature.json")])
    await sqlOn(bench.service.databaseUrl, "UPDATE user_operations SET expires_at = unix_millis()")
    for (const files of [["late.json", "late-signature.json"], ["late-signature.json"]]) {
      const added = files.flatMap(name => ["--add-signature", at(name)])
      const { code, stderr } = await run([...pay, ...added])
      assert.strictEqual(code, ExitCode.usage, stderr)
      assert.include(stderr, `The file ${at(files[0] ?? "")} is of something else than is to be signed now`)
      assert.include(stderr, "with --out <file> and without --add-signature")
    }
    const { stdout } = await succeeded([...pay, "--out", at("late.json")])
    assert.include(stdout, "1 of the 2 owners that it takes signed.")
  })
})
