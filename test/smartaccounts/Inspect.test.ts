/** The inspection of real wallets, each check of which is made to fail. */
import { Either } from "effect"
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  padHex,
  toHex
} from "viem"
import { privateKeyToAddress } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import stack from "../../schema/execution/stack.json" with { type: "json" }
import type { SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { stateHash } from "../../src/smartaccounts/StateHash.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { rpc } from "../support/Rpc.ts"
import {
  changed,
  controlAbi,
  faultOf,
  inspected,
  manifest,
  ownersDo,
  withCode,
  YES
} from "./support/Inspections.ts"
import { contracts, createWallet, ENTRY_POINT, GUARD, type Wallet, walletOwners } from "./support/Wallets.ts"

const OTHER = checksummed("0x00000000000000000000000000000000000000f1")
const SENTINEL: Address = "0x0000000000000000000000000000000000000001"

let sandbox: Sandbox
let salt = 0n

beforeAll(async () => {
  sandbox = await startSandbox()
  await rpc(sandbox.url, "anvil_setCode", [OTHER, YES])
})
afterAll(() => sandbox.stop())

const created = (threshold = 2): Promise<Wallet> => createWallet(sandbox, { threshold, saltNonce: ++salt })

const control = {
  enableModule: encodeFunctionData({ abi: controlAbi, functionName: "enableModule", args: [OTHER] }),
  setFallbackHandler: encodeFunctionData({
    abi: controlAbi,
    functionName: "setFallbackHandler",
    args: [OTHER]
  }),
  setGuard: encodeFunctionData({ abi: controlAbi, functionName: "setGuard", args: [OTHER] })
}

const install = (moduleType: bigint, initData: Hex = "0x") =>
  encodeFunctionData({ abi: controlAbi, functionName: "installModule", args: [moduleType, OTHER, initData] })

const VALIDATOR = 1n
const EXECUTOR = 2n
const HOOK = 4n

const hookData = encodeAbiParameters(
  [{ type: "uint8" }, { type: "bytes4" }, { type: "bytes" }],
  [0, "0x00000000", "0x"]
)

describe("a wallet of owners", () => {
  it("is told with its owners, its code and its block", async () => {
    const { address, threshold } = await created()
    const found = Either.getOrThrow(await inspected(sandbox, address))
    const { number, hash } = await sandbox.client.getBlock()
    const { state, evidence, safeNonce, codeHashes, session } = found
    assert.deepEqual(state, {
      chainId: 31_337,
      address,
      manifestId: manifest.id,
      manifestRevision: manifest.revision,
      singleton: contracts.singleton,
      adapter: contracts.adapter,
      entryPoint: ENTRY_POINT,
      fallbackHandler: contracts.adapter,
      transactionGuard: ZERO_ADDRESS,
      hook: ZERO_ADDRESS,
      owners: walletOwners.map(owner => owner.address),
      threshold,
      safeModules: [contracts.adapter],
      validators: [GUARD],
      executors: []
    })
    assert.deepEqual(session, {
      installed: true,
      enableNonce: "0",
      epoch: "0",
      history: `0x${"00".repeat(32)}`,
      live: null
    })
    assert.deepInclude(evidence, { blockNumber: String(number), blockHash: hash })
    assert.equal(safeNonce, "0")
    assert.lengthOf(codeHashes, Object.keys(stack.pins).length + stack.paymasters.length)
  })

  it("has another state after its owners changed it, and is still one", async () => {
    const wallet = await created()
    const before = Either.getOrThrow(await inspected(sandbox, wallet.address))
    const [owner = OTHER] = before.state.owners
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "removeOwner",
      args: [SENTINEL, owner, 1n]
    })
    await ownersDo(sandbox, wallet, data)
    const after = Either.getOrThrow(await inspected(sandbox, wallet.address))
    assert.deepEqual([after.state.threshold, after.state.owners.length, after.safeNonce], [1, 2, "1"])
    assert.notEqual(stateHash(after.state), stateHash(before.state))
  })
})

describe("an inspection ends with", () => {
  it("chain where the manifest's is not served", async () => {
    const { address } = await created()
    assert.equal(await faultOf(sandbox, address, changed({ chainId: 1 })), "chain")
  })

  it("account-code where there is other code, and by a word of its own where there is none", async () => {
    assert.equal(await faultOf(sandbox, walletOwners[0]?.address ?? OTHER), "SMART_ACCOUNT_UNDEPLOYED")
    assert.equal(await faultOf(sandbox, OTHER), "account-code")
  })

  it.each([...Object.keys(stack.pins), "paymaster-0"])("pin:%s where it has other code", async name => {
    const { address } = await created()
    const pins = new Map<string, string>([
      ...Object.entries(stack.pins).map(([pin, { address }]) => [pin, address] as const),
      ...stack.paymasters.map(({ address }, index) => [`paymaster-${index}`, address] as const)
    ])
    const fault = () => faultOf(sandbox, address)
    assert.equal(await withCode(sandbox, addressOf(pins.get(name)), "0x00", fault), `pin:${name}`)
    assert.equal(await fault(), "none")
  })

  it("singleton where the proxy has another", async () => {
    const { address } = await created()
    await stored(address, toHex(0, { size: 32 }), OTHER)
    assert.equal(await faultOf(sandbox, address), "singleton")
  })

  it("version where the pinned singleton says another", async () => {
    const { address } = await created()
    const { singleton } = manifest.pins
    const code = await sandbox.client.getCode({ address: singleton.address })
    const older = toHex("1.3.0").slice(2)
    const patched: Hex = `0x${code?.slice(2).replaceAll(toHex("1.4.1").slice(2), older)}`
    const fault = await withCode(sandbox, singleton.address, patched, runtimeCodeHash =>
      faultOf(sandbox, address, pinning({ singleton: { ...singleton, runtimeCodeHash } }))
    )
    assert.equal(fault, "version")
  })

  it("fallback-handler where it is not the adapter", async () => {
    const wallet = await created()
    await ownersDo(sandbox, wallet, control.setFallbackHandler)
    assert.equal(await faultOf(sandbox, wallet.address), "fallback-handler")
  })

  it("transaction-guard where there is one", async () => {
    const wallet = await created()
    await ownersDo(sandbox, wallet, control.setGuard)
    assert.equal(await faultOf(sandbox, wallet.address), "transaction-guard")
  })

  it("owners where there are more than 16", async () => {
    const wallet = await created()
    for (let number = 4; number <= 17; number++) {
      assert.equal(await faultOf(sandbox, wallet.address), "none", String(number))
      const owner = privateKeyToAddress(toHex(number, { size: 32 }))
      const args = [owner, 2n] as const
      await ownersDo(
        sandbox,
        wallet,
        encodeFunctionData({ abi: controlAbi, functionName: "addOwnerWithThreshold", args })
      )
    }
    assert.equal(await faultOf(sandbox, wallet.address), "owners")
  })

  it("threshold where nobody or more than all would have to sign", async () => {
    const { address } = await created()
    for (const [threshold, fault] of [
      [0n, "threshold"],
      [4n, "threshold"],
      [3n, "none"]
    ] as const) {
      await stored(address, toHex(4, { size: 32 }), toHex(threshold))
      assert.equal(await faultOf(sandbox, address), fault)
    }
  })

  it("contract-owner where an owner has code that the manifest does not know", async () => {
    const { address } = await created()
    const [, { address: owner } = assert.fail()] = walletOwners
    const known = (runtimeCodeHash: Hex) =>
      changed({ contractOwners: [{ address: owner, runtimeCodeHash, source: "a passkey" }] })
    const faults = await withCode(sandbox, owner, YES, async hash => [
      await faultOf(sandbox, address),
      await faultOf(sandbox, address, known(`0x${"ab".repeat(32)}`)),
      await faultOf(sandbox, address, known(hash))
    ])
    assert.deepEqual(faults, ["contract-owner", "contract-owner", "none"])
  })

  it("safe-modules where there is another", async () => {
    const wallet = await created()
    await ownersDo(sandbox, wallet, control.enableModule)
    assert.equal(await faultOf(sandbox, wallet.address), "safe-modules")
  })

  it.each([
    ["validators", VALIDATOR, "0x"],
    ["executors", EXECUTOR, "0x"],
    ["hook", HOOK, hookData]
  ] as const)("%s where one is installed", async (check, moduleType, initData) => {
    const wallet = await created()
    assert.equal(await faultOf(sandbox, wallet.address), "none")
    await ownersDo(sandbox, wallet, install(moduleType, initData))
    assert.equal(await faultOf(sandbox, wallet.address), check)
  })

  it("entry-point where the adapter serves another than the pinned one", async () => {
    const { address } = await created()
    const entryPoint = { address: OTHER, runtimeCodeHash: keccak256(YES), source: "another" }
    assert.equal(await faultOf(sandbox, address, pinning({ entryPoint })), "entry-point")
  })

  it("nonce-layout where the pinned entry point counts in another", async () => {
    const { address } = await created()
    const { entryPoint } = manifest.pins
    const fault = await withCode(sandbox, ENTRY_POINT, MOST, runtimeCodeHash =>
      faultOf(sandbox, address, pinning({ entryPoint: { ...entryPoint, runtimeCodeHash } }))
    )
    assert.equal(fault, "nonce-layout")
  })

  it("session where the pinned guard does not tell of one", async () => {
    const { address } = await created()
    const { guard = assert.fail("no guard") } = manifest.pins
    const fault = await withCode(sandbox, GUARD, YES, runtimeCodeHash =>
      faultOf(sandbox, address, pinning({ guard: { ...guard, runtimeCodeHash } }))
    )
    assert.equal(fault, "session")
  })
})

/** Answers everything with the largest word. */
const MOST: Hex = "0x60001960005260206000f3"

const addressOf = (text = ""): Address => checksummed(text.toLowerCase())

const pinning = (pins: Partial<SmartManifest["pins"]>) => changed({ pins: { ...manifest.pins, ...pins } })

const stored = (address: Address, slot: Hex, value: Hex) =>
  rpc(sandbox.url, "anvil_setStorageAt", [address, slot, padHex(value, { size: 32 })])
