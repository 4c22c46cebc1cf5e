import { createPublicClient, http, parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { TO_REMOTE_FEE, word } from "../../../sandbox/families/suckers.ts"
import type { Observed } from "../../../src/values/Observed.ts"
import { holder } from "../../sandbox/support/Sandbox.ts"
import { BRIDGED, RECEIVER, SENDER, seededLeaf, suckerAbi } from "../../sandbox/support/suckers.ts"
import { startOperationBench } from "../../support/Operations.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { signedFetch } from "../../support/SignedFetch.ts"
import { hashLeaf, treeOf } from "./support/Trees.ts"

const bench = await startOperationBench()

afterAll(() => bench.stop())

const project = { chainId: 31337, projectId: String(BRIDGED) } as const

const valueOf = <A>(on: Observed<A> | undefined): A =>
  on?.status === "known" ? on.value : assert.fail(JSON.stringify(on))

const inserted = async () => {
  const chain = createPublicClient({ transport: http(bench.chain.url) })
  const [log] = await chain.getContractEvents({
    address: SENDER,
    abi: suckerAbi,
    eventName: "InsertToOutboxTree",
    fromBlock: 0n
  })
  return log ?? assert.fail("nothing was inserted")
}

describe("get_bridges on the sandbox", () => {
  it("proves both ends of each bridge, and tells what was sent and what arrived", async () => {
    const { blockNumber, transactionHash } = await inserted()
    const range = { fromBlock: "0", toBlock: String(blockNumber) }
    const view = await bench.answer("get_bridges", { project, holder: holder.address, ...range })
    assert.deepStrictEqual(view.registryFee, {
      status: "known",
      value: { amount: String(TO_REMOTE_FEE), decimals: 18, token: "native" }
    })
    const bridges = valueOf(view.bridges)
    assert.deepStrictEqual(
      bridges.map(({ address, identity }) => [
        address.toLowerCase(),
        valueOf(identity.peer),
        valueOf(identity.verified)
      ]),
      [
        [SENDER, word(RECEIVER), true],
        [RECEIVER, word(SENDER), true]
      ]
    )
    const [sender, receiver] = bridges
    assert.strictEqual(valueOf(sender?.transport).kind, "optimism")
    assert.strictEqual(valueOf(sender?.state).name, "enabled")
    const [sent] = valueOf(sender?.tokenStates)
    assert.deepInclude(valueOf(sent?.outbox), { nonce: "1", numberOfClaimsSent: "1", balance: "0" })
    assert.deepInclude(valueOf(sent?.remoteToken), { enabled: true, addr: word(NATIVE_TOKEN) })
    const [arrived] = valueOf(receiver?.tokenStates)
    assert.deepStrictEqual(valueOf(arrived?.inbox), {
      nonce: "1",
      root: treeOf([hashLeaf(seededLeaf)]).root
    })
    assert.strictEqual(valueOf(arrived?.amountToAddToBalance), String(parseEther("1")))
    const [event] = valueOf(sender?.outboxEvents)
    assert.deepInclude(event, { transactionHash, hashed: hashLeaf(seededLeaf), index: "0" })
    assert.deepStrictEqual(valueOf(receiver?.outboxEvents), [])
    const [gossip] = valueOf(receiver?.accountingGossip)
    assert.deepInclude(gossip, { chainId: "31337", totalSupply: String(parseEther("3000")) })
  })

  it("shows the project as its group's only member, for its bridges lead back to it", async () => {
    const target = `/api/v1/projects/31337/${BRIDGED}/omnichain?source=onchain`
    const answer = await signedFetch(bench.service, bench.owner, "GET", target)
    const { group, members } = Object(await answer.json())
    assert.deepStrictEqual(group.membersFound, { status: "known", value: 1 })
    assert.deepStrictEqual([members.length, members[0].membership.status], [1, "origin"])
  })
})
