/** Rows of the accounts tables, decoded once. */
import { Effect, Schema } from "effect"
import { decoder } from "../values/Conforms.ts"
import { checksummed } from "../values/Scalars.ts"
import { type Account, type BotGrant, Scopes } from "./Account.ts"

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
