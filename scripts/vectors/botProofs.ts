import type { ServiceBotProof } from "../../src/values/TypedData.ts"
import { botProofDigest, requestDigest } from "../../src/values/TypedDataHash.ts"
import {
  join,
  sign,
  signCompact,
  signHighS,
  signParts,
  type TestKey
} from "../../test/signatures/TestKeys.ts"
import { AUDIENCE, accountId, bot, CHAIN, type Hex, NOW, owner, stranger, vector, word } from "./Vector.ts"

type Proof = Omit<ServiceBotProof, "audience">

const DAY = 86_400

const proof: Proof = {
  accountId: accountId(CHAIN),
  botAddress: bot.address,
  scopes: ["read"],
  expiresAt: NOW + 30 * DAY,
  label: "",
  ownerRequestNonce: word("5e")
}

interface Making {
  readonly change?: Partial<Proof>
  readonly audience?: string
  readonly chainId?: number
  readonly sign?: (digest: Uint8Array, message: Proof) => Hex
}

const proofVector =
  (problem: string | null) =>
  (
    name: string,
    description: string,
    { change, audience = AUDIENCE, chainId = CHAIN, sign: signing }: Making
  ) => {
    const message = { ...proof, ...change }
    const digest = botProofDigest(audience, chainId, message)
    const signature = signing?.(digest, message) ?? sign(bot, digest)
    const rest = {
      audience,
      chainId,
      message,
      signature,
      signer: bot.address,
      serverTime: NOW,
      likelyCause: null
    }
    return vector("ServiceBotProof", { name, description, problem, ...rest })
  }

const accepted = proofVector(null)
const refused = proofVector("INVALID_BOT_PROOF")

/** Signs the proof as it would be after a change. */
const signedAs =
  (change: Partial<Proof>, chainId = CHAIN, audience = AUDIENCE, key: TestKey = bot) =>
  (_: Uint8Array, message: Proof): Hex =>
    sign(key, botProofDigest(audience, chainId, { ...message, ...change }))

const labels: ReadonlyArray<readonly [string, string]> = [
  ["ascii", "ci bot"],
  ["composed", "caf\u00e9"],
  ["decomposed", "cafe\u0301"],
  ["emoji", "👩‍👩‍👧‍👦🏳️‍🌈"],
  ["right-to-left", "\u202eevil\u202c שלום"],
  ["astral", "𝄞𐍈"],
  ["control", "a\nb\tc\u007f"],
  ["html", "<b>&amp;\"'</b>"],
  ["120-bytes", "é".repeat(60)]
]

const acceptedProofs = [
  accepted("read", "The default scope.", {}),
  accepted("read-plan", "Scopes are hashed one by one, in order.", { change: { scopes: ["read", "plan"] } }),
  accepted("read-plan-relay", "All scopes.", { change: { scopes: ["read", "plan", "relay"] } }),
  accepted("no-scopes", "The encoding of an empty list, which no registration accepts.", {
    change: { scopes: [] }
  }),
  accepted("year", "The longest grant.", { change: { expiresAt: NOW + 365 * DAY } }),
  accepted("chain-10", "Another authority chain.", { chainId: 10, change: { accountId: accountId(10) } }),
  accepted("audience-localhost", "Another audience.", { audience: "http://localhost:8080" }),
  ...labels.map(([name, label]) =>
    accepted(`label-${name}`, "A label is hashed as UTF-8, never normalised.", { change: { label } })
  )
]

const refusedProofs = [
  refused("other-signer", "Another key signed.", { sign: signedAs({}, CHAIN, AUDIENCE, stranger) }),
  refused("owner-signed", "The owner cannot prove for the bot.", {
    sign: signedAs({}, CHAIN, AUDIENCE, owner)
  }),
  refused("scopes-widened", "More scopes asked than proved.", {
    change: { scopes: ["read", "plan"] },
    sign: signedAs({ scopes: ["read"] })
  }),
  refused("scopes-reordered", "The order is bound.", {
    change: { scopes: ["read", "plan"] },
    sign: signedAs({ scopes: ["plan", "read"] })
  }),
  refused("scopes-joined", "A list of one is not a list of two.", {
    change: { scopes: ["read", "plan"] },
    sign: signedAs({ scopes: ["read,plan"] })
  }),
  refused("label-normalised", "Another form of the same label.", {
    change: { label: "caf\u00e9" },
    sign: signedAs({ label: "cafe\u0301" })
  }),
  refused("expiry-changed", "Another expiry was proved.", { sign: signedAs({ expiresAt: NOW + DAY }) }),
  refused("nonce-changed", "The nonce of another registration.", {
    sign: signedAs({ ownerRequestNonce: word("5f") })
  }),
  refused("account-changed", "Proved for another account.", {
    sign: signedAs({ accountId: accountId(CHAIN, stranger.address) })
  }),
  refused("chain-changed", "Proved on another chain.", { sign: signedAs({}, 1) }),
  refused("audience-changed", "Proved for another service.", {
    sign: signedAs({}, CHAIN, "https://other.example")
  }),
  refused("high-s", "The mirrored signature.", { sign: digest => signHighS(bot, digest) }),
  refused("v-0-1", "The recovery id instead of v.", {
    sign: digest => {
      const parts = signParts(bot, digest)
      return join(parts, parts.recoveryId)
    }
  }),
  refused("eip-2098", "The compact form.", { sign: digest => signCompact(bot, digest) }),
  refused("66-bytes", "A byte too many.", { sign: digest => `${sign(bot, digest)}00` }),
  refused("request-signature", "The bot's signature of a request with the same nonce.", {
    sign: (_, { accountId, botAddress, expiresAt, ownerRequestNonce }) =>
      sign(
        bot,
        requestDigest(AUDIENCE, CHAIN, {
          accountId,
          signer: botAddress,
          grantId: "",
          method: "POST",
          requestTarget: `/api/v1/accounts/${accountId}/bots`,
          contentType: "application/json",
          bodyHash: word("00"),
          issuedAt: NOW,
          expiresAt,
          nonce: ownerRequestNonce,
          idempotencyKey: ""
        })
      )
  })
]

export const botProofs = [...acceptedProofs, ...refusedProofs]
