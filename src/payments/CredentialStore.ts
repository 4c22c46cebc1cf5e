/** The SQL of the passkeys that decide payments. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import type { ServiceBusy } from "../accounts/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { BindingNotFound } from "../smartaccounts/refusals.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { Address, Bytes32 } from "../values/Scalars.ts"

const REGISTER =
  "SELECT register_credential($1, json_populate_record(NULL::credentials, $2::json), $3) AS created_at"

const CredentialRow = Schema.Struct({
  owner: Address,
  credential_id: Schema.String,
  x: Bytes32,
  y: Bytes32,
  counter: Schema.Number
})

const decode = rowDecoder(CredentialRow)
const decodeTime = rowDecoder(Schema.Struct({ created_at: Schema.NullOr(Schema.Number) }))

export interface Passkey {
  /** The contract that is the wallet's owner by it. */
  readonly owner: Address
  readonly credentialId: string
  readonly x: Bytes32
  readonly y: Bytes32
}

export interface StoredPasskey extends Passkey {
  readonly counter: number
}

interface OfBinding {
  readonly accountId: string
  readonly bindingId: Bytes32
  /** The wallet's state that it was looked at in. */
  readonly stateHash: Bytes32
}

export class CredentialStore extends Context.Tag("payments/CredentialStore")<
  CredentialStore,
  {
    /** Since when the wallet has it, which has no other from then on. */
    readonly register: (
      place: OfBinding,
      passkey: Passkey
    ) => Effect.Effect<number, BindingNotFound | ServiceBusy | DatabaseUnavailable>
    readonly find: (bindingId: Bytes32) => Effect.Effect<Option.Option<StoredPasskey>, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    CredentialStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors

      const register = Effect.fnUntraced(function* (
        { accountId, bindingId, stateHash }: OfBinding,
        passkey: Passkey
      ) {
        const { owner, credentialId, x, y } = passkey
        const asked = { binding: bindingId, owner: owner.toLowerCase(), credential_id: credentialId, x, y }
        const [row] = yield* sql.unsafe(REGISTER, [accountId, JSON.stringify(asked), stateHash])
        const { created_at: createdAt } = yield* Effect.orDie(decodeTime(row))
        return createdAt === null ? yield* new BindingNotFound() : createdAt
      }, refusingSql)

      return {
        register: (place, passkey) => actors.run(place.accountId, register(place, passkey)),
        find: Effect.fn("CredentialStore.find")(function* (bindingId: Bytes32) {
          const [row] =
            yield* sql`SELECT owner, credential_id, x, y, counter FROM credentials WHERE binding = ${bindingId}`
          if (row === undefined) return Option.none()
          const { credential_id: credentialId, ...stored } = yield* Effect.orDie(decode(row))
          return Option.some<StoredPasskey>({ ...stored, credentialId })
        }, refusingSql)
      }
    })
  )
}
