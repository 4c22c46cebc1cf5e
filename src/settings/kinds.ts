/** What a setting may look like: the schema of its text and the words that tell an operator so. */
import { isIP } from "node:net"
import { resolve } from "node:path"
import { Effect, ParseResult, Schema } from "effect"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { Address, Bytes32, ChainId } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import type { PaymentContract } from "./Settings.ts"

export interface Kind<A> {
  readonly what: string
  readonly schema: Schema.Schema<A, string>
  /** A secret's text is never shown. */
  readonly secret: boolean
}

const kind = <A>(what: string, schema: Schema.Schema<A, string>, secret = false): Kind<A> => ({
  what,
  schema,
  secret
})

const Decimal = Schema.String.pipe(Schema.pattern(/^(?:0|[1-9][0-9]{0,77})$/))

export const integerKind = (minimum: number, maximum: number, what = "an integer"): Kind<number> =>
  kind(
    `${what} from ${minimum} to ${maximum}`,
    Schema.compose(Decimal, Schema.NumberFromString).pipe(Schema.between(minimum, maximum))
  )

export const amountKind: Kind<bigint> = kind(
  "a positive decimal integer of at most 78 digits",
  Schema.compose(Decimal, Schema.BigInt).pipe(Schema.positiveBigInt())
)

export const choice = <const Values extends readonly [string, ...Array<string>]>(
  ...values: Values
): Kind<Values[number]> => kind(`one of ${values.join(", ")}`, Schema.Literal(...values))

export const host: Kind<string> = kind(
  "a host name or an IP address without port",
  Schema.String.pipe(Schema.filter(text => isIP(text) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text)))
)

const path = (what: string): Kind<string> =>
  kind(
    what,
    Schema.transform(Schema.String, Schema.String, {
      decode: text => resolve(text),
      encode: absolute => absolute
    })
  )

export const directory = path("a path of a directory")
export const file = path("a path of a file")

export const redacted = <A>(inner: Kind<A>) => kind(inner.what, Schema.Redacted(inner.schema), true)

export const listKind = <A>(what: string, item: Kind<A>): Kind<ReadonlyArray<A>> =>
  kind(
    what,
    Schema.compose(
      Schema.transform(Schema.String, Schema.Array(Schema.String), {
        decode: text => text.split(",").map(part => part.trim()),
        encode: parts => parts.join(",")
      }),
      Schema.Array(item.schema)
    ),
    item.secret
  )

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.[0-9]{1,3}){3}$/.test(hostname)

const URL_TEXT = /^[a-z]+:\/\/[!-~]+$/i

const urlWhere = (accept: (url: URL, text: string) => boolean) =>
  Schema.String.pipe(
    Schema.filter(text => {
      const url = URL_TEXT.test(text) ? parsedUrl(text) : undefined
      return url !== undefined && accept(url, text)
    })
  )

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Credentials are decoded before they are sent. */
const hasDecodable = (url: URL): boolean => isDecodable(url.username) && isDecodable(url.password)

const isSecure = (url: URL): boolean =>
  hasDecodable(url) && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))

export const secureUrl: Kind<string> = kind(
  "an https URL, or an http URL of this machine, without fragment",
  urlWhere((url, text) => isSecure(url) && !text.includes("#"))
)

/** What stands behind the host would be left out without a word. */
export const secureOrigin: Kind<string> = kind(
  "an https URL, or an http URL of this machine, without path, query and fragment",
  urlWhere((url, text) => isSecure(url) && url.pathname === "/" && !/[?#]/.test(text))
)

const isHttp = (url: URL): boolean => url.protocol === "http:" || url.protocol === "https:"

/** Credentials travel in headers, where no log shows them. */
export const sourceUrl: Kind<string> = kind(
  "an http or https URL without credentials and fragment",
  urlWhere((url, text) => isHttp(url) && url.username === "" && url.password === "" && !text.includes("#"))
)

export const httpUrl: Kind<string> = kind(
  "an http or https URL with well-formed credentials, if any",
  urlWhere(url => isHttp(url) && hasDecodable(url))
)

export const databaseUrl: Kind<string> = kind(
  "a postgresql:// URL",
  urlWhere(url => url.protocol === "postgresql:" || url.protocol === "postgres:")
)

const isPublic = (url: URL): boolean =>
  url.protocol === "https:" ||
  (url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))

/** Signatures are bound to these very characters, so only the one form that URL parsing leaves alone is taken. */
const isAudience = (url: URL, text: string): boolean =>
  isPublic(url) &&
  (url.href === text || url.href === `${text}/`) &&
  url.username === "" &&
  url.password === "" &&
  !/[?#]/.test(text) &&
  !url.pathname.includes("//")

export const audience: Kind<string> = kind(
  "an https URL (http for localhost, 127.0.0.1 or [::1] only) in canonical form without credentials, query and fragment",
  Schema.transform(urlWhere(isAudience), Schema.String, {
    decode: text => text.replace(/\/$/, ""),
    encode: text => text
  })
)

const isAddressRange = (text: string): boolean => {
  const [address = "", prefix, ...rest] = text.split("/")
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

export const addressRange: Kind<string> = kind(
  "an IP address or CIDR range",
  Schema.String.pipe(Schema.filter(isAddressRange))
)

export const secretText = (minimumBytes: number): Kind<string> =>
  kind(
    `a text of at least ${minimumBytes} bytes without spaces`,
    Schema.String.pipe(Schema.filter(text => /^[!-~]+$/.test(text) && text.length >= minimumBytes))
  )

const ByChain = Schema.parseJson(
  Schema.Record({ key: Schema.String, value: strict({ address: Address, runtimeCodeHash: Bytes32 }) })
)

const ChainKey = Schema.compose(Decimal, Schema.NumberFromString).pipe(Schema.compose(ChainId))

const PaymentContracts = Schema.Array(
  Schema.Struct({
    chainId: Schema.typeSchema(ChainId),
    address: Schema.typeSchema(Address),
    runtimeCodeHash: Bytes32
  })
)

export const paymentContracts: Kind<ReadonlyArray<PaymentContract>> = kind(
  'a JSON object of contracts by chain id, such as {"1":{"address":"0x…","runtimeCodeHash":"0x…"}}',
  Schema.transformOrFail(ByChain, PaymentContracts, {
    strict: true,
    decode: byChain =>
      Effect.forEach(Object.entries(byChain), ([chain, contract]) =>
        Effect.map(ParseResult.decodeUnknown(ChainKey)(chain), chainId => ({ chainId, ...contract }))
      ),
    encode: contracts =>
      ParseResult.succeed(
        Object.fromEntries(contracts.map(({ chainId, ...contract }) => [String(chainId), contract]))
      )
  })
)

const HeaderName = Schema.String.pipe(
  Schema.pattern(/^(?!(?:host|content-length|transfer-encoding|connection)$)[!#$%&'*+.^_`|~0-9a-z-]+$/i)
)
const HeaderValue = Schema.String.pipe(Schema.pattern(/^[\t -~]*$/))

export const headers: Kind<Readonly<Record<string, string>>> = kind(
  'a JSON object of HTTP headers other than those of the connection, such as {"authorization":"Bearer …"}',
  Schema.parseJson(
    Schema.Record({ key: HeaderName, value: HeaderValue }).annotations({
      parseOptions: { onExcessProperty: "error" }
    })
  )
)
