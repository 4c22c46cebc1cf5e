/** Reads the pinned inventory and refuses it unless every file has the hash that its manifest states. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Either, Schema } from "effect"
import { faultyPlace } from "../settings/FaultyPlace.ts"
import { systemCode } from "../settings/StartFailure.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { memo } from "../values/Memo.ts"
import { type Abi, sha256 } from "./Abi.ts"
import {
  ContractRows,
  type DATA_FILES,
  DeploymentRows,
  Exclusions,
  Manifest,
  OverlayManifest,
  PackageRows
} from "./Inventory.ts"
import { CatalogIntegrity, OverlayUnusable } from "./refusals.ts"

type DataFile = (typeof DATA_FILES)[number]

const damaged = (file: string, detail: string) => new CatalogIntegrity({ detail, context: { file } })

const readBytes = (directory: string, file: string) =>
  Effect.tryPromise({
    try: () => readFile(join(directory, file)),
    catch: () => damaged(file, `The pinned file ${file} cannot be read.`)
  })

const readText = (directory: string, file: string) => Effect.map(readBytes(directory, file), String)

const parse = <A, I>(
  schema: Schema.Schema<A, I>,
  file: string,
  text: string
): Either.Either<A, CatalogIntegrity> =>
  Either.mapLeft(Schema.decodeEither(Schema.parseJson(schema))(text), () =>
    damaged(file, `The pinned file ${file} does not have its declared form.`)
  )

const readManifest = Effect.fn("LoadInventory.manifest")(function* (directory: string) {
  const file = "manifest.json"
  const manifest = yield* parse(Manifest, file, yield* readText(directory, file))
  const { inventoryHash, ...rest } = manifest
  if (sha256(canonicalJson(rest)) !== inventoryHash) {
    return yield* damaged(file, "The manifest does not match its own inventory hash.")
  }
  return manifest
})

const readPinned = Effect.fn("LoadInventory.pinned")(function* (
  directory: string,
  manifest: Manifest,
  file: DataFile
) {
  const bytes = yield* readBytes(directory, file)
  if (sha256(bytes) !== manifest.files[file]) {
    return yield* damaged(file, `The pinned file ${file} does not match its hash.`)
  }
  return bytes
})

/** One ABI a line in canonical text, so that the hash of a line is the name of the ABI. */
const parseAbis = (text: string): ReadonlyMap<string, Abi> => {
  const abis = new Map<string, Abi>()
  for (const line of text.split("\n")) {
    if (line === "") continue
    const abi: Abi = JSON.parse(line)
    abis.set(sha256(line), abi)
  }
  return abis
}

type Contents = Readonly<Record<DataFile, Buffer>>

const inventoryOf = (manifest: Manifest, contents: Contents) =>
  Either.gen(function* () {
    const rows = <A, I>(file: DataFile, schema: Schema.Schema<A, I>) =>
      parse(schema, file, String(contents[file]))
    return {
      manifest,
      packages: yield* rows("packages.json", PackageRows),
      contracts: yield* rows("contracts.json", ContractRows),
      deployments: yield* rows("deployments.json", DeploymentRows),
      exclusions: yield* rows("exclusions.json", Exclusions),
      abis: parseAbis(String(contents["abis.ndjson"]))
    }
  })
export type Inventory = Either.Either.Right<ReturnType<typeof inventoryOf>>

/** By the hash of all files: services that run in one process share what they are read as. */
const known = memo<ReturnType<typeof inventoryOf>>(2)

export const loadInventory = Effect.fn("LoadInventory.load")(function* (directory: string) {
  const manifest = yield* readManifest(directory)
  const read = (file: DataFile) => readPinned(directory, manifest, file)
  const contents: Contents = {
    "packages.json": yield* read("packages.json"),
    "contracts.json": yield* read("contracts.json"),
    "deployments.json": yield* read("deployments.json"),
    "exclusions.json": yield* read("exclusions.json"),
    "abis.ndjson": yield* read("abis.ndjson")
  }
  return yield* known(manifest.inventoryHash, () => inventoryOf(manifest, contents))
})

const decodeOverlay = Schema.decodeEither(Schema.parseJson(OverlayManifest))

export const loadOverlay = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: cause => new OverlayUnusable(path, `which cannot be read (${systemCode(cause)})`)
  }).pipe(
    Effect.flatMap(text =>
      Either.mapLeft(decodeOverlay(text), error => {
        const place = faultyPlace({ secret: false }, error)
        return new OverlayUnusable(path, `which does not hold the manifest of a sandbox deployment${place}`)
      })
    )
  )
