/** Reads the bundles and refuses them unless each is what its id says. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Either, Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { memo } from "../values/Memo.ts"
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

/** Reads one bundle; services that run in one process share what a text is read as. */
const readerOf = <A extends { readonly bundleId: string }, I>(
  file: string,
  schema: Schema.Schema<A, I>,
  maximumBytes: number
) => {
  const known = memo<Either.Either<A, ReferenceIntegrity>>(2)
  const judged = (text: string): Either.Either<A, ReferenceIntegrity> =>
    Either.flatMap(
      Either.mapLeft(Schema.decodeEither(Schema.parseJson(schema))(text), () =>
        damaged(file, "does not have its declared form")
      ),
      bundle => {
        const { bundleId, ...content } = bundle
        return bundleIdOf(content) === bundleId
          ? Either.right(bundle)
          : Either.left(damaged(file, "does not match its id"))
      }
    )
  return Effect.fn("Bundles.read")(function* (directory: string) {
    const bytes = yield* Effect.tryPromise({
      try: () => readFile(join(directory, file)),
      catch: () => damaged(file, "cannot be read")
    })
    if (bytes.length > maximumBytes) return yield* damaged(file, "is too large")
    return yield* known(createHash("sha256").update(bytes).digest("hex"), () => judged(bytes.toString()))
  })
}

const readDocuments = readerOf(bundleFiles.documents, DocumentBundle, DOCUMENTS_BYTES)
const readSamples = readerOf(bundleFiles.samples, SampleBundle, SAMPLES_BYTES)
const readIntegration = readerOf(bundleFiles.integration, IntegrationBundle, SAMPLES_BYTES)

export const readBundles = (directory: string) =>
  Effect.all({
    documents: readDocuments(directory),
    samples: readSamples(directory),
    integration: readIntegration(directory)
  })
