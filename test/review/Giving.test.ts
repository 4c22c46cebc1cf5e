import { pad, zeroAddress } from "viem"
import { assert, describe, it } from "vitest"
import {
  callOf,
  contract,
  type Described,
  linesOf,
  NATIVE,
  OTHER,
  planOf,
  reviewOf,
  WALLET
} from "./support/Reviews.ts"

describe("who receives", () => {
  const rowsOf = async (source: string, args: ReadonlyArray<unknown>, shown: ReadonlyArray<unknown>) => {
    const described = contract("Receiving", [source])
    const review = await reviewOf(await planOf([callOf(described, args, shown)]), described)
    assert.deepStrictEqual(review.dangers, [])
    return linesOf([...(review.calls[0]?.rows ?? []), ...(review.calls[0]?.arguments ?? [])])
  }

  it("on another chain is told like anyone else", async () => {
    const source =
      "function prepare(uint256 projectTokenCount, bytes32 beneficiary, uint256 minTokensReclaimed, address token, bytes32 metadata)"
    const told = async (beneficiary: `0x${string}`) => {
      const args = [5n, beneficiary, 0n, NATIVE, pad("0x")]
      return rowsOf(source, args, ["5", beneficiary, "0", NATIVE, pad("0x")])
    }
    assert.include(await told(pad(`0x${OTHER.slice(2).toLowerCase()}`)), `recipient: ${OTHER} as beneficiary`)
    const foreign = `0x${"7a".repeat(32)}` as const
    assert.include(await told(foreign), `recipient: ${foreign} as beneficiary`)
  })

  it("power over a project's funds is told, and what zero leaves out is not", async () => {
    const source =
      "function queue(uint256 projectId, address dataHook, address controller, address[] terminals)"
    const told = async (...[hook, controller, terminal]: ReadonlyArray<string>) =>
      (await rowsOf(source, [1n, hook, controller, [terminal]], ["1", hook, controller, [terminal]])).filter(
        line => line.startsWith("recipient")
      )
    assert.deepStrictEqual(await told(OTHER, zeroAddress, OTHER), [
      `recipient: ${OTHER} as dataHook`,
      `recipient: ${OTHER} as terminals[0]`
    ])
  })

  it("permissions have the protocol's names, and project 0 is every project", async () => {
    const lines = await rowsOf(
      "function setPermissionsFor(address account, (address operator, uint64 projectId, uint8[] permissionIds) permissionsData)",
      [WALLET, { operator: OTHER, projectId: 0n, permissionIds: [1, 200] }],
      [WALLET, { operator: OTHER, projectId: "0", permissionIds: ["1", "200"] }]
    )
    assert.deepStrictEqual(
      lines.filter(line => line.startsWith("recipient")),
      [`recipient: ${OTHER} as operator`]
    )
    assert.include(lines, "permissionsData.projectId (uint64): 0, which is every project")
    assert.include(
      lines,
      "permissionsData.permissionIds.permissionIds[0] (uint8): 1, ROOT: whatever the account may do"
    )
    assert.include(lines, "permissionsData.permissionIds.permissionIds[1] (uint8): 200")
  })

  it("what a hook is told stands there whole", async () => {
    const metadata = `0x${"ab".repeat(1_000)}`
    const lines = await rowsOf("function pay(bytes metadata)", [metadata], [metadata])
    assert.include(lines, `metadata (bytes): untrusted "${metadata}", 1000 bytes`)
  })

  it("an amount of another chain's token is a number", async () => {
    const remote = pad(`0x${OTHER.slice(2).toLowerCase()}`)
    const lines = await rowsOf(
      "function fromRemote(bytes32 token, uint256 amount)",
      [remote, 5n],
      [remote, "5"]
    )
    assert.include(lines, "amount (uint256): 5")
  })
})

describe("what a call gives away", () => {
  const cautionsOf = async (
    described: Described,
    ...call: readonly [ReadonlyArray<unknown>, ReadonlyArray<unknown>]
  ) => {
    const review = await reviewOf(await planOf([callOf(described, ...call)]), described)
    assert.deepStrictEqual(review.dangers, [])
    return linesOf((review.calls[0]?.rows ?? []).filter(({ tone }) => tone === "warning"))
  }

  it("is told of an allowance without limit, and of no other", async () => {
    const token = contract("JBERC20", ["function approve(address spender, uint256 value)"])
    const cautions = (units: bigint) => cautionsOf(token, [OTHER, units], [OTHER, String(units)])
    const limitless = "allowance: without limit: the spender may take all of the token, now and later"
    assert.deepStrictEqual(await cautions(2n ** 256n - 1n), [limitless])
    assert.deepStrictEqual(await cautions(2n ** 128n), [])
  })

  it("is told of every item of a collection", async () => {
    const items = contract("Items", ["function setApprovalForAll(address operator, bool approved)"])
    const cautions = (approved: boolean) => cautionsOf(items, [OTHER, approved], [OTHER, approved])
    const every = "allowance: the operator may move every item of the collection, now and later"
    assert.deepStrictEqual(await cautions(true), [every])
    assert.deepStrictEqual(await cautions(false), [])
  })

  it("is told of calls inside the call", async () => {
    const forwarder = contract("Forwarder", [
      "function execute((address from, address to, uint256 value, uint256 gas, uint48 deadline, bytes data, bytes signature) request) payable"
    ])
    const numbers = { value: 0n, gas: 9n, deadline: 1 }
    const shown = { value: "0", gas: "9", deadline: "1" }
    const rest = { from: WALLET, to: OTHER, data: "0xa9059cbb", signature: "0x" }
    assert.deepStrictEqual(await cautionsOf(forwarder, [{ ...rest, ...numbers }], [{ ...rest, ...shown }]), [
      `forwards: a call to ${OTHER} in the name of ${WALLET}, whose bytes this review does not explain`
    ])
  })
})
