/** Accounts at one chain whose calls are few. */
import { Redacted } from "effect"
import { afterAll, assert, beforeEach, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { startFakeNode } from "../support/FakeNode.ts"
import { problemIn, type SeenProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { standingClock } from "./support/StandingClock.ts"

const CALLS = 400

const node = await startFakeNode({ chainId: 1 })
const service = await startService({
  settings: {
    quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: CALLS },
    trustedProxies: ["127.0.0.1"],
    chains: [{ chainId: 1, urls: [Redacted.make(node.url)], confirmations: 1 }]
  },
  clock: standingClock()
})
const { items } = await (
  await fetch(`${service.url}/api/v1/catalog/contracts?chainId=1&deployedOnly=true&limit=1`)
).json()
const target = `/api/v1/protocol/resolve?chainId=1&contractId=${encodeURIComponent(items[0].id)}`

afterAll(async () => {
  await service.stop()
  await node.stop()
})

beforeEach(() => {
  node.mine(BigInt(Math.floor(Date.now() / 1000)))
})

const enrolled = async (): Promise<Party> => {
  const owner = newOwner()
  assert.strictEqual((await enroll(service, owner)).status, 200)
  return owner
}

const read = async (owner: Party): Promise<SeenProblem> =>
  problemIn(await signedFetch(service, owner, "GET", target))

it("the reads of one starve no other, and its refusal says that the share was its own", async () => {
  const greedy = await enrolled()
  let last = await read(greedy)
  for (let reads = 0; reads < CALLS && last.code !== "RPC_BUDGET"; reads++) last = await read(greedy)
  assert.strictEqual(last.code, "RPC_BUDGET")
  assert.strictEqual(last.context?.per, "account")
  assert.isAbove(Number(last.context?.limit), 0)
  assert.isBelow(node.calls.length, CALLS)
  const asked = node.calls.length
  for (let others = 0; others < 3; others++) {
    const modest = await enrolled()
    for (let reads = 0; reads < 3; reads++) assert.notStrictEqual((await read(modest)).code, "RPC_BUDGET")
  }
  assert.isAbove(node.calls.length, asked)
  assert.strictEqual((await read(greedy)).code, "RPC_BUDGET")
})

/** Signed by another key than the account's own, so that its contract is asked. */
const byContract = (owner: Party, address: string): Promise<Response> =>
  enroll(
    service,
    { ...owner, key: { ...newOwner(1).key, address: owner.key.address } },
    { headers: { "X-Forwarded-For": address } }
  )

it("forged contract signatures from everywhere leave something to where one was accepted", async () => {
  const owner = newOwner(1)
  const isOwners = (call: unknown) =>
    String(Object(call).to).toLowerCase() === owner.key.address.toLowerCase()
  node.on("eth_getCode", { result: "0x6000" })
  node.on("eth_call", ([call]) =>
    isOwners(call) ? { result: `0x1626ba7e${"00".repeat(28)}` } : { result: "0x" }
  )
  assert.strictEqual((await byContract(owner, "10.3.0.1")).status, 200)
  const codes = new Set<string>()
  for (let index = 0; index < CALLS && !codes.has("RPC_BUDGET"); index++)
    codes.add((await problemIn(await byContract(newOwner(1), `10.4.${index % 250}.1`))).code)
  assert.deepStrictEqual([...codes], ["INVALID_SIGNATURE", "RPC_BUDGET"])
  assert.strictEqual((await problemIn(await byContract(owner, "10.3.0.2"))).code, "RPC_BUDGET")
  assert.strictEqual((await byContract(owner, "10.3.0.1")).status, 200)
})
