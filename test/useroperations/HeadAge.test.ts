/** Bundlers go by their own clock: on a chain whose newest block is too old nothing is prepared. */
import { Effect, Either, Layer } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import type { StoredBinding } from "../../src/smartaccounts/BindingStore.ts"
import { inspectWallet, shownWallet } from "../../src/smartaccounts/Inspect.ts"
import { Manifests } from "../../src/smartaccounts/Manifests.ts"
import { stateHash } from "../../src/smartaccounts/StateHash.ts"
import { operationGround } from "../../src/useroperations/OperationGround.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { changed } from "../smartaccounts/support/Inspections.ts"
import { createWallet, type Wallet } from "../smartaccounts/support/Wallets.ts"
import { type Question, type RecordingProxy, startRecordingProxy } from "../support/RecordingProxy.ts"

/** A chain that mines by itself, as the local one does not. */
const CHAIN_ID = 10
const manifest = changed({ chainId: CHAIN_ID })
const WORD = `0x${"12".repeat(32)}` as const

let sandbox: Sandbox
let proxy: RecordingProxy
let wallet: Wallet

beforeAll(async () => {
  sandbox = await startSandbox()
  proxy = await startRecordingProxy({ upstream: sandbox.url })
  wallet = await createWallet(sandbox, { saltNonce: 90_001n })
})
afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
})

/** The local chain as that one, with its newest block so many seconds old. */
const agedBy = (seconds: number) => {
  proxy.clearFaults()
  const timestamp = `0x${(Math.floor(Date.now() / 1_000) - seconds).toString(16)}`
  const rewrite = ({ method }: Question, result: unknown) => {
    if (method === "eth_chainId") return `0x${CHAIN_ID.toString(16)}`
    return method === "eth_getBlockByNumber" && result !== null ? { ...Object(result), timestamp } : undefined
  }
  for (const method of ["eth_chainId", "eth_getBlockByNumber"])
    proxy.fault({ method, times: 1_000, phase: "after", act: { kind: "rewrite", rewrite } })
}

const bindingFrom = Effect.gen(function* () {
  const inspection = yield* inspectWallet(manifest, wallet.address)
  const binding: StoredBinding = {
    id: WORD,
    chainId: CHAIN_ID,
    address: wallet.address,
    manifestId: manifest.id,
    stateHash: stateHash(inspection.state),
    state: shownWallet(inspection),
    digest: WORD,
    nonce: WORD,
    expiresAt: 0,
    accountId: "",
    ownerAddress: wallet.address,
    createdAt: 0,
    revision: 0
  }
  return binding
})

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof services>>>) =>
  effect.pipe(Effect.provide(services()), Effect.either, Effect.scoped, Effect.runPromise)

const services = () =>
  Manifests.from([manifest]).pipe(Layer.provideMerge(clientOver({ chainId: CHAIN_ID, urls: [proxy.url] })))

it("an operation rests on a head that is young, and on none that is older than the settings' age", async () => {
  agedBy(5)
  const binding = Either.getOrThrow(await run(bindingFrom))
  const ground = Either.getOrThrow(await run(operationGround(binding, manifest, undefined)))
  assert.equal(ground.nonce, 0n)
  agedBy(30)
  assert.isTrue(Either.isRight(await run(operationGround(binding, manifest, undefined))))
  agedBy(75)
  const refused = await run(operationGround(binding, manifest, undefined))
  assert.equal(Either.isLeft(refused) && refused.left._tag, "RPC_BEHIND")
})
