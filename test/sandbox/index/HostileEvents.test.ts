import { encodeAbiParameters, encodeFunctionData, type Hex, parseEther, toEventSelector, toHex } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { eventAbis } from "../../../sandbox/index/follower/ProtocolEvents.ts"
import { launch, payNative, rulesetOf } from "../support/Launch.ts"
import { owner, stranger } from "../support/Sandbox.ts"
import { deployScripted, tell } from "../support/Scripted.ts"
import { acts as abi, lower, startHistory } from "./History.ts"

const ETHER = parseEther("1")

const history = await startHistory()

afterAll(() => history.stop())

/** The index has read everything when it has a payment that came last. */
const goesOn = async () => {
  const { transactionHash } = await payNative(history.sandbox, 2n, ETHER, stranger.address)
  await history.row("payEvents", "id", `{txHash: "${transactionHash}"}`)
}

const permit = (projectId: bigint) =>
  history.act(
    "JBPermissions",
    encodeFunctionData({
      abi,
      functionName: "setPermissionsFor",
      args: [owner.address, { operator: stranger.address, projectId, permissionIds: [2] }]
    })
  )

describe("the history goes on behind", () => {
  it("permissions for a project that is none", async () => {
    await permit(999n)
    await goesOn()
    assert.deepStrictEqual(await history.row("permissionHolders", "permissions", "{projectId: 999}"), {
      permissions: [2]
    })
    assert.isEmpty(await history.rows("projects", "id", "{projectId: 999}"))
  })

  it("permissions for a project id that no column holds", async () => {
    const before = await history.rows("permissionHolders", "projectId")
    await permit(2n ** 31n)
    await permit(2n ** 64n - 1n)
    await goesOn()
    assert.deepStrictEqual(await history.rows("permissionHolders", "projectId"), before)
  })

  it("texts that the database does not take", async () => {
    const projectId = await launch(history.sandbox, [rulesetOf()])
    const metadata = { name: "a\u0000b\ud800", tags: ["\u0000"], deep: "\u0000" }
    const uri = `data:application/json,${encodeURIComponent(JSON.stringify(metadata))}`
    await history.act(
      "JBController",
      encodeFunctionData({ abi, functionName: "setUriOf", args: [projectId, uri] })
    )
    await goesOn()
    assert.deepStrictEqual(await history.row("projects", "name tags", `{projectId: ${projectId}}`), {
      name: "ab\ufffd",
      tags: [""]
    })
  })

  it("metadata that nests deeper than the database reads", async () => {
    const projectId = await launch(history.sandbox, [rulesetOf()])
    const uri = `data:application/json,{"name":"deep","x":${"[".repeat(9000)}${"]".repeat(9000)}}`
    await history.act(
      "JBController",
      encodeFunctionData({ abi, functionName: "setUriOf", args: [projectId, uri] })
    )
    await goesOn()
    assert.deepStrictEqual(await history.row("projects", "name metadata", `{projectId: ${projectId}}`), {
      name: null,
      metadata: null
    })
  })

  it("events that begin like a token's or a sucker's", async () => {
    const { address } = await deployScripted(history.sandbox)
    const word = (value: string): Hex => toHex(value, { size: 32 })
    const claimed = eventAbis.JBSucker.find(({ name }) => name === "Claimed")
    const synced = eventAbis.JBSucker.find(({ name }) => name === "AccountingDataSynced")
    if (claimed === undefined || synced === undefined) throw new Error("The events are gone.")
    const logs = [
      { topics: [toEventSelector(eventAbis.JBERC20[0]), word("a"), word("b")], data: "0x" },
      { topics: [toEventSelector(claimed), word("a")], data: "0x01" },
      {
        topics: [toEventSelector(synced)],
        data: encodeAbiParameters([{ type: "uint256" }, { type: "address" }], [1n, owner.address])
      }
    ] as const
    await tell(history.sandbox, address, "0x12345678", { logs })
    await history.act(address, "0x12345678")
    await goesOn()
    assert.isEmpty(await history.rows("accountingSyncEvents", "id", `{sucker: "${lower(address)}"}`))
  })
})
