/** Wallets that are bound over HTTP, by the signatures of their owners. */
import { concatHex, type Hex } from "viem"
import { assert } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import { manifest } from "./Inspections.ts"
import { askWallets, type WalletBench } from "./WalletService.ts"
import { type Wallet, walletOwners } from "./Wallets.ts"

export const inSeconds = (ahead: number) => Math.floor(Date.now() / 1000) + ahead

export const challengeOf = (address: string, over: Readonly<Record<string, unknown>> = {}) => ({
  manifestId: manifest.id,
  address,
  nonce: freshNonce(),
  expiresAt: inSeconds(600),
  ...over
})

export type Challenge = ReturnType<typeof challengeOf>

interface Prepared {
  readonly digest: Hex
  readonly stateHash: Hex
}

export type Place = Pick<WalletBench, "service" | "owner">

/** By the first of the owners, or by others. */
export const signedBy = async (digest: Hex, signers = walletOwners.slice(0, 2)): Promise<Hex> =>
  concatHex(await Promise.all(signers.map(owner => owner.sign({ hash: digest }))))

export const prepareBinding = async (
  { service, owner }: Place,
  { address, threshold }: Wallet,
  over: Readonly<Record<string, unknown>> = {},
  party: Party = owner
) => {
  const challenge = challengeOf(address, over)
  const answer = await askWallets(service, party, "binding-challenges", challenge)
  const told: Prepared = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(told))
  const { stateHash, digest } = told
  const signature = await signedBy(digest, walletOwners.slice(0, threshold))
  return { body: { ...challenge, stateHash, signature }, digest }
}

export const bind = (
  { service, owner }: Place,
  body: Readonly<Record<string, unknown>>,
  party: Party = owner
) => askWallets(service, party, "bindings", body)

export const bound = async (place: Place, wallet: Wallet, party: Party = place.owner) => {
  const { body } = await prepareBinding(place, wallet, {}, party)
  const answer = await bind(place, body, party)
  const binding = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(binding))
  return binding
}

export const shown = ({ service, owner }: Place, id: string, party: Party = owner) =>
  askWallets(service, party, `bindings/${id}`)

export const unlink = ({ service, owner }: Place, id: string, party: Party = owner) =>
  signedFetch(service, party, "DELETE", `/api/v1/smart-accounts/bindings/${id}`)

export const askWalletPlan = (
  { service, owner }: Place,
  id: string,
  body: unknown,
  party: Party = owner,
  options: RequestOptions = {}
) =>
  signedFetch(service, party, "POST", `/api/v1/smart-accounts/bindings/${id}/plans`, {
    body,
    idempotencyKey: freshNonce(),
    ...options
  })

export const walletPlan = async (place: Place, id: string, body: unknown): Promise<Plan> => {
  const answer = await askWalletPlan(place, id, body)
  const plan = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(plan))
  return plan
}
