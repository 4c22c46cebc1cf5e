/** The limit that a service can reach here: a bare node:http front with digest, recovery and the batched ledger call alone. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { AccountActors } from "../src/accounts/AccountActors.ts"
import { NonceLedger } from "../src/accounts/NonceLedger.ts"
import { DatabaseClock } from "../src/database/DatabaseClock.ts"
import { poolLayer } from "../src/database/Pool.ts"
import { Settings } from "../src/settings/Settings.ts"
import { recover } from "../src/signatures/Recover.ts"
import { keccak256 } from "../src/values/Keccak.ts"
import { requestDigest } from "../src/values/TypedDataHash.ts"
import { AUDIENCE, CHAIN } from "./support/Requests.ts"

const NO_BODY = keccak256(new Uint8Array(0))
const QUOTA = 1_000_000_000

const settings = Settings.from({
  SERVICE_DATA_DIR: process.env.DATA ?? "",
  SERVICE_DATABASE_URL: process.env.DATABASE ?? "",
  SERVICE_QUOTA_OWNER: String(QUOTA),
  SERVICE_RPC_1: "http://127.0.0.1:1"
})

const runtime = ManagedRuntime.make(
  NonceLedger.layer.pipe(
    Layer.provide(AccountActors.layer),
    Layer.provide(DatabaseClock.layer),
    Layer.provide(poolLayer({ url: Redacted.make(process.env.DATABASE ?? ""), connections: 10 })),
    Layer.provide(settings)
  )
)
const ledger = await runtime.runPromise(NonceLedger)

const answer = (response: ServerResponse, status: number) => {
  const body = JSON.stringify({ status })
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length }).end(body)
}

const text = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? "")

const hex = (value: string): `0x${string}` => `0x${value.slice(2)}`

createServer((request, response) => {
  if (request.headers["x-service-signature"] === undefined) return answer(response, 401)
  const accountId = text(request, "x-service-account")
  const signer = hex(text(request, "x-service-signer"))
  const nonce = hex(text(request, "x-service-nonce"))
  const issuedAt = Number(text(request, "x-service-issued-at"))
  const expiresAt = Number(text(request, "x-service-expires-at"))
  const digest = requestDigest(AUDIENCE, CHAIN, {
    accountId,
    signer,
    grantId: "",
    method: request.method ?? "",
    requestTarget: request.url ?? "",
    contentType: "",
    bodyHash: NO_BODY,
    issuedAt,
    expiresAt,
    nonce,
    idempotencyKey: ""
  })
  if (recover(digest, text(request, "x-service-signature")) !== signer) return answer(response, 401)
  const judged = ledger.judge({
    accountId,
    signer,
    grantId: undefined,
    ownerOnly: false,
    scope: "read",
    nonce,
    issuedAt,
    expiresAt,
    wantsAccount: false
  })
  runtime.runFork(
    judged.pipe(
      Effect.flatMap(({ verdict }) => verdict),
      Effect.match({ onFailure: () => answer(response, 409), onSuccess: () => answer(response, 200) })
    )
  )
}).listen(Number(process.env.PORT), "127.0.0.1")
