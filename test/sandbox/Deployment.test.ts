import { readFileSync } from "node:fs"
import { encodeFunctionData, keccak256, parseEther, parseEventLogs, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { deploySandbox } from "../../sandbox/deploy.ts"
import { startAnvil } from "../support/Anvil.ts"
import { FORWARD_REQUEST } from "../support/ForwardRequest.ts"
import { abi } from "./support/abi.ts"
import { holder, onSandbox, owner, type Sandbox, stranger } from "./support/Sandbox.ts"

const DEMO = 2n

const startSandbox = async (): Promise<Sandbox> => {
  const chain = await startAnvil()
  return { ...onSandbox(chain.url, await deploySandbox(chain.url)), stop: chain.stop }
}

describe("the deployed sandbox", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  it("names contracts of the pinned inventory", () => {
    const inventory = readFileSync(new URL("../../schema/protocol/contracts.json", import.meta.url), "utf8")
    for (const { contractId } of sandbox.manifest.deployments) {
      assert.include(inventory, JSON.stringify(contractId))
    }
  })

  it("records where each contract is, what its code is and which transaction made it", async () => {
    for (const { address, receipt, runtimeCodeHash } of sandbox.manifest.deployments) {
      const code = await sandbox.client.getCode({ address })
      const mined = await sandbox.client.getTransactionReceipt({ hash: receipt.transactionHash })
      assert.equal(keccak256(code ?? "0x"), runtimeCodeHash)
      assert.equal(mined.contractAddress?.toLowerCase(), address)
      assert.equal(mined.blockNumber, BigInt(receipt.blockNumber))
      assert.isAtMost((code ?? "0x").length / 2 - 1, 24_576)
    }
  })

  it("is found again without sending anything", async () => {
    const before = await sandbox.client.getBlockNumber()
    const again = await deploySandbox(sandbox.url)
    assert.deepEqual(again, sandbox.manifest)
    assert.equal(await sandbox.client.getBlockNumber(), before)
    assert.equal((await sandbox.client.getBlock({ blockTag: "pending" })).transactions.length, 0)
  })

  it("seeds two projects, a token and a payment", async () => {
    const read = { ...sandbox.contract("JBProjects"), functionName: "ownerOf" } as const
    assert.equal(await sandbox.client.readContract({ ...read, args: [1n] }), owner.address)
    assert.equal(await sandbox.client.readContract({ ...read, args: [DEMO] }), owner.address)
    const held = await sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "totalBalanceOf",
      args: [holder.address, DEMO]
    })
    assert.equal(held, parseEther("8000"))
  })

  it("makes the demo project's token a 45-byte minimal proxy that JBTokens vouches for", async () => {
    const token = sandbox.manifest.seeded.token
    const tokens = sandbox.contract("JBTokens")
    const { client } = sandbox
    const implementation = await client.readContract({ ...tokens, functionName: "TOKEN" })
    assert.equal(implementation.toLowerCase(), sandbox.at("JBERC20"))
    assert.equal(
      await client.getCode({ address: token }),
      `0x363d3d373d3d3d363d73${sandbox.at("JBERC20").slice(2)}5af43d82803e903d91602b57fd5bf3`
    )
    assert.equal(await client.readContract({ ...tokens, functionName: "projectIdOf", args: [token] }), DEMO)
    const linked = await client.readContract({ ...tokens, functionName: "tokenOf", args: [DEMO] })
    assert.equal(linked.toLowerCase(), token)
    const parent = await client.readContract({ address: token, abi, functionName: "tokens" })
    assert.equal(parent.toLowerCase(), sandbox.at("JBTokens"))
  })

  it("lets the forwarder act for the signer of the request", async () => {
    const receipt = await forwardPayment(sandbox)
    const [executed] = parseEventLogs({ abi, logs: receipt.logs, eventName: "ExecutedForwardRequest" })
    const [paid] = parseEventLogs({ abi, logs: receipt.logs, eventName: "Pay" })
    assert.deepEqual(executed?.args, { signer: holder.address, nonce: 0n, success: true })
    assert.equal(paid?.args.payer, holder.address)
    assert.equal(paid?.args.caller, holder.address)
  })
})

describe("deploySandbox", () => {
  it("refuses a chain whose first account has done something else", async () => {
    const used = await startAnvil()
    try {
      await rpc(used.url, "eth_sendTransactionSync", [{ from: owner.address, to: zeroAddress, value: "0x1" }])
      const failure = await deploySandbox(used.url).catch(String)
      assert.match(String(failure), /used for something else/)
    } finally {
      await used.stop()
    }
  })

  it("refuses a chain where an earlier step was another one than its own", async () => {
    const [ours, used] = await Promise.all([startSandbox(), startAnvil()])
    try {
      const { transactions } = await ours.client.getBlock({ blockNumber: 2n })
      const answer = await rpc(ours.url, "eth_getRawTransactionByHash", [transactions[0]])
      const raw = Object(await answer.json()).result
      await rpc(used.url, "eth_sendTransactionSync", [{ from: owner.address, to: zeroAddress, value: "0x1" }])
      await rpc(used.url, "eth_sendRawTransactionSync", [raw])
      assert.match(String(await deploySandbox(used.url).catch(String)), /holds other contracts/)
    } finally {
      await Promise.all([ours.stop(), used.stop()])
    }
  })

  it("goes on where an earlier call stopped", async () => {
    const chain = await startSandbox()
    try {
      const blocksToUndo = 9
      await rpc(chain.url, "anvil_rollback", [blocksToUndo])
      const left = await chain.client.getTransactionCount({ address: owner.address })
      assert.deepEqual(await deploySandbox(chain.url), chain.manifest)
      const done = await chain.client.getTransactionCount({ address: owner.address })
      assert.equal(done - left, blocksToUndo)
    } finally {
      await chain.stop()
    }
  })

  it("refuses another chain id", async () => {
    const other = await startAnvil({ args: ["--chain-id", "1"] })
    try {
      assert.match(String(await deploySandbox(other.url).catch(String)), /needs chain 31337/)
    } finally {
      await other.stop()
    }
  })
})

const rpc = (url: string, method: string, params: ReadonlyArray<unknown>) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })

const forwardPayment = async (sandbox: Sandbox) => {
  const value = parseEther("1")
  const { timestamp } = await sandbox.client.getBlock()
  const request = {
    from: holder.address,
    to: sandbox.at("JBMultiTerminal"),
    value,
    gas: 2_000_000n,
    deadline: Number(timestamp) + 3600,
    data: encodeFunctionData({
      abi,
      functionName: "pay",
      args: [DEMO, NATIVE_TOKEN, value, holder.address, 0n, "", "0x"]
    })
  }
  const signature = await holder.signTypedData({
    domain: {
      name: "Forwarder",
      version: "1",
      chainId: sandbox.manifest.chainId,
      verifyingContract: sandbox.at("ERC2771Forwarder")
    },
    types: FORWARD_REQUEST,
    primaryType: "ForwardRequest",
    message: { ...request, nonce: 0n }
  })
  return sandbox.mined(
    sandbox.client.writeContract({
      ...sandbox.contract("ERC2771Forwarder"),
      account: stranger,
      functionName: "execute",
      args: [{ ...request, signature }],
      value
    })
  )
}
