/** Suckers of a router, beyond what was recorded of them: what routers are paid, and what they deliver. */
import {
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  isHex,
  padHex,
  parseAbi,
  parseAbiParameters,
  parseEther,
  toFunctionSelector,
  zeroHash
} from "viem"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import Scripted from "../../sandbox/artifacts/Scripted.json" with { type: "json" }
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { TO_REMOTE_FEE, word } from "../../sandbox/families/suckers.ts"
import { quantity } from "../observed/play/Chain.ts"
import { revertOf } from "../observed/play/Declarations.ts"
import { named } from "../observed/play/Placed.ts"
import { REMOTE, ROUTER } from "../observed/play/start/Bridges.ts"
import { startWorld } from "../observed/play/World.ts"
import { scriptedAbi } from "./support/Scripted.ts"

const routedAbi = parseAbi([
  "struct Amount { address token; uint256 amount; }",
  "struct Delivered { bytes32 messageId; uint64 sourceChainSelector; bytes sender; bytes data; Amount[] destTokenAmounts; }",
  "struct Root { uint64 nonce; bytes32 root; }",
  "function allSuckersOf(uint256 projectId) view returns (address[] suckers)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function balanceOf(address holder) view returns (uint256)",
  "function ccipReceive(Delivered any2EvmMessage)",
  "function claimRetainedTransportPaymentRefund(address beneficiary)",
  "function deposit() payable",
  "function inboxOf(address token) view returns (Root)",
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256 beneficiaryTokenCount)",
  "function peerChainTotalSupplyOf(uint256 chainId) view returns (uint256)",
  "function prepare(uint256 projectTokenCount, bytes32 beneficiary, uint256 minTokensReclaimed, address token, bytes32 metadata)",
  "function retainedTransportPaymentRefundOf(address account) view returns (uint256 amount)",
  "function amountToAddToBalanceOf(address token) view returns (uint256)",
  "function syncAccountingData() payable",
  "function toRemote(address token) payable",
  "function tokenOf(uint256 projectId) view returns (address)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function getFee(uint64 selector, (bytes receiver, bytes data, Amount[] tokenAmounts, address feeToken, bytes extraArgs) message) view returns (uint256)",
  "function ccipSend(uint64 selector, (bytes receiver, bytes data, Amount[] tokenAmounts, address feeToken, bytes extraArgs) message) payable returns (bytes32)",
  "function getWrappedNative() view returns (address)"
])

const ACCOUNTS =
  "(uint256 chainId, uint256 totalSupply, (bytes32 token, uint8 decimals, uint128 surplus, uint128 balance)[] contexts, uint256 timestamp)[] accounts"
const rootParameters = parseAbiParameters(
  `(uint8 version, bytes32 token, uint256 amount, (uint64 nonce, bytes32 root) remoteRoot, ${ACCOUNTS}) root`
)
const accountsParameters = parseAbiParameters(`(uint8 version, ${ACCOUNTS}) snapshot`)
const typedParameters = parseAbiParameters("uint8 kind, bytes payload")

const SENDER = named("account4")
const PAYMENT = parseEther("1")
const ROUTER_FEE = 7n
const TOKENS = parseEther("100")
const CHAIN_ID = 10n
const WRAPPED = named("WETH")
const PLAIN = { gas: quantity(100_000_000), gasPrice: "0x0" }

let sucker: Address

const hex = (value: unknown): Hex => (isHex(value) ? value : "0x")

interface Told {
  readonly to: Address
  readonly data: Hex
  readonly value?: bigint
  readonly from?: Address
}

const told = ({ to, data, value = 0n, from = SENDER }: Told) => ({
  from,
  to,
  data,
  value: quantity(value),
  ...PLAIN
})

/** What it reverts with; nothing where it succeeds. */
const refusal = async (call: Told) => {
  const [answer] = await world.chain.tried([{ method: "eth_call", params: [told(call), "latest"] }])
  return answer?.error === undefined ? undefined : revertOf(hex(answer.error.data))
}

const sent = async (call: Told): Promise<void> => {
  const before = await refusal(call)
  assert.isUndefined(before, JSON.stringify(before))
  await world.chain.asked([
    { method: "eth_sendTransaction", params: [told(call)] },
    { method: "evm_mine", params: [] }
  ])
}

const client = () => createPublicClient({ transport: http(world.chain.url), cacheTime: 0 })
const at = (address: Address) => ({ address, abi: routedAbi })
const number = (to: Address, functionName: "balanceOf" | "retainedTransportPaymentRefundOf", who: Address) =>
  client().readContract({ ...at(to), functionName, args: [who] })

const reply = (signature: "getFee" | "ccipSend" | "getWrappedNative", data: Hex): Promise<void> => {
  const entry = routedAbi.find(each => "name" in each && each.name === signature)
  if (entry?.type !== "function") throw new Error(`no ${signature}`)
  const args = [toFunctionSelector(entry), false, data, []] as const
  return sent({
    to: ROUTER,
    data: encodeFunctionData({ abi: scriptedAbi, functionName: "scriptReply", args })
  })
}

/** A router that asks for seven wei, knows wrapped ether and keeps what it is sent. */
const pricedRouter = async (): Promise<void> => {
  await world.chain.asked([{ method: "anvil_setCode", params: [ROUTER, Scripted.deployedBytecode] }])
  await reply("getFee", padHex(quantity(ROUTER_FEE), { size: 32 }))
  await reply("getWrappedNative", word(WRAPPED))
  await reply("ccipSend", zeroHash)
}

const SYNC = encodeFunctionData({ abi: routedAbi, functionName: "syncAccountingData" })
const TO_REMOTE = encodeFunctionData({ abi: routedAbi, functionName: "toRemote", args: [NATIVE_TOKEN] })

const inOutbox = async (): Promise<void> => {
  const pay = [1n, NATIVE_TOKEN, PAYMENT, SENDER, 0n, "", "0x"] as const
  await sent({
    to: named("JBMultiTerminal"),
    data: encodeFunctionData({ abi: routedAbi, functionName: "pay", args: pay }),
    value: PAYMENT
  })
  const token = await client().readContract({ ...at(named("JBTokens")), functionName: "tokenOf", args: [1n] })
  await sent({
    to: token,
    data: encodeFunctionData({ abi: routedAbi, functionName: "approve", args: [sucker, TOKENS] })
  })
  const prepare = [TOKENS, word(SENDER), 0n, NATIVE_TOKEN, zeroHash] as const
  await sent({
    to: sucker,
    data: encodeFunctionData({ abi: routedAbi, functionName: "prepare", args: prepare })
  })
}

interface Delivery {
  readonly kind: number
  readonly payload: Hex
  readonly amounts?: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>
  readonly selector?: bigint
  readonly origin?: Address
  readonly from?: Address
}

const delivery = ({
  kind,
  payload,
  amounts = [],
  selector = REMOTE.OP[1],
  origin = sucker,
  from = ROUTER
}: Delivery): Told => ({
  to: sucker,
  from,
  data: encodeFunctionData({
    abi: routedAbi,
    functionName: "ccipReceive",
    args: [
      {
        messageId: zeroHash,
        sourceChainSelector: selector,
        sender: word(origin),
        data: encodeAbiParameters(typedParameters, [kind, payload]),
        destTokenAmounts: amounts
      }
    ]
  })
})

const accounts = [{ chainId: CHAIN_ID, totalSupply: 5n, contexts: [], timestamp: 1n }]
const snapshot = encodeAbiParameters(accountsParameters, [{ version: 1, accounts }])
const ROOT = padHex("0x11", { size: 32 })

const rootOf = (amount: bigint): Hex =>
  encodeAbiParameters(rootParameters, [
    { version: 1, token: word(NATIVE_TOKEN), amount, remoteRoot: { nonce: 1n, root: ROOT }, accounts: [] }
  ])

const errorOf = async (call: Told) => (await refusal(call))?.error?.split("(")[0]

const world = await startWorld()

beforeEach(async () => {
  await world.again()
  const all = await client().readContract({
    ...at(named("JBSuckerRegistry")),
    functionName: "allSuckersOf",
    args: [1n]
  })
  sucker = all[2] ?? assert.fail("no third sucker")
})
afterAll(() => world.stop())

describe("the sandbox's suckers of a router", () => {
  it("are paid with a single wei where the router asks for nothing, and in LINK with none", async () => {
    assert.isUndefined(await refusal({ to: sucker, data: SYNC, value: 1n }))
    assert.strictEqual(await errorOf({ to: sucker, data: SYNC }), "SafeERC20FailedOperation")
  })

  it("pay the router what it asks for, and give the rest back", async () => {
    await pricedRouter()
    assert.deepEqual(await refusal({ to: sucker, data: SYNC, value: ROUTER_FEE - 1n }), {
      error: "JBSucker_InsufficientMsgValue(uint256,uint256)",
      args: ["6", "7"]
    })
    const before = await client().getBalance({ address: SENDER })
    await sent({ to: sucker, data: SYNC, value: ROUTER_FEE + 3n })
    assert.equal(await client().getBalance({ address: ROUTER }), ROUTER_FEE)
    assert.equal(before - (await client().getBalance({ address: SENDER })), ROUTER_FEE)
  })

  it("send a root with its ether wrapped", async () => {
    await pricedRouter()
    await inOutbox()
    const backing = await client().getBalance({ address: sucker })
    assert.isAbove(Number(backing), 0)
    await sent({ to: sucker, data: TO_REMOTE, value: TO_REMOTE_FEE + ROUTER_FEE })
    assert.equal(await client().getBalance({ address: sucker }), 0n)
    assert.equal(await number(WRAPPED, "balanceOf", sucker), backing)
    const allowed = { ...at(WRAPPED), functionName: "allowance", args: [sucker, ROUTER] } as const
    assert.equal(await client().readContract(allowed), backing)
  })

  it("keep a refund that its sender does not take until that claims it for another", async () => {
    await pricedRouter()
    await world.chain.asked([{ method: "anvil_setCode", params: [SENDER, "0x5f5ffd"] }])
    await sent({ to: sucker, data: SYNC, value: ROUTER_FEE + 3n })
    assert.equal(await number(sucker, "retainedTransportPaymentRefundOf", SENDER), 3n)
    const spare = { ...at(sucker), functionName: "amountToAddToBalanceOf", args: [NATIVE_TOKEN] } as const
    assert.equal(await client().readContract(spare), 0n)
    const claimFor = (beneficiary: Address) => ({
      to: sucker,
      data: encodeFunctionData({
        abi: routedAbi,
        functionName: "claimRetainedTransportPaymentRefund",
        args: [beneficiary]
      })
    })
    assert.strictEqual(await errorOf(claimFor(SENDER)), "JBSucker_RefundFailed")
    const other = named("account7")
    const before = await client().getBalance({ address: other })
    await sent(claimFor(other))
    assert.equal((await client().getBalance({ address: other })) - before, 3n)
    assert.strictEqual(await errorOf(claimFor(other)), "JBSucker_NoRetainedTransportPaymentRefund")
  })

  it("hear of what routers deliver what their peer says", async () => {
    const good = { kind: 1, payload: snapshot }
    assert.strictEqual(await errorOf(delivery({ ...good, from: SENDER })), "JBSucker_NotPeer")
    assert.strictEqual(await errorOf(delivery({ ...good, origin: SENDER })), "JBSucker_NotPeer")
    assert.strictEqual(await errorOf(delivery({ ...good, selector: REMOTE.ETH[1] })), "JBSucker_NotPeer")
    assert.strictEqual(await errorOf(delivery({ ...good, kind: 2 })), "JBCCIPSucker_UnknownMessageType")
    await sent(delivery(good))
    const supply = { ...at(sucker), functionName: "peerChainTotalSupplyOf", args: [CHAIN_ID] } as const
    assert.equal(await client().readContract(supply), 5n)
  })

  it("unwrap what backs a root, of which nothing may be missing", async () => {
    await pricedRouter()
    const amounts = [{ token: WRAPPED, amount: 9n }]
    const good = { kind: 0, payload: rootOf(9n), amounts }
    const undelivered = delivery({ ...good, amounts: [] })
    assert.strictEqual(await errorOf(undelivered), "JBCCIPSucker_PositiveRootWithoutDelivery")
    const less = delivery({ ...good, payload: rootOf(10n) })
    assert.strictEqual(await errorOf(less), "JBCCIPSucker_UnderDeliveredAmount")
    const other = delivery({ ...good, amounts: [{ token: named("USDC"), amount: 9n }] })
    assert.strictEqual(await errorOf(other), "JBCCIPSucker_WrongDeliveredToken")
    const twice = delivery({ ...good, amounts: [...amounts, ...amounts] })
    assert.strictEqual(await errorOf(twice), "JBCCIPSucker_UnexpectedDeliveredTokens")
    const deposit = encodeFunctionData({ abi: routedAbi, functionName: "deposit" })
    await sent({ to: WRAPPED, data: deposit, value: 9n })
    const transfer = { abi: routedAbi, functionName: "transfer", args: [sucker, 9n] } as const
    await sent({ to: WRAPPED, data: encodeFunctionData(transfer) })
    await sent(delivery(good))
    assert.equal(await client().getBalance({ address: sucker }), 9n)
    const inbox = { ...at(sucker), functionName: "inboxOf", args: [NATIVE_TOKEN] } as const
    assert.deepEqual(await client().readContract(inbox), { nonce: 1n, root: ROOT })
  })
})
