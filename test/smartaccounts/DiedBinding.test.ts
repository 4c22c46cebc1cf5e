/** A process that dies once it has stored a binding leaves it for whoever asks again. */
import { Context, Effect, Exit } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { Principal } from "../../src/accounts/Principal.ts"
import { bindWallet } from "../../src/smartaccounts/BindWallet.ts"
import { AtFailpoint } from "../../src/values/Failpoint.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { workerOf } from "../support/Worker.ts"
import { bind, prepareBinding } from "./support/Bindings.ts"
import { manifestFile, startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet } from "./support/Wallets.ts"

let bench: WalletBench
let file: Awaited<ReturnType<typeof manifestFile>>

beforeAll(async () => {
  bench = await startWalletBench()
  file = await manifestFile()
})
afterAll(async () => {
  await bench.stop()
  await file.remove()
})

it("binds once", async () => {
  const { audience } = bench.service
  const worker = workerOf(bench, { audience, smartManifests: file.smartManifests })
  const sandbox = { ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop }
  const { body } = await prepareBinding(bench, await createWallet(sandbox, { saltNonce: 80_001n }))
  const { accountId, chainId, key } = bench.owner
  const address = `0x${key.address.slice(2).toLowerCase()}` as const
  const owner = Context.make(Principal, {
    kind: "owner",
    id: `owner:${accountId}`,
    accountId,
    authorityChainId: chainId,
    ownerAddress: address,
    signer: address,
    issuedAt: 0,
    expiresAt: 0,
    nonce: freshNonce()
  })
  const dying = bindWallet({ ...body, address: `0x${body.address.slice(2)}` }).pipe(
    Effect.provide(owner),
    Effect.provideService(AtFailpoint, at => (at === "binding.stored" ? Effect.interrupt : Effect.void))
  )
  assert.isTrue(Exit.isInterrupted(await worker.runPromiseExit(dying)))
  await worker.dispose()
  const before = bench.proxy.roundTrips()
  const again = await bind(bench, body)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get("idempotent-replayed"), "true")
  assert.deepInclude(await again.json(), { revision: 0, status: "linked", stateHash: body.stateHash })
  assert.equal(bench.proxy.roundTrips(), before)
})
