/** Grants a bot key scopes on its owner's account once the key has proved that it is held. */
import { Effect } from "effect"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { refusedSignature } from "../signatures/RefusedSignature.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { Refusal } from "../values/Refusal.ts"
import type { Hex } from "../values/Scalars.ts"
import { botProofDigest } from "../values/TypedDataHash.ts"
import { type BotRegistrationBody, PROOF_RULE } from "./Account.ts"
import { AccountLock } from "./AccountLock.ts"
import { GrantStore } from "./GrantStore.ts"
import { Principal } from "./Principal.ts"
import { InvalidBotProof } from "./refusals.ts"

export const LONGEST_GRANT_DAYS = 365
const DAY_SECONDS = 86_400

export class InvalidRegistration extends Refusal("INVALID_INPUT") {}

const refuseBadTerms = Effect.fnUntraced(function* (body: BotRegistrationBody, owner: string) {
  const now = Math.floor((yield* (yield* DatabaseClock).millis) / 1000)
  if (body.botAddress.toLowerCase() === owner)
    return yield* new InvalidRegistration({
      context: { path: "botAddress", expected: "an address other than the owner's" }
    })
  if (body.expiresAt <= now || body.expiresAt > now + LONGEST_GRANT_DAYS * DAY_SECONDS)
    return yield* new InvalidRegistration({
      context: { path: "expiresAt", expected: `a time ahead of now by at most ${LONGEST_GRANT_DAYS} days` }
    })
})

const isProof = (text: string): text is Hex => /^0x[0-9a-fA-F]{130}$/.test(text)

const misshapen = new InvalidBotProof({ context: { path: "proofSignature", expected: PROOF_RULE } })

const verifyProof = Effect.fn("BotRegistration.verifyProof")(function* (body: BotRegistrationBody) {
  const { proofSignature } = body
  if (!isProof(proofSignature)) return yield* misshapen
  const actor = yield* Principal
  const { audience } = yield* Settings
  const signatures = yield* Signatures
  const digest = botProofDigest(audience, actor.authorityChainId, {
    accountId: actor.accountId,
    botAddress: body.botAddress,
    scopes: body.scopes,
    expiresAt: body.expiresAt,
    label: body.label,
    ownerRequestNonce: actor.nonce
  })
  yield* signatures
    .verify({
      digest,
      signature: proofSignature,
      signer: body.botAddress,
      role: "bot",
      authorityChainId: actor.authorityChainId
    })
    .pipe(
      Effect.mapError(
        () =>
          new InvalidBotProof({
            context: {
              path: "proofSignature",
              ...refusedSignature(digest, proofSignature, body.botAddress)
            }
          })
      )
    )
})

export const registerBot = Effect.fn("BotRegistration.register")(function* (body: BotRegistrationBody) {
  const actor = yield* Principal
  yield* refuseBadTerms(body, actor.ownerAddress)
  yield* verifyProof(body)
  const grants = yield* GrantStore
  const id = yield* (yield* RandomIds).uuid
  const lock = yield* AccountLock
  return yield* lock.with(actor.accountId)(grants.insert({ ...body, id }))
})
