/** Bots made the way an owner makes them: a key of their own and a proof that it is held. */
import { type Hex, hashTypedData } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { assert } from "vitest"
import { nativeKey } from "./NativeKey.ts"
import { freshNonce, type Party, type RequestOptions, serviceDomain, signedFetch } from "./SignedFetch.ts"

export type Service = { readonly url: string; readonly audience: string }

export const BOT_PROOF = [
  { name: "audience", type: "string" },
  { name: "accountId", type: "string" },
  { name: "botAddress", type: "address" },
  { name: "scopes", type: "string[]" },
  { name: "expiresAt", type: "uint64" },
  { name: "label", type: "string" },
  { name: "ownerRequestNonce", type: "bytes32" }
] as const

export interface Terms {
  readonly audience: string
  readonly chainId: number
  readonly accountId: string
  readonly botAddress: Hex
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: number
  readonly label: string
  readonly ownerRequestNonce: Hex
}

export const proofBy = (key: PrivateKeyAccount, terms: Terms): Promise<Hex> =>
  key.sign({
    hash: hashTypedData({
      domain: serviceDomain(terms.chainId, terms.audience),
      types: { ServiceBotProof: BOT_PROOF },
      primaryType: "ServiceBotProof",
      message: { ...terms, expiresAt: BigInt(terms.expiresAt) }
    })
  })

export const newKey = (): PrivateKeyAccount => nativeKey()

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

export interface Registration {
  readonly key?: PrivateKeyAccount
  readonly scopes?: ReadonlyArray<string>
  readonly label?: string
  readonly expiresAt?: number
  readonly nonce?: Hex
  /** Signed in place of the true terms. */
  readonly proofTerms?: Partial<Terms>
  readonly proofKey?: PrivateKeyAccount
  readonly body?: Readonly<Record<string, unknown>>
  readonly request?: RequestOptions
}

export const requestRegistration = async (
  service: Service,
  owner: Party,
  registration: Registration = {}
) => {
  const key = registration.key ?? newKey()
  const terms = {
    audience: service.audience,
    chainId: owner.chainId,
    accountId: owner.accountId,
    botAddress: key.address,
    scopes: registration.scopes ?? ["read"],
    expiresAt: registration.expiresAt ?? inSeconds(3600),
    label: registration.label ?? "",
    ownerRequestNonce: registration.nonce ?? freshNonce()
  }
  const proofSignature = await proofBy(registration.proofKey ?? key, { ...terms, ...registration.proofTerms })
  const { botAddress, scopes, expiresAt, label } = terms
  return signedFetch(service, owner, "POST", "/api/v1/accounts/me/bots", {
    nonce: terms.ownerRequestNonce,
    body: { botAddress, scopes, expiresAt, label, proofSignature, ...registration.body },
    ...registration.request
  })
}

/** A registered bot, ready to sign. */
export const newBot = async (
  service: Service,
  owner: Party,
  registration: Registration = {}
): Promise<Party & { readonly grantId: string }> => {
  const key = registration.key ?? newKey()
  const answer = await requestRegistration(service, owner, { ...registration, key })
  const body = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(body))
  return { key, chainId: owner.chainId, accountId: owner.accountId, grantId: body.bot.id }
}

export const enroll = (service: Service, owner: Party, options: RequestOptions = {}): Promise<Response> =>
  signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {}, ...options })

export const revokeBot = async (
  service: Service,
  owner: Party,
  { grantId }: Pick<Party, "grantId">
): Promise<void> => {
  const answer = await signedFetch(service, owner, "DELETE", `/api/v1/accounts/me/bots/${grantId}`)
  assert.strictEqual(answer.status, 200)
}
