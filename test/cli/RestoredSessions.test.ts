/** What `doctor --restored` says of the sessions of a wallet that the database knows. */
import { type Address, encodeAbiParameters, encodeFunctionResult, parseAbiParameters, zeroHash } from "viem"
import { afterAll, assert, beforeEach, it } from "vitest"
import { guardAbi } from "../../src/cli/GuardReads.ts"
import { restoredChecks } from "../../src/cli/RestoredChecks.ts"
import { rpcAt } from "../../src/cli/Rpc.ts"
import { instantChain, type Question, rpcServer } from "../support/InstantChain.ts"
import { LedgerSession } from "../support/Ledger.ts"
import { close, listen } from "../support/Listening.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"

const WALLETS = Array.from({ length: 20 }, (_, index) => `0x${String(index + 10).repeat(20)}`)
const [WALLET = ""] = WALLETS
const OTHER: Address = `0x${"b2".repeat(20)}`
const GUARD: Address = `0x${"c3".repeat(20)}`
const LIVE = `0x${"d4".repeat(32)}` as const
const SENTINEL = "0x0000000000000000000000000000000000000001"

const page = (validators: ReadonlyArray<Address>) =>
  encodeAbiParameters(parseAbiParameters("address[], address"), [validators, SENTINEL])

const administration = (live: typeof LIVE | typeof zeroHash) =>
  encodeFunctionResult({
    abi: guardAbi,
    functionName: "administrationOf",
    result: { enableNonce: 0n, epoch: 0n, installed: true, history: zeroHash, live }
  })

type Answer = { readonly result: unknown } | { readonly error: object }

const REVERTED: Answer = { error: { code: 3, message: "execution reverted", data: "0x" } }
const LIMITED: Answer = { error: { code: -32_005, message: "rate limited" } }

/** By the contract that is asked. */
let answers: Readonly<Record<string, Answer>> = {}
let [asking, most] = [0, 0]

const chain = instantChain(31_337, "listing", { eth_getLogs: () => [] })

const answerTo = (question: Question) => {
  if (question.method !== "eth_call") return chain.answer(question)
  const { to } = Object(question.params[0])
  return { jsonrpc: "2.0", id: question.id, ...(answers[String(to).toLowerCase()] ?? { result: "0x" }) }
}

const server = rpcServer(async questions => {
  most = Math.max(most, ++asking)
  await new Promise(resolve => setTimeout(resolve, 5))
  asking--
  return questions.map(answerTo)
})
const url = `http://127.0.0.1:${await listen(server)}`

const database = await migratedDatabase()
const ledger = await LedgerSession.open(database.url)
const account = await ledger.enroll()

const link = async (wallet: string, index: number) => {
  await ledger.client.query("INSERT INTO wallets (chain_id, address) VALUES (31337, $1)", [wallet])
  await ledger.client.query(
    `INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
      VALUES ($1, $2, 31337, $3, 'm', 's', '{}', $1, $1, 0, 0)`,
    [`0x${String(index).padStart(64, "0")}`, account, wallet]
  )
}

for (const [index, wallet] of WALLETS.entries()) await link(wallet, index)

beforeEach(() => {
  answers = {}
})

afterAll(async () => {
  await close(server)
  await ledger.client.end()
  await database.drop()
})

const sessions = async () => {
  const asked = { database: database.url, nodes: [rpcAt(url)], since: Date.now() }
  const found = await restoredChecks({ ...asked, marks: false, keepsGrants: false })
  return found.filter(({ name }) => name.includes("session of"))
}

const NOT_COMPARED = `session of ${WALLET}`
const LOST = `lost: session of ${WALLET}`

it("are none where nothing stands, or nothing is a validator", async () => {
  answers = { [WALLET]: { result: page([]) } }
  assert.deepStrictEqual(await sessions(), [])
})

it("are not compared where the node does not say which validators there are, or what lives", async () => {
  for (const failing of [
    { [WALLET]: LIMITED },
    { [WALLET]: { result: null } },
    { [WALLET]: { result: "0x01" } },
    { [WALLET]: REVERTED },
    { [WALLET]: { result: page([GUARD]) }, [GUARD]: LIMITED }
  ]) {
    answers = failing
    const [found, ...others] = await sessions()
    assert.deepStrictEqual([found?.name, found?.verdict, others], [NOT_COMPARED, "failed", []])
    assert.match(found?.detail ?? "", /^not compared: [^\n]+$/)
  }
})

it("are looked for at each of several validators, of which one may be no guard", async () => {
  for (const other of [REVERTED, { result: "0x" }, { result: administration(zeroHash) }]) {
    answers = {
      [WALLET]: { result: page([OTHER, GUARD]) },
      [OTHER]: other,
      [GUARD]: { result: administration(LIVE) }
    }
    assert.deepStrictEqual(
      (await sessions()).map(({ name }) => name),
      [LOST]
    )
  }
})

it("are asked for of a few wallets at once", async () => {
  most = 0
  await sessions()
  assert.isAtMost(most, 8)
})
