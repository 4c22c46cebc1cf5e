/** A service, a bound wallet with a guard, and a bot whose key may have sessions of it. */
import { type Address, getAddress } from "viem"
import { assert } from "vitest"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import { type Acting, onSandbox } from "../../sandbox/support/Sandbox.ts"
import { bound, type Place } from "../../smartaccounts/support/Bindings.ts"
import { manifest } from "../../smartaccounts/support/Inspections.ts"
import { startWalletBench, type WalletBench } from "../../smartaccounts/support/WalletService.ts"
import type { Wallet } from "../../smartaccounts/support/Wallets.ts"
import { inSeconds, newBot } from "../../support/Bots.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import { enableData, guardedWallet, nowOf, revokeData, toldGuard } from "./Guarded.ts"
import { PAYEE } from "./Policies.ts"

export const SESSIONS = "/api/v1/smart-accounts/sessions"
export const REVIEWS = "/api/v1/smart-accounts/session-reviews"
export const DAY = 86_400

const reviewedAs = (kind: string): Address => {
  const target = manifest.reviewed.targets.find(each => each.kind === kind)
  if (target === undefined) throw new Error(`the local manifest reviewed no ${kind}`)
  return target.address
}

/** What the local chain's manifest lets sessions call. */
export const TOKEN = reviewedAs("erc20-token")
export const TERMINAL = reviewedAs("v6-terminal")
export const CONTROLLER = reviewedAs("v6-controller")

export type SessionBot = Party & { readonly grantId: string }

export interface SessionBench extends WalletBench {
  readonly sandbox: Acting
  readonly bot: SessionBot
}

export const newSessionBot = (place: Place, days = 40): Promise<SessionBot> =>
  newBot(place.service, place.owner, {
    scopes: ["read", "plan", "relay"],
    expiresAt: inSeconds(days * DAY)
  })

export const startSessionBench = async (settings: Partial<SettingsShape> = {}): Promise<SessionBench> => {
  const bench = await startWalletBench([manifest], settings)
  const sandbox = onSandbox(bench.chain.url, bench.manifest)
  return { ...bench, sandbox, bot: await newSessionBot(bench) }
}

export interface Bound {
  readonly wallet: Wallet
  readonly bindingId: string
}

export const boundWallet = async (bench: SessionBench): Promise<Bound> => {
  const wallet = await guardedWallet(bench.sandbox)
  const { id } = await bound(bench, wallet)
  return { wallet, bindingId: id }
}

export const BUDGET = {
  paymaster: null,
  paymasterDataLength: 0,
  maxGasPerOperation: "2000000",
  maxFeePerGas: "5000000000",
  maxPriorityFeePerGas: "2000000000",
  totalGasLimit: "50000000",
  totalCostLimit: "250000000000000000"
}

/** Of one asset on the wallet's chain. */
export const groupOf = (asset: string, id = "tips", limit = "100") => ({
  id: `group-${id}`,
  total: limit,
  allocations: [{ id, chainId: 31_337, asset, limit }]
})

export const transferOf = (over: Readonly<Record<string, unknown>> = {}) => ({
  kind: "erc20-transfer",
  allocationId: "tips",
  beneficiary: getAddress(PAYEE),
  perCallLimit: "40",
  totalLimit: "100",
  ...over
})

export const paymentOf = (over: Readonly<Record<string, unknown>> = {}) => ({
  ...transferOf({ kind: "v6-pay", allocationId: "ether" }),
  terminal: TERMINAL,
  projectId: "2",
  minReturnedTokens: "0",
  ...over
})

export const uriOf = (over: Readonly<Record<string, unknown>> = {}) => ({
  kind: "v6-project-uri",
  controller: CONTROLLER,
  projectId: "2",
  ...over
})

/** Every kind of action, over a token and the chain's own currency. */
export const sessionInput = async (
  bench: SessionBench,
  { bindingId }: Pick<Bound, "bindingId">,
  over: Readonly<Record<string, unknown>> = {}
) => ({
  bindingId,
  grantId: bench.bot.grantId,
  generation: "1",
  nonce: freshNonce(),
  validAfter: await nowOf(bench.sandbox),
  durationDays: 7,
  maximumCalls: 100,
  gasBudget: BUDGET,
  allocations: [groupOf(TOKEN), groupOf(NATIVE_TOKEN, "ether")],
  actions: [transferOf(), paymentOf(), uriOf()],
  ...over
})

export const askSession = (
  { service, owner }: Place,
  body: unknown,
  party: Party = owner,
  options: RequestOptions = {}
) => signedFetch(service, party, "POST", SESSIONS, { body, idempotencyKey: freshNonce(), ...options })

export const reviewed = ({ service, owner }: Place, body: unknown, party: Party = owner) =>
  signedFetch(service, party, "POST", REVIEWS, { body })

export const readSession = ({ service, owner }: Place, path: string, party: Party = owner) =>
  signedFetch(service, party, "GET", `${SESSIONS}${path}`)

export const preparedSession = async (
  bench: SessionBench,
  of: Pick<Bound, "bindingId">,
  over: Readonly<Record<string, unknown>> = {}
): Promise<PublicSession> => {
  const answer = await askSession(bench, await sessionInput(bench, of, over))
  const session = await answer.json()
  assert.equal(answer.status, 201, JSON.stringify(session))
  return session
}

export const shownSession = async (
  place: Place,
  { id }: { readonly id: string },
  query = ""
): Promise<PublicSession> => {
  const answer = await readSession(place, `/${id}${query}`)
  const session = await answer.json()
  assert.equal(answer.status, 200, JSON.stringify(session))
  return session
}

/** By the wallet's owners and without the service. */
export const enabled = ({ sandbox }: SessionBench, { wallet }: Bound, { compiled }: PublicSession) =>
  toldGuard(sandbox, wallet, enableData(compiled.encodedPolicy, BigInt(compiled.enableNonce)))

export const revoked = ({ sandbox }: SessionBench, { wallet }: Bound, { compiled }: PublicSession) =>
  toldGuard(sandbox, wallet, revokeData(compiled.permissionId))
