/** Reads the bundles and refuses them unless each is what its id says. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Either, Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import {
  DOCUMENTS_BYTES,
  DocumentBundle,
  IntegrationBundle,
  SAMPLES_BYTES,
  SampleBundle
} from "./Reference.ts"
import { ReferenceIntegrity } from "./refusals.ts"

export const bundleFiles = {
  documents: "documents.json",
  samples: "webclient.json",
  integration: "integration.json"
} as const

/** SHA-256 of the canonical JSON of everything else in the bundle. */
export const bundleIdOf = (content: object): string =>
  createHash("sha256").update(canonicalJson(content)).digest("hex")

const damaged = (file: string, fault: string) =>
  new ReferenceIntegrity({ detail: `The reference bundle ${file} ${fault}.`, context: { file } })

const read = Effect.fn("Bundles.read")(function* <A extends { readonly bundleId: string }, I>(
  directory: string,
  file: string,
  schema: Schema.Schema<A, I>,
  maximumBytes: number
) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(join(directory, file), "utf8"),
    catch: () => damaged(file, "cannot be read")
  })
  if (Buffer.byteLength(text) > maximumBytes) return yield* damaged(file, "is too large")
  const decoded = Schema.decodeEither(Schema.parseJson(schema))(text)
  if (Either.isLeft(decoded)) return yield* damaged(file, "does not have its declared form")
  const { bundleId, ...content } = decoded.right
  if (bundleIdOf(content) !== bundleId) return yield* damaged(file, "does not match its id")
  return decoded.right
})

export const readBundles = (directory: string) =>
  Effect.all({
    documents: read(directory, bundleFiles.documents, DocumentBundle, DOCUMENTS_BYTES),
    samples: read(directory, bundleFiles.samples, SampleBundle, SAMPLES_BYTES),
    integration: read(directory, bundleFiles.integration, IntegrationBundle, SAMPLES_BYTES)
  })
