/** The services of a bench within the test's own process, for what HTTP cannot show: held clocks, bent requests, given-up fibers. */
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { Principal } from "../../src/accounts/Principal.ts"
import { SignedRequest } from "../../src/auth/SignedRequest.ts"
import { submitBundle } from "../../src/direct/SubmitBundle.ts"
import { services } from "../../src/main/Services.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { Settings } from "../../src/settings/Settings.ts"
import type { Item } from "./Bundles.ts"
import type { RelayBench } from "./RelayBench.ts"
import { chainSettings } from "./Sandbox.ts"
import { testSettings } from "./Settings.ts"
import { freshNonce, type Party } from "./SignedFetch.ts"

export const inProcess = ({ service, proxy, overlay }: RelayBench) => {
  const settings = testSettings({
    databaseUrl: Redacted.make(service.databaseUrl),
    chains: chainSettings(proxy.url),
    log: { level: "error", format: "json" }
  })
  return ManagedRuntime.make(Layer.provideMerge(services([overlay]), Layer.succeed(Settings, settings)))
}

interface Signed {
  readonly method?: string
  readonly target?: string
  readonly body?: unknown
}

/** The bundle as the owner's admitted request, and what the owner signed where that is something else. */
export const bundleAsOwner = (
  owner: Party,
  plan: Plan,
  items: ReadonlyArray<Item>,
  idempotencyKey: string,
  signed: Signed = {}
) => {
  const { accountId, chainId, key } = owner
  const issuedAt = Math.floor(Date.now() / 1000)
  const address = `0x${key.address.slice(2).toLowerCase()}` as const
  const context = Context.make(Principal, {
    kind: "owner",
    id: `owner:${accountId}`,
    accountId,
    authorityChainId: chainId,
    ownerAddress: address,
    signer: address,
    issuedAt,
    expiresAt: issuedAt + 60,
    nonce: freshNonce()
  }).pipe(
    Context.add(SignedRequest, {
      method: signed.method ?? "POST",
      target: signed.target ?? `/api/v1/plans/${plan.id}/submissions`,
      contentType: "application/json",
      body: Buffer.from(JSON.stringify(signed.body ?? { submissions: items })),
      requestId: plan.id,
      idempotencyKey,
      address: "127.0.0.1",
      account: undefined
    })
  )
  return Effect.provide(submitBundle(plan.id, items), context)
}
