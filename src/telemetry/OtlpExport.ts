/** Sends spans to an OTLP endpoint over HTTP; a slow or absent endpoint costs a bounded wait and never a request. */
import { randomUUID } from "node:crypto"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import { Effect, Layer, Redacted } from "effect"
import { withoutCredentials } from "../values/UrlCredentials.ts"
import { quietTracer } from "./QuietTracer.ts"

const PATH = "/v1/traces"
const EXPORT_DEADLINE = "5 seconds"
const SERVICE_NAME = "signed-request-service"

const placeOf = (endpoint: Redacted.Redacted<string>) => {
  const url = new URL(Redacted.value(endpoint))
  if (!url.pathname.endsWith(PATH)) url.pathname = `${url.pathname.replace(/\/$/, "")}${PATH}`
  return withoutCredentials(url)
}

const TOO_MANY = 429

/** The exporter would wait as long as a refusal says, with all spans; of what dies it keeps none, and pauses. */
const bounded = <E, R>(response: Effect.Effect<HttpClientResponse, E, R>) =>
  Effect.timeout(response, EXPORT_DEADLINE).pipe(
    Effect.orDie,
    Effect.filterOrDieMessage(({ status }) => status !== TOO_MANY, "too many spans")
  )

/** Credentials and spans go to the endpoint that was named, and nowhere that it points to. */
const unredirected = Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" })

const boundedClient = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, client => HttpClient.transformResponse(client, bounded))
).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(unredirected))

export const otlpTracer = (endpoint: Redacted.Redacted<string>) =>
  OtlpTracer.make({
    ...placeOf(endpoint),
    resource: { serviceName: SERVICE_NAME, attributes: { "service.instance.id": randomUUID() } }
  }).pipe(Effect.map(quietTracer), Effect.provide(Layer.merge(boundedClient, OtlpSerialization.layerJson)))
