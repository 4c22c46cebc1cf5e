/** The published wallet of three owners of whom two sign: planned by the service from an operator's file that pins what it was published with, and created there. */
import { keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { onSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { assertProblem } from "../support/Problem.ts"
import { rpc } from "../support/Rpc.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { changed, manifest } from "./support/Inspections.ts"
import { published } from "./support/Vectors.ts"
import { askWallets, startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { safeAbi } from "./support/Wallets.ts"

const vector =
  published.creation.vectors.find(({ name }) => name === "two-of-three") ?? assert.fail("no such wallet")
const [guard = assert.fail("it has no validator")] = vector.validators
const { saltNonce, threshold, owners, address } = vector

const pinnedWhere = <Name extends "singleton" | "factory" | "adapter" | "launchpad" | "entryPoint">(
  name: Name
) => ({ [name]: { ...manifest.pins[name], address: published.contracts[name] } })

const ownGuard = manifest.pins.guard ?? assert.fail("the local chain has no guard")

/** The wallet was published with a guard at another address than the local chain's, whose code is put there. */
const pinning: SmartManifest = changed({
  id: "published",
  chainId: published.chainId,
  adapterDialect: vector.adapterDialect,
  pins: {
    ...manifest.pins,
    ...pinnedWhere("singleton"),
    ...pinnedWhere("factory"),
    ...pinnedWhere("adapter"),
    ...pinnedWhere("launchpad"),
    ...pinnedWhere("entryPoint"),
    guard: { ...ownGuard, address: guard }
  }
})

let bench: WalletBench

beforeAll(async () => {
  bench = await startWalletBench([pinning])
})
afterAll(() => bench.stop())

const plan = (over: Readonly<Record<string, unknown>> = {}) =>
  askWallets(bench.service, bench.owner, "creation-plans", {
    manifestId: pinning.id,
    owners: [...owners].reverse(),
    threshold,
    saltNonce,
    ...over
  })

const planned = async (over?: Readonly<Record<string, unknown>>) => {
  const answer = await plan(over)
  const told = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(told))
  return told.creation
}

const challenge = () =>
  askWallets(bench.service, bench.owner, "binding-challenges", {
    manifestId: pinning.id,
    address,
    nonce: freshNonce(),
    expiresAt: Math.floor(Date.now() / 1000) + 600
  })

describe("the published wallet of two of three owners", () => {
  it("is not planned while its chain lacks the guard at its address", async () => {
    const { context } = await assertProblem(await plan(), "SMART_ACCOUNT_UNSUPPORTED")
    assert.deepEqual(context, { check: "pin:guard" })
  })

  it("is planned at its published address, by its published call", async () => {
    const code = await rpc(bench.chain.url, "eth_getCode", [ownGuard.address, "latest"])
    await rpc(bench.chain.url, "anvil_setCode", [guard, code])
    const creation = await planned()
    assert.strictEqual(creation.address, "0x78Cc8715095294fe4770323739760993dbCbA466")
    assert.deepInclude(creation, {
      address,
      owners,
      threshold,
      saltNonce: "42",
      initializer: vector.initializer,
      initializerHash: vector.initializerHash,
      manifestRevision: pinning.revision,
      transaction: { to: published.contracts.factory, value: "0", data: vector.calldata },
      initialAuthority: { validators: [guard], executors: [], hook: ZERO_ADDRESS, enabledSessions: 0 }
    })
  })

  it.each([
    ["another salt", { saltNonce: "43" }],
    ["another threshold", { threshold: 3 }],
    ["an owner less", { owners: owners.slice(1) }]
  ])("is another one with %s", async (_, over) => {
    assert.notStrictEqual((await planned(over)).address, address)
  })

  it("stands there once its call is mined, with its owners and its guard", async () => {
    const { transaction } = await planned()
    const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
    await assertProblem(await challenge(), "SMART_ACCOUNT_UNDEPLOYED")
    await mined(client.sendTransaction({ account: stranger, to: transaction.to, data: transaction.data }))
    const read = { address, abi: safeAbi }
    assert.deepEqual([...(await client.readContract({ ...read, functionName: "getOwners" }))], owners)
    assert.strictEqual(keccak256((await client.getCode({ address })) ?? "0x"), manifest.proxyRuntimeCodeHash)
    const { state } = await (await challenge()).json()
    assert.deepInclude(state, { address, owners, threshold, validators: [guard] })
    const { context } = await assertProblem(await plan(), "SMART_ACCOUNT_ALREADY_DEPLOYED")
    assert.deepEqual(context, { address })
  })
})
