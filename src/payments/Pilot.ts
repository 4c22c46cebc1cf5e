/** Which wallets the pilot is for, which apps may ask them, and where an app has its answer. */
import { Effect } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import type { WalletPaymentSettings } from "../settings/payments.ts"
import { Settings } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import type { WalletState } from "../smartaccounts/StateHash.ts"
import type { Address } from "../values/Scalars.ts"
import { WalletAppRequired, WalletPaymentsUnavailable } from "./refusals.ts"

export const pilotSettings: Effect.Effect<WalletPaymentSettings, WalletPaymentsUnavailable, Settings> =
  Effect.flatMap(Settings, ({ walletPayments }) =>
    walletPayments === undefined ? new WalletPaymentsUnavailable() : Effect.succeed(walletPayments)
  )

/** A manifest that is not there would have every payment of its wallets called unsuitable. */
export const checkPilotManifests = Effect.gen(function* () {
  const { walletPayments } = yield* Settings
  const { all } = yield* Manifests
  const strange = walletPayments?.manifestIds.find(named => all.every(({ id }) => id !== named))
  if (strange === undefined) return
  const there = all.map(({ id }) => id)
  return yield* new StartFailure({
    message: `SERVICE_WALLET_PAYMENTS names the manifest ${JSON.stringify(strange)}, which SERVICE_SMART_MANIFESTS does not hold; ${there.length === 0 ? "it holds none" : `it holds ${there.join(", ")}`}.`
  })
})

export type PaymentApp = WalletPaymentSettings["apps"][number]

/** The bot of one is known by its address, whichever account granted it. */
export const appOf = ({ apps }: WalletPaymentSettings, bot: string): PaymentApp | undefined =>
  apps.find(app => app.bot.toLowerCase() === bot.toLowerCase())

type AppActor = Extract<Actor, { readonly kind: "bot" }>

export interface AppCaller {
  readonly actor: AppActor
  readonly app: PaymentApp
  readonly settings: WalletPaymentSettings
}

export const callingApp = Effect.gen(function* () {
  const settings = yield* pilotSettings
  const actor = yield* Principal
  if (actor.kind !== "bot") return yield* new WalletAppRequired()
  const app = appOf(settings, actor.signer)
  if (app === undefined) return yield* new WalletAppRequired()
  const caller: AppCaller = { actor, app, settings }
  return caller
})

/** The contract that owns a pilot's wallet beside the account's own key, where either can sign alone. */
export const passkeyOwner = (
  { owners, threshold }: Pick<WalletState, "owners" | "threshold">,
  { contractOwners }: SmartManifest,
  ownerAddress: Address
): Address | undefined => {
  const contract = owners.find(owner => contractOwners.some(({ address }) => address === owner))
  const isOwn = owners.some(owner => owner.toLowerCase() === ownerAddress.toLowerCase())
  return owners.length === 2 && threshold === 1 && isOwn ? contract : undefined
}

interface Answered {
  readonly id: string
  readonly state: string
}

/** Nothing that a request says leads anywhere else. */
export const callbackOf = (
  { callbackUri }: Pick<PaymentApp, "callbackUri">,
  issuer: string,
  { id, state }: Answered
): string => {
  const to = new URL(callbackUri)
  for (const [name, value] of Object.entries({ review: id, state, iss: issuer }))
    to.searchParams.set(name, value)
  return to.href
}
