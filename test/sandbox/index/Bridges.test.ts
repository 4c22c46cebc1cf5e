import { encodeAbiParameters, encodeEventTopics, parseEther, zeroHash } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { word } from "../../../sandbox/families/suckers.ts"
import { hashLeaf, treeOf } from "../../operations/omnichain/support/Trees.ts"
import { holder, owner } from "../support/Sandbox.ts"
import { deployScripted, tell } from "../support/Scripted.ts"
import {
  BRIDGED,
  claimOne,
  RECEIVER,
  SENDER,
  seededClaim,
  seededLeaf,
  suckerAbi
} from "../support/suckers.ts"
import { lower, startHistory } from "./History.ts"

const history = await startHistory()

afterAll(() => history.stop())

const where = `{projectId: ${BRIDGED}}`
const sync = "0xc1ca1ec7"

describe("the history of bridges", () => {
  it("has the suckers of a project, and what the seed sent and delivered", async () => {
    const { root } = treeOf([hashLeaf(seededLeaf)])
    const suckers = await history.rows("_suckers", "address", where)
    assert.sameMembers(
      suckers.map(({ address }) => address),
      [SENDER, RECEIVER]
    )
    const group = await history.row("suckerGroups", "addresses", `{id: "31337-${BRIDGED}-6"}`)
    assert.sameMembers([...Object(group.addresses)], [SENDER, RECEIVER])
    const inserted =
      "sucker peer peerChainId beneficiary projectTokenCount terminalTokenAmount index root hashed"
    assert.deepStrictEqual(await history.row("bridgeToOutboxEvents", inserted, where), {
      sucker: SENDER,
      peer: word(RECEIVER),
      peerChainId: 31337,
      beneficiary: word(holder.address),
      projectTokenCount: String(parseEther("1000")),
      terminalTokenAmount: String(parseEther("1")),
      index: 0,
      root,
      hashed: hashLeaf(seededLeaf)
    })
    assert.deepStrictEqual(await history.row("bridgeToRemoteEvents", "sucker nonce root index", where), {
      sucker: SENDER,
      nonce: "1",
      root,
      index: 0
    })
    assert.deepStrictEqual(await history.row("inboxRootReceivedEvents", "sucker nonce root", where), {
      sucker: RECEIVER,
      nonce: "1",
      root
    })
  })

  it("goes on with claims and syncs, and each is an activity of its project", async () => {
    await history.act(RECEIVER, claimOne(seededClaim), holder)
    await history.act(SENDER, sync, owner)
    const claimed = "sucker beneficiary projectTokenCount index metadata caller from"
    assert.deepStrictEqual(await history.row("bridgeClaimEvents", claimed, where), {
      sucker: RECEIVER,
      beneficiary: word(holder.address),
      projectTokenCount: String(parseEther("1000")),
      index: 0,
      metadata: zeroHash,
      caller: lower(holder.address),
      from: lower(holder.address)
    })
    const { timestamp } = await history.sandbox.client.getBlock()
    const synced = await history.row("accountingSyncEvents", "sucker sourceTimestampSeconds", where)
    assert.deepStrictEqual(synced, { sucker: SENDER, sourceTimestampSeconds: String(timestamp) })
    const types = (await history.rows("activityEvents", "type", where)).map(({ type }) => type)
    for (const type of ["bridgeClaimEvent", "bridgeToOutboxEvent", "accountingSyncEvent"])
      assert.include(types, type)
    assert.deepStrictEqual(
      await history.row(
        "participants",
        "balance",
        `{projectId: ${BRIDGED}, address: "${lower(holder.address)}"}`
      ),
      { balance: String(parseEther("1000")) }
    )
  })

  it("takes nothing from contracts that the registry never told of", async () => {
    const { sandbox } = history
    const { address } = await deployScripted(sandbox)
    const topics = encodeEventTopics({ abi: suckerAbi, eventName: "AccountingDataSynced" }).flat()
    const data = encodeAbiParameters([{ type: "uint256" }, { type: "address" }], [7n, owner.address])
    const logs = [{ topics: topics.flatMap(topic => topic ?? []), data }]
    await tell(sandbox, address, sync, { logs })
    const before = await history.rows("accountingSyncEvents", "sucker")
    await history.act(address, sync)
    assert.deepStrictEqual(await history.rows("accountingSyncEvents", "sucker"), before)
  })
})
