/** Handlers that let anyone act as a wallet, installed in every way there is: no wallet that ever had one is supported. */
import { encodeAbiParameters, encodeFunctionData, type Hex, padHex, parseAbi, toFunctionSelector } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { manifestChecks } from "../../src/cli/OperationChecks.ts"
import { rpcAt } from "../../src/cli/Rpc.ts"
import { creationCalldata } from "../../src/smartaccounts/Creation.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { type Sandbox, startSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { type ProxyFault, startRecordingProxy } from "../support/RecordingProxy.ts"
import { rpc } from "../support/Rpc.ts"
import { controlAbi, faultOf, manifest, ownersDo } from "./support/Inspections.ts"
import { contracts, createWallet, type Wallet, walletOwners } from "./support/Wallets.ts"

const HANDLER = checksummed("0x00000000000000000000000000000000000000f2")
/** Keeps who called it. */
const KEEPS_CALLER: Hex = "0x335f5500"
const SELECTOR = toFunctionSelector("transfer(address,uint256)")
const FALLBACK = 3n
const SELECTOR_HOOK = 4n

const CALL_TYPES = { call: "0x00", "static call": "0xfe", "delegate call": "0xff" } as const

const handlerData = (callType: Hex) =>
  encodeAbiParameters([{ type: "bytes4" }, { type: "bytes1" }, { type: "bytes" }], [SELECTOR, callType, "0x"])

const hookData = encodeAbiParameters(
  [{ type: "uint8" }, { type: "bytes4" }, { type: "bytes" }],
  [1, SELECTOR, "0x"]
)

const moduleCall = (functionName: "installModule" | "uninstallModule", kind: bigint, data: Hex) =>
  encodeFunctionData({
    abi: parseAbi([
      "function installModule(uint256 kind, address module, bytes data)",
      "function uninstallModule(uint256 kind, address module, bytes data)"
    ]),
    functionName,
    args: [kind, HANDLER, data]
  })

const creationAbi = parseAbi([
  "struct Module { address module; bytes initData; }",
  "struct Registry { address registry; address[] attesters; uint8 threshold; }",
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function addSafe7579(address adapter, Module[] validators, Module[] executors, Module[] fallbacks, Module[] hooks, address[] attesters, uint8 threshold)",
  "function initializeAccount(Module[] validators, Module[] executors, Module[] fallbacks, Module[] hooks, Registry registry)"
])

const evil = { module: HANDLER, initData: handlerData(CALL_TYPES.call) }

let sandbox: Sandbox
let salt = 10_000n

beforeAll(async () => {
  sandbox = await startSandbox()
  await rpc(sandbox.url, "anvil_setCode", [HANDLER, KEEPS_CALLER])
})
afterAll(() => sandbox.stop())

/** Set up by this delegate call of its own. */
const setUpBy = async (to: Hex, data: Hex): Promise<Wallet> => {
  const owners = walletOwners.map(({ address }) => address)
  const initializer = encodeFunctionData({
    abi: creationAbi,
    functionName: "setup",
    args: [owners, 2n, to, data, contracts.adapter, ZERO_ADDRESS, 0n, ZERO_ADDRESS]
  })
  const { logs } = await sandbox.mined(
    sandbox.client.sendTransaction({
      account: stranger,
      to: contracts.factory,
      data: creationCalldata(contracts.singleton, initializer, ++salt)
    })
  )
  const [{ address } = assert.fail("no wallet")] = logs
  return { address: checksummed(address.toLowerCase()), threshold: 2 }
}

describe("a wallet is not supported", () => {
  it("on which owners installed a handler, by which a stranger acts as the wallet", async () => {
    const wallet = await createWallet(sandbox, { saltNonce: ++salt })
    assert.equal(await faultOf(sandbox, wallet.address), "none")
    await ownersDo(sandbox, wallet, moduleCall("installModule", FALLBACK, handlerData(CALL_TYPES.call)))
    const data = encodeFunctionData({
      abi: parseAbi(["function transfer(address to, uint256 amount)"]),
      args: [HANDLER, 1n]
    })
    await sandbox.mined(sandbox.client.sendTransaction({ account: stranger, to: wallet.address, data }))
    const caller = await sandbox.client.getStorageAt({ address: HANDLER, slot: "0x0" })
    assert.equal(caller, padHex(wallet.address, { size: 32 }).toLowerCase())
    assert.equal(await faultOf(sandbox, wallet.address), "fallback-modules")
  })

  it.each(Object.entries(CALL_TYPES))(
    "that had one by %s, even after it was taken away",
    async (_, callType) => {
      const wallet = await createWallet(sandbox, { saltNonce: ++salt })
      await ownersDo(sandbox, wallet, moduleCall("installModule", FALLBACK, handlerData(callType)))
      assert.equal(await faultOf(sandbox, wallet.address), "fallback-modules")
      const taken = encodeAbiParameters([{ type: "bytes4" }, { type: "bytes" }], [SELECTOR, "0x"])
      await ownersDo(sandbox, wallet, moduleCall("uninstallModule", FALLBACK, taken))
      assert.equal(await faultOf(sandbox, wallet.address), "fallback-modules")
    }
  )

  it("that was created with one", async () => {
    const data = encodeFunctionData({
      abi: creationAbi,
      functionName: "addSafe7579",
      args: [contracts.adapter, [], [], [evil], [], [], 0]
    })
    const { address } = await setUpBy(contracts.launchpad, data)
    assert.equal(await faultOf(sandbox, address), "fallback-modules")
  })

  it("that got one with the adapter, long after it was created", async () => {
    const wallet = await setUpBy(ZERO_ADDRESS, "0x")
    const { adapter } = contracts
    await ownersDo(
      sandbox,
      wallet,
      encodeFunctionData({ abi: controlAbi, functionName: "enableModule", args: [adapter] })
    )
    const none = { registry: ZERO_ADDRESS, attesters: [], threshold: 0 }
    await ownersDo(
      sandbox,
      wallet,
      encodeFunctionData({
        abi: creationAbi,
        functionName: "initializeAccount",
        args: [[], [], [evil], [], none]
      })
    )
    assert.equal(await faultOf(sandbox, wallet.address), "fallback-modules")
  })

  it("that has a hook for one function alone, which the adapter only tells by that function", async () => {
    const wallet = await createWallet(sandbox, { saltNonce: ++salt })
    await ownersDo(sandbox, wallet, moduleCall("installModule", SELECTOR_HOOK, hookData))
    assert.equal(await faultOf(sandbox, wallet.address), "fallback-modules")
  })
})

describe("a wallet whose history is not told", () => {
  it.each<[string, ProxyFault["act"], string]>([
    [
      "is not judged: the node refuses the range",
      { kind: "error", code: -32_000, message: "too many blocks" },
      "RPC_UNAVAILABLE"
    ],
    [
      "is not judged: the node answers what cannot be read",
      { kind: "result", result: [{}] },
      "RPC_INVALID_RESPONSE"
    ],
    [
      "is not supported: the node has no logs of its creation",
      { kind: "result", result: [] },
      "fallback-modules"
    ]
  ])("%s", async (_, act, fault) => {
    const { address } = await createWallet(sandbox, { saltNonce: ++salt })
    const proxy = await startRecordingProxy({ upstream: sandbox.url })
    try {
      assert.equal(await faultOf({ ...sandbox, url: proxy.url }, address), "none")
      proxy.fault({ method: "eth_getLogs", phase: "after", times: 1_000, act })
      assert.equal(await faultOf({ ...sandbox, url: proxy.url }, address), fault)
    } finally {
      await proxy.stop()
    }
  })

  it("is found by doctor, which says of a node that it tells no history", async () => {
    const proxy = await startRecordingProxy({ upstream: sandbox.url })
    const said = async () => {
      const checks = await manifestChecks(rpcAt(proxy.url), [manifest])
      return checks.find(({ name }) => name === "wallets' history")
    }
    try {
      assert.deepInclude(await said(), { verdict: "ok" })
      const act = { kind: "error", code: -32_005, message: "range too large" } as const
      proxy.fault({ method: "eth_getLogs", phase: "before", act })
      const { verdict, detail } = (await said()) ?? assert.fail("not looked at")
      assert.equal(verdict, "failed")
      assert.include(detail, "-32005 range too large")
    } finally {
      await proxy.stop()
    }
  })
})
