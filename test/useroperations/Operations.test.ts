/** Operations and their hashes, against the published values, two libraries, the entry point and the wallet's adapter. */
import { Schema } from "effect"
import { AbiCoder, concat, TypedDataEncoder, toBeHex } from "ethers"
import fc from "fast-check"
import { createPublicClient, type Hex, hashTypedData, http, keccak256, parseAbi, type TypedData } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { operationHash, packedOperation } from "../../src/values/PackedOperation.ts"
import { safeOperationDigest, safeOperationTypedData } from "../../src/values/SafeOperation.ts"
import { UserOperation } from "../../src/values/UserOperation.ts"
import { executionCalldata, MAXIMUM_WALLET_CALLS } from "../../src/values/WalletExecution.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { published } from "../smartaccounts/support/Vectors.ts"
import { contracts, createWallet, ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { address, byEthers, bytes, byViem, operations, place } from "./support/RandomOperations.ts"

const packedAbi = [
  "struct Packed { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function getUserOpHash(Packed operation) view returns (bytes32)",
  "function getSafeOp(Packed operation, address entryPoint) view returns (bytes operationData, uint48 validAfter, uint48 validUntil, bytes signatures)"
] as const

const abi = parseAbi(packedAbi)

const operationOf = Schema.decodeUnknownSync(UserOperation)

describe.each(published.operation.vectors)("the published operation $name", vector => {
  const operation = operationOf(vector.operation)
  const { validAfter, validUntil, digest } = vector.owners
  const adapted = { ...place, operation, adapter: contracts.adapter, validAfter, validUntil }

  it("is packed and hashed as published", () => {
    const { accountGasLimits, gasFees, paymasterAndData } = packedOperation(operation)
    assert.deepEqual(
      { accountGasLimits, gasFees, paymasterAndData: paymasterAndData.toLowerCase() },
      { ...vector.packed, paymasterAndData: vector.packed.paymasterAndData.toLowerCase() }
    )
    assert.equal(operationHash(operation, place), vector.hash)
  })

  it("is signed by owners as published", () => {
    assert.equal(safeOperationDigest(adapted), digest)
    assert.deepEqual(safeOperationTypedData(adapted).types.SafeOp, published.operation.types.SafeOp)
  })
})

describe("an operation's members", () => {
  const [{ operation } = assert.fail("no vectors"), { operation: paid } = assert.fail("no vectors")] =
    published.operation.vectors

  it.each([
    ["a quantity with a leading zero", { nonce: "0x05" }],
    ["upper case", { callGasLimit: "0xA" }],
    ["a decimal", { nonce: "5" }],
    ["nothing", { nonce: "0x" }],
    ["129 bits", { callGasLimit: `0x1${"0".repeat(32)}` }],
    ["257 bits", { nonce: `0x1${"0".repeat(64)}` }],
    ["half a byte", { callData: "0x1" }],
    ["a factory", { factory: operation.sender, factoryData: "0x" }],
    ["a paymaster alone", { paymaster: operation.sender }]
  ])("are refused: %s", (_, change) => {
    assert.throws(() => operationOf({ ...operation, ...change }))
  })

  it("are all there of a paymaster", () => {
    assert.doesNotThrow(() => operationOf(paid))
    for (const name of [
      "paymaster",
      "paymasterVerificationGasLimit",
      "paymasterPostOpGasLimit",
      "paymasterData"
    ])
      assert.throws(() => operationOf({ ...paid, [name]: undefined }), name)
  })

  it("are never hashed beyond their width", () => {
    const wide = { ...operation, callGasLimit: `0x1${"0".repeat(32)}` } as const
    assert.throws(() => operationHash(wide, place), RangeError)
  })
})

describe("of random operations", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const reader = () => createPublicClient({ transport: http(sandbox.url, { batch: { batchSize: 100 } }) })

  it("the hash is of one chain and one entry point", () => {
    fc.assert(
      fc.property(operations, fc.integer({ min: 1 }), address, (operation, chain, entryPoint) => {
        const elsewhere = { chainId: chain, entryPoint }
        const hash = operationHash(operation, elsewhere)
        assert.deepEqual([byViem(operation, elsewhere), byEthers(operation, elsewhere)], [hash, hash])
      })
    )
  })

  it("what owners sign is what the wallet's adapter checks, and what two libraries hash", async () => {
    const client = reader()
    const wallet = await createWallet(sandbox)
    const times = fc.record({
      validAfter: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
      validUntil: fc.integer({ min: 0, max: 2 ** 48 - 1 })
    })
    for (const [operation, validity] of fc.sample(fc.tuple(operations, times), 100)) {
      const sent = { ...operation, sender: wallet.address }
      const adapted = { ...place, ...validity, operation: sent, adapter: contracts.adapter }
      const digest = safeOperationDigest(adapted)
      const { domain, types, primaryType, message } = safeOperationTypedData(adapted)
      const time = (seconds: number) => seconds.toString(16).padStart(12, "0")
      const signature: Hex = `0x${time(validity.validAfter)}${time(validity.validUntil)}${"00".repeat(65)}`
      const [data] = await client.readContract({
        address: wallet.address,
        abi,
        functionName: "getSafeOp",
        args: [{ ...packedOperation(sent), signature }, ENTRY_POINT]
      })
      assert.equal(keccak256(data), digest)
      assert.equal(TypedDataEncoder.hash(domain, { SafeOp: [...types.SafeOp] }, message), digest)
      const loose: TypedData = { SafeOp: types.SafeOp }
      assert.equal(hashTypedData({ domain, types: loose, primaryType, message }), digest)
    }
  })
})

describe("a wallet's calldata", () => {
  it.each(published.execution.vectors)("of $name is as published", ({ calls, calldata }) => {
    const given = calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))
    assert.equal(executionCalldata(given), calldata)
  })

  it("is of 1 to 16 calls", () => {
    const call = { to: contracts.adapter, value: 0n, data: "0x" } as const
    const several = (count: number) => () => executionCalldata(Array.from({ length: count }, () => call))
    assert.doesNotThrow(several(MAXIMUM_WALLET_CALLS))
    for (const count of [0, MAXIMUM_WALLET_CALLS + 1]) assert.throws(several(count), RangeError)
  })

  it("is what another library encodes", () => {
    const calls = fc.array(
      fc.record({
        to: address,
        value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        data: bytes({ minLength: 0, maxLength: 100 })
      }),
      { minLength: 1, maxLength: 16 }
    )
    const coder = AbiCoder.defaultAbiCoder()
    fc.assert(
      fc.property(calls, given => {
        const tuples = given.map(({ to, value, data }) => [to, value, data])
        const [[to, value, data] = []] = tuples
        const execution =
          tuples.length === 1
            ? concat([String(to), toBeHex(BigInt(value ?? 0), 32), String(data)])
            : coder.encode(["tuple(address,uint256,bytes)[]"], [tuples])
        const mode = `0x${tuples.length === 1 ? "00" : "01"}${"00".repeat(31)}`
        const coded = coder.encode(["bytes32", "bytes"], [mode, execution])
        assert.equal(executionCalldata(given), `0xe9ae5c53${coded.slice(2)}`)
      })
    )
  })
})
