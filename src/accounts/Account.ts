/** The account record, its profile and its bots' grants, as clients see them and as the tables hold them. */
import { Effect, Schema } from "effect"
import { checksummed } from "../values/Checksum.ts"
import { decoder } from "../values/Conforms.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { AccountId, Address, ChainId, GrantId, UnixSeconds } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

const utf8 = new TextEncoder()

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const text = (maximumBytes: number) =>
  Schema.String.pipe(
    Schema.filter(
      value => value.isWellFormed() && !CONTROL.test(value) && utf8.encode(value).length <= maximumBytes,
      {
        jsonSchema: { maxLength: maximumBytes }
      }
    )
  ).annotations({
    description: `text of at most ${maximumBytes} UTF-8 bytes without control characters other than tab, LF and CR`
  })

export const NAME_BYTES = 120
export const BIOGRAPHY_BYTES = 2000
export const AVATAR_BYTES = 2048
export const LABEL_BYTES = 120

const WITH_PLAIN_HOST = /^(?:https|ipfs):\/\/[^/?#\s@\\]+(?:[/?#]|$)/

const isAvatarUri = (value: string): boolean =>
  WITH_PLAIN_HOST.test(value) &&
  value.isWellFormed() &&
  !CONTROL.test(value) &&
  !/\s/.test(value) &&
  utf8.encode(value).length <= AVATAR_BYTES &&
  parsedUrl(value) !== undefined

const DisplayName = text(NAME_BYTES)
const Bio = text(BIOGRAPHY_BYTES)
export const AvatarUri = Schema.String.pipe(
  Schema.filter(isAvatarUri, { jsonSchema: { pattern: "^(https|ipfs)://", maxLength: AVATAR_BYTES } })
).annotations({
  description: `an https:// or ipfs:// URL with a host, without user information, of at most ${AVATAR_BYTES} UTF-8 bytes; never fetched`
})

export const Profile = strict({
  displayName: DisplayName,
  bio: Bio,
  avatarUri: Schema.NullOr(AvatarUri)
}).annotations({
  identifier: "Profile",
  description: "What the owner says about the account; it proves no identity and grants no permission."
})
export type Profile = typeof Profile.Type

/** Replaces the whole profile: an omitted member returns to its default. */
export const ProfileReplacement = strict({
  displayName: Schema.optionalWith(DisplayName, { default: () => "" }),
  bio: Schema.optionalWith(Bio, { default: () => "" }),
  avatarUri: Schema.optionalWith(Schema.NullOr(AvatarUri), { default: () => null })
}).annotations({ identifier: "ProfileReplacement" })

export const Account = strict({
  id: AccountId,
  ownerAddress: Schema.typeSchema(Address),
  authorityChainId: ChainId,
  profile: Profile,
  createdAt: UnixSeconds,
  updatedAt: UnixSeconds
}).annotations({ identifier: "Account" })
export type Account = typeof Account.Type

export const Scope = Schema.Literal("read", "plan", "relay")
export type Scope = typeof Scope.Type

const SCOPE_LISTS = 'one of ["read"], ["read","plan"] and ["read","plan","relay"]'

/** The three cumulative lists, in canonical order; no other list exists. */
export const Scopes = Schema.Union(
  Schema.Tuple(Schema.Literal("read")),
  Schema.Tuple(Schema.Literal("read"), Schema.Literal("plan")),
  Schema.Tuple(Schema.Literal("read"), Schema.Literal("plan"), Schema.Literal("relay"))
).annotations({
  identifier: "Scopes",
  description: SCOPE_LISTS,
  message: () => ({ message: SCOPE_LISTS, override: true })
})
export type Scopes = typeof Scopes.Type

const BotLabel = text(LABEL_BYTES)

export const PROOF_RULE =
  "the bot key's 65-byte signature of the ServiceBotProof typed data, as 0x and 130 hexadecimal digits"

export const BotRegistrationBody = strict({
  botAddress: Address,
  scopes: Schema.optionalWith(Scopes, { default: () => ["read"] as const }),
  expiresAt: UnixSeconds,
  label: Schema.optionalWith(BotLabel, { default: () => "" }),
  /** Its form is judged with the proof, under the same code. */
  proofSignature: Schema.String.annotations({
    jsonSchema: { type: "string", description: PROOF_RULE, pattern: "^0x[0-9a-fA-F]{130}$" }
  })
}).annotations({ identifier: "BotRegistration" })
export type BotRegistrationBody = typeof BotRegistrationBody.Type

export const BotGrant = strict({
  id: GrantId,
  accountId: AccountId,
  botAddress: Schema.typeSchema(Address),
  scopes: Scopes,
  label: BotLabel,
  createdAt: UnixSeconds,
  expiresAt: UnixSeconds,
  revokedAt: Schema.NullOr(UnixSeconds),
  state: Schema.Literal("active", "expired", "revoked")
}).annotations({
  identifier: "Bot",
  description: "A bot's grant; its state is derived on the database clock."
})
export type BotGrant = typeof BotGrant.Type

const AccountRow = Schema.Struct({
  number: Schema.Number,
  id: Schema.String,
  authority_chain_id: Schema.Number,
  owner_address: Schema.String,
  display_name: Schema.String,
  bio: Schema.String,
  avatar_uri: Schema.NullOr(Schema.String),
  created_at: Schema.Number,
  updated_at: Schema.Number
})

const decodeAccount = decoder(AccountRow)

/** Each by its name: a transaction that has begun cannot go on where a later build gave the table further ones. */
export const ACCOUNT_COLUMNS = Object.keys(AccountRow.fields).join(", ")

export interface StoredAccount {
  readonly number: number
  readonly account: Account
}

/** A row that does not decode is our own mistake. */
export const accountFromRow = (row: unknown): Effect.Effect<StoredAccount> =>
  Effect.map(Effect.orDie(decodeAccount(row)), stored => ({
    number: stored.number,
    account: {
      id: stored.id,
      ownerAddress: checksummed(stored.owner_address),
      authorityChainId: stored.authority_chain_id,
      profile: { displayName: stored.display_name, bio: stored.bio, avatarUri: stored.avatar_uri },
      createdAt: stored.created_at,
      updatedAt: stored.updated_at
    }
  }))

const GrantRow = Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  bot_address: Schema.String,
  scopes: Scopes,
  label: Schema.String,
  created_at: Schema.Number,
  expires_at: Schema.Number,
  revoked_at: Schema.NullOr(Schema.Number),
  clock: Schema.Number
})

const decodeGrant = Schema.decodeUnknown(GrantRow)

const stateOf = (row: typeof GrantRow.Type): BotGrant["state"] => {
  if (row.revoked_at !== null) return "revoked"
  return row.expires_at <= row.clock ? "expired" : "active"
}

export const grantFromRow = (row: unknown): Effect.Effect<BotGrant> =>
  Effect.map(Effect.orDie(decodeGrant(row)), stored => ({
    id: stored.id,
    accountId: stored.account_id,
    botAddress: checksummed(stored.bot_address),
    scopes: stored.scopes,
    label: stored.label,
    createdAt: stored.created_at,
    expiresAt: stored.expires_at,
    revokedAt: stored.revoked_at,
    state: stateOf(stored)
  }))
