/** What an operation rests on, each part of which is changed after the owners signed it. */
import { Effect, Either, Layer } from "effect"
import { concatHex, encodeFunctionData, numberToHex, parseAbi, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Call } from "../../src/plans/Plan.ts"
import { Manifests } from "../../src/smartaccounts/Manifests.ts"
import { type PreflightedOperation, preflightOperation } from "../../src/useroperations/OperationPreflight.ts"
import { maximumCostOf, packedOperation } from "../../src/values/PackedOperation.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { pinnedCatalog } from "../protocol/support/Protocol.ts"
import { type Sandbox, startSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { controlAbi, manifest, ownersDo, withCode, YES } from "../smartaccounts/support/Inspections.ts"
import { createWallet, ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { type RecordingProxy, startRecordingProxy } from "../support/RecordingProxy.ts"
import { signedOperationOf } from "./support/Signed.ts"

const OTHER = "0x00000000000000000000000000000000000000f1"
const SENTINEL = "0x0000000000000000000000000000000000000001"

let sandbox: Sandbox
let proxy: RecordingProxy
let salt = 7_000n

beforeAll(async () => {
  sandbox = await startSandbox()
  proxy = await startRecordingProxy({ upstream: sandbox.url })
})
afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
})

const created = () => createWallet(sandbox, { saltNonce: ++salt })

const gift = [{ to: stranger.address, value: 1n, data: "0x" as const }]

const preflighted = (prepared: PreflightedOperation) =>
  preflightOperation(prepared).pipe(
    Effect.provide(
      Manifests.from([manifest]).pipe(
        Layer.provideMerge(clientOver({ chainId: 31_337, urls: [proxy.url] })),
        Layer.merge(pinnedCatalog)
      )
    ),
    Effect.either,
    Effect.scoped,
    Effect.runPromise
  )

const refusalOf = async (prepared: PreflightedOperation) => {
  const told = await preflighted(prepared)
  if (Either.isRight(told)) return ["none"]
  const { _tag: code, context } = told.left
  return [code, context?.check ?? context?.reason].filter(part => part !== undefined)
}

const byOwners = (functionName: "enableModule" | "setFallbackHandler" | "setGuard") =>
  encodeFunctionData({ abi: controlAbi, functionName, args: [OTHER] })

describe("an operation that would be executed", () => {
  it("passes in two round trips", async () => {
    const prepared = await signedOperationOf(sandbox, await created(), gift)
    const before = proxy.roundTrips()
    assert.deepEqual(await refusalOf(prepared), ["none"])
    assert.equal(proxy.roundTrips() - before, 2)
  })

  it.each([
    { kind: "error", code: -32_601, message: "no such method" },
    { kind: "result", result: [{ calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x1" }] }] }
  ] as const)("passes in three round trips where the node tells no logs of a run: $kind", async act => {
    const prepared = await signedOperationOf(sandbox, await created(), gift)
    proxy.fault({ method: "eth_simulateV1", phase: "after", act })
    const before = proxy.roundTrips()
    assert.deepEqual(await refusalOf(prepared), ["none"])
    assert.equal(proxy.roundTrips() - before, 3)
  })
})

describe("an operation is refused", () => {
  it.each([
    ["safe-modules", byOwners("enableModule")],
    ["fallback-handler", byOwners("setFallbackHandler")]
  ] as const)("by the check %s where its owners changed that", async (check, data) => {
    const wallet = await created()
    const prepared = await signedOperationOf(sandbox, wallet, gift)
    await ownersDo(sandbox, wallet, data)
    assert.deepEqual(await refusalOf(prepared), ["SMART_ACCOUNT_UNSUPPORTED", check])
  })

  it("by the check transaction-guard where its wallet has one", async () => {
    const wallet = await created()
    const prepared = await signedOperationOf(sandbox, wallet, gift)
    await withCode(sandbox, OTHER, YES, () => ownersDo(sandbox, wallet, byOwners("setGuard")))
    assert.deepEqual(await refusalOf(prepared), ["SMART_ACCOUNT_UNSUPPORTED", "transaction-guard"])
  })

  it.each([
    ["owners", "addOwnerWithThreshold", [OTHER, 2n]],
    ["threshold", "changeThreshold", [1n]]
  ] as const)("where its wallet has other %s", async (check, functionName, args) => {
    const wallet = await created()
    const prepared = await signedOperationOf(sandbox, wallet, gift)
    const abi = parseAbi([
      "function addOwnerWithThreshold(address owner, uint256 threshold)",
      "function changeThreshold(uint256 threshold)"
    ])
    await ownersDo(sandbox, wallet, encodeFunctionData({ abi, functionName, args }))
    assert.deepEqual(await refusalOf(prepared), ["SMART_ACCOUNT_CHANGED", check])
  })

  it("where one of its signers owns the wallet no more", async () => {
    const wallet = await created()
    const prepared = await signedOperationOf(sandbox, wallet, gift)
    const [former] = prepared.signing.owners
    const args = [SENTINEL, former ?? OTHER, 2n] as const
    await ownersDo(
      sandbox,
      wallet,
      encodeFunctionData({ abi: controlAbi, functionName: "removeOwner", args })
    )
    assert.deepEqual(await refusalOf(prepared), ["SMART_ACCOUNT_CHANGED", "owners"])
  })

  it.each(["entryPoint", "adapter", "singleton", "paymaster-0"])(
    "by pin:%s where that has other code",
    async name => {
      const prepared = await signedOperationOf(sandbox, await created(), gift)
      const { paymasters, ...pins } = manifest.pins
      const found =
        name === "paymaster-0" ? paymasters[0] : Object.entries(pins).find(([pin]) => pin === name)?.[1]
      const address = found?.address ?? assert.fail("no such pin")
      const refused = await withCode(sandbox, address, "0x00", () => refusalOf(prepared))
      assert.deepEqual(refused, ["SMART_ACCOUNT_UNSUPPORTED", `pin:${name}`])
    }
  )

  it("where its wallet has gone on to another nonce", async () => {
    const wallet = await created()
    const [first, second] = [
      await signedOperationOf(sandbox, wallet, gift),
      await signedOperationOf(sandbox, wallet, gift)
    ]
    await bundled(first)
    assert.deepEqual(await refusalOf(second), ["USER_OPERATION_NONCE_CHANGED"])
  })

  it("where so little of its time is left at the head that no bundler would take it", async () => {
    const prepared = await signedOperationOf(sandbox, await created(), gift)
    await sandbox.pass(261)
    assert.deepEqual(await refusalOf(prepared), ["USER_OPERATION_EXPIRED"])
  })

  it.each([
    [40, ["USER_OPERATION_EXPIRED"]],
    [300, ["USER_OPERATION_REFUSED", "AA31"]]
  ] as const)("where its paymaster has no deposit and pays for %i seconds", async (seconds, refused) => {
    const wallet = await created()
    const [{ address: paymaster } = assert.fail("no paymaster")] = manifest.pins.paymasters
    const { timestamp } = await sandbox.client.getBlock()
    const paymasterData = concatHex([
      numberToHex(timestamp + BigInt(seconds), { size: 6 }),
      numberToHex(timestamp - 60n, { size: 6 }),
      `0x${"11".repeat(64)}1b`
    ])
    const limits = { paymasterVerificationGasLimit: "0xea60", paymasterPostOpGasLimit: "0x1" } as const
    const paid = { paymaster, paymasterData, ...limits }
    const prepared = await signedOperationOf(sandbox, wallet, gift, paid)
    assert.deepEqual(await refusalOf(prepared), [...refused])
  })

  it("where nobody can pay for it", async () => {
    const wallet = await created()
    const prepared = await signedOperationOf(sandbox, wallet, gift)
    await sandbox.client.setBalance({ address: wallet.address, value: 10n })
    const refused = Either.flip(await preflighted(prepared)).pipe(Either.getOrThrow)
    assert.equal(refused._tag, "USER_OPERATION_FUNDING_REQUIRED")
    assert.equal(refused.context?.available, "10")
  })

  it("by the entry point's code where the wallet does not take the signatures", async () => {
    const prepared = await signedOperationOf(sandbox, await created(), gift)
    const { signature } = prepared.operation
    const foreign: Hex = `0x${signature.slice(2, -2)}${signature.endsWith("1b") ? "1c" : "1b"}`
    const refused = await refusalOf({ ...prepared, operation: { ...prepared.operation, signature: foreign } })
    assert.deepEqual(refused, ["USER_OPERATION_REFUSED", "AA24"])
  })

  it.each([
    ["tells its logs", undefined],
    ["tells none", { code: -32_601, message: "no such method" }]
  ] as const)("where the entry point takes it and its calls revert, by a node that %s", async (_, error) => {
    const wallet = await created()
    const tooMuch = [{ to: stranger.address, value: parseEther("11"), data: "0x" as const }]
    const prepared = await signedOperationOf(sandbox, wallet, tooMuch)
    if (error !== undefined)
      proxy.fault({ method: "eth_simulateV1", phase: "after", act: { kind: "error", ...error } })
    assert.deepEqual(await refusalOf(prepared), ["SIMULATION_REVERTED"])
  })

  it("where the wallet could make its calls but for what it pays for them", async () => {
    const wallet = await created()
    const balance = await sandbox.client.getBalance({ address: wallet.address })
    const all = [{ to: stranger.address, value: balance, data: "0x" as const }]
    assert.deepEqual(await refusalOf(await signedOperationOf(sandbox, wallet, all)), ["SIMULATION_REVERTED"])
  })
})

describe("by a node that tells no logs of a run, an operation is refused", () => {
  const told = async (prepared: PreflightedOperation) => {
    const error = { kind: "error", code: -32_601, message: "no such method" } as const
    proxy.fault({ method: "eth_simulateV1", phase: "after", act: error })
    return refusalOf(prepared)
  }

  it("where its calls take more gas than the entry point gives them", async () => {
    const wallet = await created()
    const gifts = [1, 2, 3, 4, 5].map(index => ({
      to: `0x${String(index).padStart(40, "c")}` as const,
      value: 1n,
      data: "0x" as const
    }))
    const given = (callGasLimit: Hex) => signedOperationOf(sandbox, wallet, gifts, { callGasLimit })
    assert.deepEqual(await told(await given("0x7530")), ["SIMULATION_REVERTED"])
    assert.deepEqual(await told(await given("0xf4240")), ["none"])
  })

  it("where its wallet has what its calls send, and not its gas too", async () => {
    const wallet = await created()
    const prepared = await signedOperationOf(sandbox, wallet, gift)
    const cost = maximumCostOf(prepared.operation)
    const decoded = { contractId: "", abiHash: "", function: "", args: [] }
    const [call = assert.fail("no call")] = gift
    const sending = (value: bigint): Call => ({
      ...{ chainId: 31_337, to: call.to, data: "0x", value: String(value) },
      ...{ label: "", dependsOn: [], decoded }
    })
    await sandbox.client.setBalance({ address: wallet.address, value: cost + 5n })
    assert.deepEqual(await told({ ...prepared, calls: [sending(2n), sending(3n)] }), ["none"])
    assert.deepEqual(await told({ ...prepared, calls: [sending(2n), sending(4n)] }), [
      "USER_OPERATION_FUNDING_REQUIRED"
    ])
  })
})

/** As a bundler would send it. */
const bundled = async ({ operation }: PreflightedOperation): Promise<void> => {
  const abi = parseAbi([
    "struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
    "function handleOps(Op[] ops, address beneficiary)"
  ])
  await sandbox.mined(
    sandbox.client.writeContract({
      account: stranger,
      address: ENTRY_POINT,
      abi,
      functionName: "handleOps",
      args: [[packedOperation(operation)], stranger.address]
    })
  )
}
