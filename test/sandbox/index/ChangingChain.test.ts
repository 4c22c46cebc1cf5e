import { encodeFunctionData, parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { launch, payNative, rulesetOf } from "../support/Launch.ts"
import { beneficiary, owner, stranger } from "../support/Sandbox.ts"
import { acts as abi, lower, startHistory } from "./History.ts"
import { answered } from "./Support.ts"

const ETHER = parseEther("1")

const history = await startHistory()
const sandbox = history.sandbox

afterAll(() => history.stop())

describe("a project's roles and names", () => {
  it("are those that were set last, and the events are kept", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    const permit = (operator: `0x${string}`, id: bigint, permissionIds: ReadonlyArray<number>) =>
      history.act(
        "JBPermissions",
        encodeFunctionData({
          abi,
          functionName: "setPermissionsFor",
          args: [owner.address, { operator, projectId: id, permissionIds }]
        })
      )
    await permit(stranger.address, projectId, [2, 11])
    await permit(stranger.address, projectId, [7])
    await permit(beneficiary.address, 0n, [1])
    const metadata = { name: "A % name", tags: ["art", 5], description: 7 }
    const uri = `data:application/json,${encodeURIComponent(JSON.stringify(metadata))}`
    const given = [owner.address, stranger.address, projectId] as const
    await history.act(
      "JBController",
      encodeFunctionData({ abi, functionName: "setUriOf", args: [projectId, uri] })
    )
    await history.act("JBProjects", encodeFunctionData({ abi, functionName: "transferFrom", args: given }))
    const where = `{projectId: ${projectId}}`
    assert.deepStrictEqual(await history.row("permissionHolders", "account operator permissions", where), {
      account: lower(owner.address),
      operator: lower(stranger.address),
      permissions: [7]
    })
    const packed = await history.rows("operatorPermissionsSetEvents", "packed permissions", where)
    assert.sameDeepMembers(
      [...packed],
      [
        { packed: String(2 ** 2 + 2 ** 11), permissions: [2, 11] },
        { packed: String(2 ** 7), permissions: [7] }
      ]
    )
    const everywhere = `{projectId: 0, operator: "${lower(beneficiary.address)}"}`
    assert.deepStrictEqual(await history.row("permissionHolders", "permissions", everywhere), {
      permissions: [1]
    })
    const fields = "name tags description metadata owner metadataUri"
    assert.deepStrictEqual(await history.row("projects", fields, where), {
      name: "A % name",
      tags: ["art"],
      description: null,
      metadata,
      owner: lower(stranger.address),
      metadataUri: uri
    })
    assert.deepStrictEqual(await history.row("setUriEvents", "uri metadata", where), { uri, metadata })
    assert.deepStrictEqual(await history.row("projectTransferEvents", "previousOwner owner", where), {
      previousOwner: lower(owner.address),
      owner: lower(stranger.address)
    })
  })
})

describe("the history", () => {
  const ids = async () => (await history.rows("activityEvents", "id")).map(({ id }) => String(id)).sort()

  it("goes on where an earlier run stopped", async () => {
    const before = await ids()
    assert.isFalse(history.index().resumed)
    await history.restart(() => payNative(sandbox, 2n, ETHER, stranger.address))
    assert.isTrue(history.index().resumed)
    const after = await ids()
    assert.strictEqual(new Set(after).size, before.length + 2)
    assert.includeMembers(after, before)
  })

  it("is followed by one process at a time", async () => {
    await history.started().then(
      () => assert.fail("Two follow one chain into the same tables."),
      cause => assert.match(String(cause), /another process follows/)
    )
  })

  it("forgets what a reorg took back", async () => {
    const before = await ids()
    const holders = await history.rows("participants", "address volume", "{projectId: 2}")
    const snapshot = await sandbox.client.snapshot()
    const { transactionHash } = await payNative(sandbox, 2n, 3n * ETHER, stranger.address)
    await history.row("payEvents", "id", `{txHash: "${transactionHash}"}`)
    await sandbox.client.revert({ id: snapshot })
    await sandbox.client.mine({ blocks: 5 })
    assert.deepStrictEqual(await ids(), before)
    assert.deepStrictEqual(await history.rows("participants", "address volume", "{projectId: 2}"), holders)
  })

  it("begins again on another chain", async () => {
    await fetch(sandbox.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_reset", params: [] })
    })
    assert.isEmpty(await ids())
    assert.deepStrictEqual(await answered(history.index(), "{ projects { totalCount } }"), { totalCount: 0 })
  })
})
