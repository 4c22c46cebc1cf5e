/** What a process does as an owner asked, until it dies at some moment. */
import { Context, Effect, Exit, type Runtime } from "effect"
import { assert } from "vitest"
import { Principal } from "../../../src/accounts/Principal.ts"
import { SignedRequest } from "../../../src/auth/SignedRequest.ts"
import { AtFailpoint, type Failpoint } from "../../../src/values/Failpoint.ts"
import { freshNonce } from "../../support/SignedFetch.ts"
import type { workerOf } from "../../support/Worker.ts"
import { SESSIONS, type SessionBench } from "./SessionBench.ts"

/** As the owner's admitted request. */
export const asOwner = (
  { owner }: Pick<SessionBench, "owner">,
  body: unknown,
  idempotencyKey: string,
  target = SESSIONS
) => {
  const { accountId, chainId, key } = owner
  const address = `0x${key.address.slice(2).toLowerCase()}` as const
  return Context.make(Principal, {
    kind: "owner",
    id: `owner:${accountId}`,
    accountId,
    authorityChainId: chainId,
    ownerAddress: address,
    signer: address,
    issuedAt: 0,
    expiresAt: 0,
    nonce: freshNonce()
  }).pipe(
    Context.add(SignedRequest, {
      method: "POST",
      target,
      contentType: "application/json",
      body: Buffer.from(JSON.stringify(body)),
      requestId: "11111111-1111-4111-8111-111111111111",
      idempotencyKey,
      address: "127.0.0.1",
      account: undefined
    })
  )
}

type Worker = ReturnType<typeof workerOf>
type Served = Runtime.Runtime.Context<Awaited<ReturnType<Worker["runtime"]>>>

export const diesAt = async <A, E>(worker: Worker, at: Failpoint, work: Effect.Effect<A, E, Served>) => {
  const dying = Effect.provideService(work, AtFailpoint, reached =>
    reached === at ? Effect.interrupt : Effect.void
  )
  assert.isTrue(Exit.isInterrupted(await worker.runPromiseExit(dying)), at)
}
