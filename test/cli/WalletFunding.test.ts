/** What a new wallet is given: once, whatever runs side by side or after one another, and never unasked. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { testKey } from "../signatures/TestKeys.ts"
import { startWalletBench, type WalletBench } from "../smartaccounts/support/WalletService.ts"
import { walletOwners } from "../smartaccounts/support/Wallets.ts"
import { type NodeGate, startNodeGate } from "../support/NodeGate.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import { type DeafNode, deafNode } from "./support/DeafNode.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"

const ETHER = 10n ** 18n
const [first = assert.fail("no owner"), ...others] = walletOwners.map(({ address }) => address)

let bench: WalletBench
let gate: NodeGate
let deaf: DeafNode
let proxy: LosingProxy
let directory: string

const holds = (amount: bigint) => rpc(bench.chain.url, "anvil_setBalance", [first, toHex(amount)])

beforeAll(async () => {
  bench = await startWalletBench()
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
  gate = await startNodeGate()
  gate.to(bench.chain.url)
  deaf = await deafNode(bench.chain.url)
  proxy = await losingProxy(bench.service.url)
  directory = await mkdtemp(join(tmpdir(), "wallet-funding-"))
  const keys = [1, 2, 3].map(number => testKey(`execution vector owner ${number}`))
  const { privateKey, address } =
    keys.find(each => each.address.toLowerCase() === first.toLowerCase()) ?? assert.fail("no key")
  await writeFile(join(directory, "key.json"), JSON.stringify({ privateKey, address }), { mode: 0o600 })
  await holds(100n * ETHER)
})

afterAll(async () => {
  await proxy.stop()
  await deaf.stop()
  await gate.stop()
  await bench.stop()
  await rm(directory, { recursive: true })
})

interface Place {
  readonly node?: string
  readonly service?: string
}

type Ask = (question: string) => Promise<string | undefined>

const state = () => join(directory, "state")

const run = (args: ReadonlyArray<string>, ask?: Ask, { node, service }: Place = {}) =>
  runHere(
    args,
    {
      FUNDING_URL: service ?? bench.service.url,
      FUNDING_RPC: node ?? bench.chain.url,
      FUNDING_KEY_FILE: join(directory, "key.json"),
      FUNDING_STATE_DIR: state()
    },
    ask
  )

const create = (salt: number, ...more: ReadonlyArray<string>) => [
  ...["wallet", "create", "--salt", String(salt), "--threshold", "2"],
  ...others.flatMap(owner => ["--owner", owner]),
  ...more
]

const walletIn = (text: string): string =>
  /(?:^wallet +|The wallet | to )(0x[0-9a-fA-F]{40})/m.exec(text)?.[1] ?? assert.fail(`no wallet in ${text}`)

const balanceOf = async (address: string): Promise<bigint> =>
  BigInt(await rpc(bench.chain.url, "eth_getBalance", [address, "latest"]))

/** Created, and the amount that was to follow could not be signed. */
const createdUnfunded = async (salt: number): Promise<string> => {
  await holds(ETHER / 2n)
  const { code, stderr } = await run(create(salt, "--fund", "1ether", "--yes"))
  await holds(100n * ETHER)
  assert.strictEqual(code, 5, stderr)
  const address = walletIn(stderr)
  assert.notStrictEqual(await rpc(bench.chain.url, "eth_getCode", [address, "latest"]), "0x")
  return address
}

const mining = (seconds: number) => rpc(bench.chain.url, "evm_setIntervalMining", [seconds])

describe("two runs side by side", { timeout: 120_000 }, () => {
  it("fund the wallet once, where one of them wakes after the other ended", async () => {
    let asked = () => {}
    let answer = (_: string) => {}
    const isAsked = new Promise<void>(resolve => {
      asked = resolve
    })
    const said = new Promise<string>(resolve => {
      answer = resolve
    })
    const slow = run(create(20, "--fund", "1ether"), async () => {
      asked()
      return said
    })
    await isAsked
    const quick = await run(create(20, "--fund", "1ether", "--yes"))
    assert.strictEqual(quick.code, 0, quick.stderr)
    answer("y")
    const { code, stdout, stderr } = await slow
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(await balanceOf(walletIn(stderr)), ETHER)
    assert.include(stdout, "Another run of this command")
  })

  /** `other` runs while the first one is about to sign. */
  const whileSigning = async (salt: number, other: () => Promise<void>) => {
    const slow = run(create(salt, "--fund", "1ether"), undefined, { node: gate.url })
    await gate.during("eth_chainId", async () => {})
    await gate.during("eth_chainId", other)
    return slow
  }

  it("sign once, where one of them has sent it and ended while the other was about to sign", async () => {
    const address = await createdUnfunded(21)
    const { code, stdout, stderr } = await whileSigning(21, async () => {
      const quick = await run(create(21, "--fund", "1ether"))
      assert.strictEqual(quick.code, 0, quick.stderr)
    })
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(await balanceOf(address), ETHER)
    assert.include(stdout, "Another run of this command")
    assert.deepStrictEqual(await readdir(state()), [])
  })

  it("send the same bytes, where one of them has kept some while the other was about to sign", async () => {
    const address = await createdUnfunded(22)
    const { code, stdout, stderr } = await whileSigning(22, async () => {
      await mining(0)
      const quick = await run(create(22, "--fund", "1ether", "--timeout", "0"))
      await mining(1)
      assert.strictEqual(quick.code, 4, quick.stderr)
    })
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^sent 1 ether /m)
    assert.strictEqual(await balanceOf(address), ETHER)
  })
})

describe("a wallet that nobody said an amount for", { timeout: 120_000 }, () => {
  it("is not created where the person leaves the question open, and asks none of who agreed before", async () => {
    const left = await run(create(30), async () => undefined)
    assert.strictEqual(left.code, 1, left.stdout)
    assert.include(left.stderr, "Interrupted; nothing more was signed.")
    const address = walletIn(left.stderr)
    assert.strictEqual(await rpc(bench.chain.url, "eth_getCode", [address, "latest"]), "0x")
    const created = await run(create(30, "--yes"), async question => assert.fail(question))
    assert.strictEqual(created.code, 0, created.stderr)
    assert.strictEqual(await balanceOf(address), 0n)
  })
})

describe("an amount of an earlier run", { timeout: 120_000 }, () => {
  it("is forgotten with a creation that was refused before it was signed", async () => {
    proxy.alter(text => text.replaceAll("Create the wallet", "Create a wallet"))
    const refused = await run(create(23, "--fund", "1ether", "--yes"), undefined, { service: proxy.url })
    proxy.alter(undefined)
    assert.strictEqual(refused.code, 6, refused.stderr)
    const { code, stderr } = await run(create(23, "--yes"), undefined, { service: proxy.url })
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(await balanceOf(walletIn(stderr)), 0n)
  })

  it("is left out where nobody can be asked, and sent after a yes", async () => {
    const address = await createdUnfunded(24)
    for (const ask of [undefined, async (question: string) => assert.fail(question)]) {
      const left = await run(create(24, "--yes"), ask)
      assert.strictEqual(left.code, 0, left.stderr)
      assert.include(left.stderr, "--fund")
    }
    assert.strictEqual(await balanceOf(address), 0n)
    const questions: Array<string> = []
    const sent = await run(create(24), async question => {
      questions.push(question)
      return "y"
    })
    assert.strictEqual(sent.code, 0, sent.stderr)
    assert.match(questions.join("\n"), /^Send it the 1 ether .*\[y\/N\] $/)
    assert.strictEqual(await balanceOf(address), ETHER)
  })

  it("is asked for again where the person left the question open", async () => {
    const address = await createdUnfunded(29)
    const left = await run(create(29), async () => undefined)
    assert.strictEqual(left.code, 1, left.stdout)
    assert.include(left.stderr, "Interrupted; nothing more was signed.")
    const sent = await run(create(29), async () => "y")
    assert.strictEqual(sent.code, 0, sent.stderr)
    assert.strictEqual(await balanceOf(address), ETHER)
  })

  it("is forgotten after a no", async () => {
    const address = await createdUnfunded(25)
    assert.strictEqual((await run(create(25), async () => "n")).code, 0)
    const again = await run(create(25), async question => assert.fail(question))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.strictEqual(await balanceOf(address), 0n)
  })
})

describe("an amount whose transaction can be mined no more", { timeout: 120_000 }, () => {
  it("is given up, and sent by whoever says so again", async () => {
    const address = await createdUnfunded(28)
    await mining(0)
    const signed = await run(create(28, "--fund", "1ether", "--timeout", "0"))
    assert.strictEqual(signed.code, 4, signed.stderr)
    await rpc(bench.chain.url, "anvil_dropAllTransactions", [])
    await rpc(bench.chain.url, "anvil_impersonateAccount", [first])
    await rpc(bench.chain.url, "eth_sendTransaction", [{ from: first, to: first, value: "0x0" }])
    await rpc(bench.chain.url, "anvil_stopImpersonatingAccount", [first])
    await rpc(bench.chain.url, "evm_mine", [])
    const early = await run(create(28))
    assert.strictEqual(early.code, 4, early.stderr)
    await rpc(bench.chain.url, "anvil_mine", [toHex(65)])
    await mining(1)
    const overtaken = await run(create(28))
    assert.strictEqual(overtaken.code, 2, overtaken.stderr)
    assert.match(overtaken.stderr, /did not go .* used the nonce of 0x[0-9a-f]{64}/)
    assert.include(overtaken.stderr, "--fund 1000000000000000000")
    const left = await run(create(28, "--yes"))
    assert.strictEqual(left.code, 0, left.stderr)
    assert.strictEqual(await balanceOf(address), 0n)
    const sent = await run(create(28, "--fund", "1ether"))
    assert.strictEqual(sent.code, 0, sent.stderr)
    assert.strictEqual(await balanceOf(address), ETHER)
  })
})

describe("a node that does not tell what became of the bytes", { timeout: 120_000 }, () => {
  it("leaves the outcome unknown, and the same command sends nothing twice", async () => {
    const address = await createdUnfunded(26)
    deaf.deafen("lost")
    const lost = await run(create(26, "--fund", "1ether"), undefined, { node: deaf.url })
    deaf.deafen(undefined)
    assert.strictEqual(lost.code, 4, lost.stderr)
    assert.match(lost.stderr, /0x[0-9a-f]{64}/)
    assert.include(lost.stderr, "Run the same command again")
    const again = await run(create(26, "--fund", "1ether"))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.strictEqual(await balanceOf(address), ETHER)
  })

  it("is not believed by the wallet's count alone that another transaction took the nonce", async () => {
    const address = await createdUnfunded(31)
    await mining(0)
    const signed = await run(create(31, "--fund", "1ether", "--timeout", "0"))
    await mining(1)
    assert.strictEqual(signed.code, 4, signed.stderr)
    await until(
      () => balanceOf(address),
      balance => balance === ETHER
    )
    for (const how of ["behind", "ahead"] as const) {
      deaf.deafen(how)
      const untold = await run(create(31, "--fund", "1ether"), undefined, { node: deaf.url })
      deaf.deafen(undefined)
      assert.strictEqual(untold.code, 4, untold.stderr)
      assert.include(untold.stderr, "Run the same command again")
    }
    const again = await run(create(31, "--fund", "1ether"))
    assert.strictEqual(again.code, 0, again.stderr)
    assert.strictEqual(await balanceOf(address), ETHER)
  })

  it("is asked again for a nonce where it does not see the creation that used one", async () => {
    deaf.deafen("late")
    const { code, stderr } = await run(create(32, "--fund", "1ether", "--yes"), undefined, { node: deaf.url })
    deaf.deafen(undefined)
    assert.strictEqual(code, 0, stderr)
  })

  it("is believed where it refuses them and knows none", async () => {
    const address = await createdUnfunded(27)
    deaf.deafen("refused")
    const refused = await run(create(27, "--fund", "1ether"), undefined, { node: deaf.url })
    deaf.deafen(undefined)
    assert.strictEqual(refused.code, 2, refused.stderr)
    assert.strictEqual(await balanceOf(address), 0n)
  })
})
