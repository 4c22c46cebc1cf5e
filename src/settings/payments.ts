/** The environment variable of the payment pilot: which apps may ask the owners of which wallets for a payment, by a passkey. */
import { isIP } from "node:net"
import { Schema } from "effect"
import { Address } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { type Kind, secureUrl } from "./kinds.ts"
import { optionalVariable } from "./Variable.ts"

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const WebUrl = secureUrl.schema.pipe(
  Schema.filter(text => !text.includes("#") && new URL(text).username === "")
)

/** As browsers tell it. */
const Origin = WebUrl.pipe(Schema.filter(text => new URL(text).origin === text))

const PaymentApp = strict({ bot: Address, origin: Origin, callbackUri: WebUrl }).pipe(
  Schema.filter(({ origin, callbackUri }) => new URL(callbackUri).origin === origin)
)

const WalletPayments = strict({
  issuer: WebUrl,
  rpId: Schema.String.pipe(Schema.maxLength(253), Schema.pattern(HOST_NAME)),
  apps: Schema.Array(PaymentApp).pipe(
    Schema.minItems(1),
    Schema.filter(apps => new Set(apps.map(({ bot }) => bot)).size === apps.length)
  ),
  manifestIds: Schema.Array(Schema.NonEmptyString).pipe(Schema.minItems(1))
})

export type WalletPaymentSettings = typeof WalletPayments.Type

const walletPayments: Kind<WalletPaymentSettings> = {
  what: 'a JSON object such as {"issuer":"https://wallet.example","rpId":"wallet.example","apps":[{"bot":"0x…","origin":"https://app.example","callbackUri":"https://app.example/paid"}],"manifestIds":["…"]}, of secure URLs, each app\'s callback of its own origin and each bot once',
  schema: Schema.parseJson(WalletPayments),
  secret: false
}

export const paymentSettings = {
  walletPayments: optionalVariable(
    "SERVICE_WALLET_PAYMENTS",
    walletPayments,
    "no payment reviews",
    "Pilot: apps that may have a wallet's owner approve a payment by a passkey of rpId, a suffix of the public URL's host."
  )
} as const

/** Whether pages of this host may use passkeys of that name: browsers take no address, and no domain that hosts of others are under. */
export const isPasskeyHost = (audience: string, rpId: string): boolean => {
  const { hostname } = new URL(audience)
  return isIP(hostname) === 0 && (hostname === rpId || (rpId.includes(".") && hostname.endsWith(`.${rpId}`)))
}
