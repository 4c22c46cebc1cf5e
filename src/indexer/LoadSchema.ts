/** Verifies the pinned files of the indexed source, and that the declarations are those that they were written with. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { Sha256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { entityEnums, entityFacts } from "./generated/Entities.ts"
import { SchemaIntegrity } from "./refusals.ts"

const Manifest = strict({
  protocolVersion: Schema.Literal(6),
  files: strict({ "entities.json": Sha256, "schema.graphql": Sha256 }),
  declarations: Sha256
})

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const damaged = (file: string, detail: string) => new SchemaIntegrity({ detail, context: { file } })

const readText = (directory: string, file: string) =>
  Effect.tryPromise({
    try: () => readFile(join(directory, file), "utf8"),
    catch: () => damaged(file, `The pinned file ${file} cannot be read.`)
  })

/** The SHA-256 of the pinned GraphQL schema. */
export const loadSchema = Effect.fn("Indexer.loadSchema")(function* (directory: string) {
  const text = yield* readText(directory, "manifest.json")
  const { files, declarations } = yield* Effect.mapError(
    Schema.decode(Schema.parseJson(Manifest))(text),
    () => damaged("manifest.json", "The pinned file manifest.json does not have its declared form.")
  )
  for (const [file, hash] of Object.entries(files))
    if (sha256(yield* readText(directory, file)) !== hash)
      return yield* damaged(file, `The pinned file ${file} does not match its hash.`)
  if (sha256(canonicalJson({ entities: entityFacts, enums: entityEnums })) !== declarations)
    return yield* damaged("manifest.json", "The declared entities are not those that are pinned.")
  return files["schema.graphql"]
})
