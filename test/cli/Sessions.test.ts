/** Sessions on the command line, through the real bundler: said in words, enabled by a wallet's owners, used by a bot, ended with the service and without it. */
import { readFile, writeFile } from "node:fs/promises"
import { hashTypedData, isHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { stranger } from "../sandbox/support/Sandbox.ts"
import { changed } from "../smartaccounts/support/Inspections.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { GUARD } from "../smartaccounts/support/Wallets.ts"
import { mine } from "../support/RelayBench.ts"
import { sessionPlace } from "./support/SessionPlace.ts"

const place = await sessionPlace()
const { bench, proxy, at, wallet, run, succeeded } = place
afterAll(place.stop)
afterEach(() => {
  proxy.lose(undefined)
  proxy.alter(undefined)
})

const SLOW = { timeout: 240_000 }
const bot: string = JSON.parse(await readFile(at("bot.json"), "utf8")).address
const second = ["--owner-key-file", at("owner-1.json")]
const asBot = ["--key-file", at("bot.json"), "--yes", "--timeout", "100"]
const whose = ["--wallet", wallet, "--bot", bot]

const sends = () => bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const refused = async (args: ReadonlyArray<string>, code: number, ...told: ReadonlyArray<string>) => {
  const ran = await run(args)
  assert.strictEqual(ran.code, code, `${args.join(" ")}\n${ran.stderr}\n${ran.stdout}`)
  for (const each of told) assert.include(ran.stderr, each)
  return ran
}

const listed = async (): Promise<ReadonlyArray<{ readonly id: string; readonly state: string }>> =>
  JSON.parse((await succeeded(["session", "list", "--wallet", wallet, "--json"])).stdout).items

const policyFile = async (name: string, change: (file: Record<string, unknown>) => void = () => {}) => {
  const { stdout } = await succeeded(["session", "review", "--example", "--project", "2"])
  const file: Record<string, unknown> = JSON.parse(stdout)
  change(file)
  await writeFile(at(name), JSON.stringify(file))
  return at(name)
}

const prepared = async (name: string): Promise<string> =>
  JSON.parse((await succeeded(["session", "prepare", await policyFile(name), ...whose, "--json"])).stdout).id

describe("a policy file", SLOW, () => {
  it("is read back in sentences from the bytes that would be enabled", async () => {
    const { stdout } = await succeeded(["session", "review", await policyFile("words.json"), ...whose])
    assert.match(
      stdout,
      new RegExp(`^The key ${bot} may act for the wallet, .* \\(7 days\\), by at most 20 calls`)
    )
    assert.include(stdout, 'at most 0.01 ETH a call and 0.1 ETH in all, counted in the allocation "tips"')
    assert.deepStrictEqual(await listed(), [])
  })

  it.each([
    ["a number where an amount is text", { maximumCalls: "20" }, "maximumCalls: "],
    ["a member that no session has", { maximumCall: 20 }, "maximumCall: "],
    ["eight days", { durationDays: 8 }, "durationDays: "],
    [
      "a false address",
      { actions: [{ kind: "v6-project-uri", controller: "0x00", projectId: "1" }] },
      "actions"
    ]
  ])("is refused where it stands, with %s, before the service is asked", async (_, change, told) => {
    const file = await policyFile("wrong.json", members => Object.assign(members, change))
    await refused(["session", "prepare", file, ...whose], 1, told, "service session review --example")
  })

  it("is refused for a bot or a wallet that there is not", async () => {
    const file = await policyFile("whose.json")
    await refused(["session", "prepare", file, "--wallet", bot, "--bot", bot], 1, "The account has no wallet")
    await refused(["session", "prepare", file, "--wallet", wallet, "--bot", wallet], 1, "no such bot")
    await refused(["session", "prepare", file, "--wallet", wallet], 1, "Which bot?")
  })
})

describe("a session", SLOW, () => {
  let id = ""

  it("is prepared once, though the answer was lost", async () => {
    const prepare = ["session", "prepare", await policyFile("tips.json"), ...whose]
    proxy.lose(/^POST \/api\/v1\/smart-accounts\/sessions$/)
    await refused(prepare, 4)
    proxy.lose(undefined)
    const { stdout, stderr } = await succeeded(prepare)
    assert.include(stderr, "An earlier run of this command did not finish; continuing it.")
    id = /^session ([0-9a-f-]{36}): prepared$/m.exec(stdout)?.[1] ?? assert.fail(stdout)
    assert.deepStrictEqual(
      (await listed()).map(each => each.id),
      [id]
    )
    await refused(["pay", "--amount", "1", "--session", id, ...asBot], 1, `The session ${id} is prepared.`)
  })

  it("is not shown, and no owner asked, where the service tells of other bytes or hashes", async () => {
    for (const [from, to] of [
      [/"maximumCalls":20/, '"maximumCalls":21'],
      [/"perCallLimit":"10000000000000000"/, '"perCallLimit":"20000000000000000"'],
      [/("compiledHash":"0x)../, "$1ff"],
      [/("revokeTransaction".*"data":"0xb75c7dc6)../, "$1ff"]
    ] as const) {
      proxy.alter(text => text.replace(from, to))
      for (const command of ["show", "activate"]) {
        const { stderr } = await refused(["session", command, id], 6, "not what it stands for")
        assert.notInclude(stderr, "Signing")
      }
    }
    assert.strictEqual(sends(), 0)
  })

  it("is enabled by two owners, of whom one signs a file", async () => {
    const activate = ["session", "activate", id, "--yes", "--timeout", "100"]
    const asked = await succeeded([...activate, "--out", at("ask.json")])
    assert.include(asked.stdout, "1 of the 2 owners that it takes signed.")
    const sign = ["wallet", "sign", at("ask.json"), "--key-file", at("owner-1.json"), "--yes"]
    await succeeded([...sign, "--out", at("signature.json")])
    const both = ["--add-signature", at("ask.json"), "--add-signature", at("signature.json")]
    const { stdout, stderr } = await succeeded([...activate, ...both])
    assert.include(stderr, `The key ${bot} may act for the wallet`)
    assert.match(stdout, new RegExp(`^session ${id}: active$`, "m"))
    assert.strictEqual(sends(), 1)
    const again = await succeeded([...activate, ...second])
    assert.match(again.stdout, new RegExp(`^session ${id}: active$`, "m"))
    assert.strictEqual(sends(), 1)
  })

  it("is used by its key alone, once a call, though the answer was lost", async () => {
    const pay = ["pay", "--amount", "0.01ether", "--session", id]
    await refused([...pay, "--yes"], 1, "is used by its key")
    proxy.lose(/^POST \/api\/v1\/user-operations\/[0-9a-f-]+\/submissions$/)
    await run([...pay, ...asBot])
    proxy.lose(undefined)
    const { stdout } = await succeeded([...pay, ...asBot])
    assert.match(stdout, /^plan [0-9a-f-]{36}: transactions_confirmed$/m)
    assert.strictEqual(sends(), 2)
    const { stdout: quota } = await succeeded(["session", "quota", id])
    assert.match(quota, /^calls +1 +20 +19$/m)
    assert.match(quota, /^allocation:tips +0\.01 ETH +0\.1 ETH +0\.09 ETH$/m)
  })

  it("carries out a plan of the wallet's that has its call, and no other", async () => {
    const only = ["pay", "--amount", "0.01ether", "--session", id, "--plan-only", "--json"]
    const plan = JSON.parse((await succeeded([...only, ...asBot])).stdout)
    const used = await succeeded(["session", "use", id, plan.id, ...asBot])
    assert.match(used.stdout, new RegExp(`^plan ${plan.id}: transactions_confirmed$`, "m"))
    const sent = sends()
    await refused(
      ["pay", "--amount", "0.02ether", "--session", id, ...asBot],
      2,
      "SESSION_CALL_REFUSED",
      "rule: 33"
    )
    await refused(
      ["pay", "--project", "1", "--amount", "1", "--session", id, ...asBot],
      1,
      "lets nobody pay that"
    )
    await refused(["pay", "--memo", "x", "--amount", "1", "--session", id, ...asBot], 1, "--memo does not go")
    await refused(
      ["pay", "--wallet", wallet, "--amount", "1", "--session", id, ...asBot],
      1,
      "--session goes with"
    )
    assert.strictEqual(sends(), sent)
  })

  it("is signed for by no owner, and its key signs nothing that differs", async () => {
    proxy.alter(text => text.replace(/("signaturePrefix":"0x01)../, "$1ff"))
    const sent = sends()
    await refused(["pay", "--amount", "0.01ether", "--session", id, ...asBot], 6, "not what it stands for")
    proxy.alter(undefined)
    const { items } = JSON.parse((await succeeded(["operation", "list", "--json"])).stdout)
    const waiting = items.find(({ state }: { state: string }) => state === "prepared")
    await refused(
      ["operation", "sign", waiting.id, "--yes"],
      1,
      "is signed by the key of the session",
      "session use"
    )
    assert.strictEqual(sends(), sent)
  })

  it("is ended by two owners, after which its key does nothing more", async () => {
    const { stdout } = await succeeded(["session", "revoke", id, "--yes", "--timeout", "100", ...second])
    assert.match(stdout, new RegExp(`^session ${id}: revoked$`, "m"))
    const sent = sends()
    await refused(
      ["pay", "--amount", "0.01ether", "--session", id, ...asBot],
      1,
      `The session ${id} is revoked.`
    )
    assert.strictEqual(sends(), sent)
  })
})

/** Blocks enough that what was revoked is final, so that the wallet may have another session. */
const final = async () => {
  await mine(bench, 300)
  for (const { id } of await listed()) await succeeded(["session", "show", id])
}

const listedAt = async (id: string) => JSON.parse((await succeeded(["session", "show", id, "--json"])).stdout)

const NOT_ONE = "A signature that was added is no owner's"
const NOWHERE = "http://127.0.0.1:9"

describe("without the service", SLOW, () => {
  const bare = ["session", "revoke", "--bare", "--wallet", wallet]
  const offline = (args: ReadonlyArray<string>) => run(args, NOWHERE)

  it("there is nothing to revoke where nothing lives", async () => {
    const { code, stderr } = await offline(bare)
    assert.strictEqual(code, 1)
    assert.include(stderr, `Nothing lives at the guard ${GUARD}`)
  })

  it("the chain alone gives the transaction, which owners sign apart and anybody sends", async () => {
    await final()
    const id = await prepared("second.json")
    await succeeded(["session", "activate", id, "--yes", "--timeout", "100", ...second])
    const asked = await offline([...bare, "--json"])
    const { permissionId, transaction, typedData, safeTransactionHash } = JSON.parse(asked.stdout)
    const { compiled, revokeTransaction } = JSON.parse(
      (await succeeded(["session", "show", id, "--json"])).stdout
    )
    assert.strictEqual(permissionId, compiled.permissionId)
    const { nonce: _, ...exact } = transaction
    assert.deepStrictEqual(exact, revokeTransaction)
    assert.strictEqual(hashTypedData(typedData), safeTransactionHash)
    assert.notProperty(JSON.parse(asked.stdout), "signatures")

    const one = await offline([...bare, "--key-file", at("owner-0.json"), "--yes", "--out", at("safe.json")])
    assert.include(one.stdout, "1 of the 2 owners that it takes signed.")
    const { privateKey } = JSON.parse(await readFile(at("owner-1.json"), "utf8"))
    const typed = JSON.parse(await readFile(at("safe.json"), "utf8"))
    const signature = await privateKeyToAccount(privateKey).signTypedData(typed)
    const endingIn = (ends: Readonly<Record<string, string>>) =>
      signature.replace(/..$/, end => ends[end] ?? assert.fail(end))
    const enough = [
      ...bare,
      "--key-file",
      at("owner-0.json"),
      "--yes",
      "--add-signature",
      at("safe-signature.txt")
    ]
    await writeFile(at("safe-signature.txt"), endingIn({ "1b": "1f", "1c": "20" }))
    const unusable = await offline(enough)
    assert.strictEqual(unusable.code, 1, unusable.stderr)
    assert.include(unusable.stderr, NOT_ONE)
    await writeFile(at("safe-signature.txt"), endingIn({ "1b": "00", "1c": "01" }))
    const { execution } = JSON.parse((await offline([...enough, "--json"])).stdout)
    assert.deepStrictEqual([execution.to, execution.value, isHex(execution.data)], [wallet, "0", true])
    const { client, mined } = bench.sandbox
    await mined(client.sendTransaction({ account: stranger, to: wallet, data: execution.data }))
    assert.strictEqual((await listedAt(id)).state, "revoked")
  })

  it("a signature of something else is refused, and one command sends it", async () => {
    await final()
    const id = await prepared("third.json")
    await succeeded(["session", "activate", id, "--yes", "--timeout", "100", ...second])
    const wrong = await offline([...bare, "--yes", "--add-signature", at("safe-signature.txt")])
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.stderr, NOT_ONE)
    const sent = await offline([...bare, ...second, "--send", "--yes", "--timeout", "100"])
    assert.strictEqual(sent.code, 0, sent.stderr)
    assert.match(sent.stdout, /^revoked 0x[0-9a-f]{64}: 0x[0-9a-f]{64}$/m)
    assert.strictEqual((await listedAt(id)).state, "revoked")
  })
})

describe("a session whose contracts are reviewed no more", SLOW, () => {
  it("is enabled by nobody, and ended as any other", async () => {
    await final()
    const id = await prepared("unreviewed.json")
    await succeeded(["session", "activate", id, "--yes", "--timeout", "100", ...second])
    const { smartManifests, remove } = await manifestFile([
      changed({ reviewed: { targets: [], assets: [] } })
    ])
    const { url, stop } = await bench.replica({ smartManifests })
    try {
      assert.strictEqual((await run(["wallet", "bind", wallet, "--yes", ...second], url)).code, 0)
      assert.strictEqual((await run(["session", "activate", id, "--yes", ...second], url)).code, 6)
      const ended = await run(["session", "revoke", id, "--yes", "--timeout", "100", ...second], url)
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.include(ended.stderr, "BEWARE: ")
      assert.match(ended.stdout, new RegExp(`^session ${id}: revoked$`, "m"))
    } finally {
      await stop()
      await remove()
    }
  })
})
