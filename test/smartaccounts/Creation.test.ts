/** How wallets are created, against the published values, another library and the real factory. */
import { AbiCoder, concat, getCreate2Address, keccak256 as keccakByEthers, toBeHex } from "ethers"
import { keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import stack from "../../schema/execution/stack.json" with { type: "json" }
import { creationCalldata, walletInitializer } from "../../src/smartaccounts/Creation.ts"
import { proxyInitCodeHash, walletAddress } from "../../src/smartaccounts/WalletAddress.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { published } from "./support/Vectors.ts"
import { contracts, createWallet, ENTRY_POINT, factoryAbi, safeAbi, walletOwners } from "./support/Wallets.ts"

const { factory, singleton, proxyInitCodeHash: initCodeHash } = published.contracts

describe.each(published.creation.vectors)("the published wallet $name", vector => {
  const { adapterDialect, owners, threshold, validators, saltNonce } = vector

  it("has its initializer, whatever the order of the owners", () => {
    for (const given of [owners, [...owners].reverse()])
      assert.equal(
        walletInitializer({ ...contracts, adapterDialect }, { owners: given, threshold }, validators),
        vector.initializer
      )
    assert.equal(keccak256(vector.initializer), vector.initializerHash)
  })

  it("has its address, as another library says too", () => {
    const address = walletAddress(factory, initCodeHash, vector.initializer, BigInt(saltNonce))
    const salt = keccakByEthers(concat([keccakByEthers(vector.initializer), toBeHex(saltNonce, 32)]))
    assert.equal(address, vector.address)
    assert.equal(salt, vector.salt)
    assert.equal(address, getCreate2Address(factory, salt, initCodeHash))
  })

  it("is created by its calldata", () => {
    const calldata = creationCalldata(singleton, vector.initializer, BigInt(saltNonce))
    const coded = AbiCoder.defaultAbiCoder().encode(
      ["address", "bytes", "uint256"],
      [singleton, vector.initializer, saltNonce]
    )
    assert.equal(calldata, vector.calldata)
    assert.equal(calldata, `0x1688f0b9${coded.slice(2)}`)
  })
})

describe("on the real contracts", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  it("the factory's proxy has the published hash", async () => {
    const code = await sandbox.client.readContract({
      address: contracts.factory,
      abi: factoryAbi,
      functionName: "proxyCreationCode"
    })
    assert.equal(proxyInitCodeHash(code, contracts.singleton), initCodeHash)
    assert.deepInclude(published.contracts, {
      singleton: contracts.singleton,
      factory: contracts.factory,
      adapter: contracts.adapter,
      launchpad: contracts.launchpad,
      entryPoint: ENTRY_POINT
    })
  })

  it("a wallet stands at its address, with its owners, its threshold and the pinned code", async () => {
    const { address } = await createWallet(sandbox, { saltNonce: 2n ** 256n - 1n, validators: [] })
    assert.equal(address, published.creation.vectors.find(({ name }) => name === "no-validator")?.address)
    const read = { address, abi: safeAbi }
    const owners = await sandbox.client.readContract({ ...read, functionName: "getOwners" })
    assert.sameMembers<string>(
      [...owners],
      walletOwners.map(owner => owner.address)
    )
    assert.equal(await sandbox.client.readContract({ ...read, functionName: "getThreshold" }), 2n)
    const code = await sandbox.client.getCode({ address })
    assert.equal(keccak256(code ?? "0x"), stack.proxyRuntimeCodeHash)
  })
})
