/** Reads the pinned inventory and refuses it unless every file has the hash that its manifest states. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Either, Schema } from "effect"
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
import { CatalogIntegrity } from "./refusals.ts"

type DataFile = (typeof DATA_FILES)[number]

const damaged = (file: string, detail: string) => new CatalogIntegrity({ detail, context: { file } })

const readText = (directory: string, file: string) =>
  Effect.tryPromise({
    try: () => readFile(join(directory, file), "utf8"),
    catch: () => damaged(file, `The pinned file ${file} cannot be read.`)
  })

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
  const text = yield* readText(directory, file)
  if (sha256(text) !== manifest.files[file]) {
    return yield* damaged(file, `The pinned file ${file} does not match its hash.`)
  }
  return text
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

type Texts = Readonly<Record<DataFile, string>>

const inventoryOf = (manifest: Manifest, texts: Texts) =>
  Either.gen(function* () {
    const rows = <A, I>(file: DataFile, schema: Schema.Schema<A, I>) => parse(schema, file, texts[file])
    return {
      manifest,
      packages: yield* rows("packages.json", PackageRows),
      contracts: yield* rows("contracts.json", ContractRows),
      deployments: yield* rows("deployments.json", DeploymentRows),
      exclusions: yield* rows("exclusions.json", Exclusions),
      abis: parseAbis(texts["abis.ndjson"])
    }
  })
export type Inventory = Either.Either.Right<ReturnType<typeof inventoryOf>>

/** By the hash of all files: services that run in one process share what they are read as. */
const known = memo<ReturnType<typeof inventoryOf>>(2)

export const loadInventory = Effect.fn("LoadInventory.load")(function* (directory: string) {
  const manifest = yield* readManifest(directory)
  const text = (file: DataFile) => readPinned(directory, manifest, file)
  const texts: Texts = {
    "packages.json": yield* text("packages.json"),
    "contracts.json": yield* text("contracts.json"),
    "deployments.json": yield* text("deployments.json"),
    "exclusions.json": yield* text("exclusions.json"),
    "abis.ndjson": yield* text("abis.ndjson")
  }
  return yield* known(manifest.inventoryHash, () => inventoryOf(manifest, texts))
})

export const loadOverlay = (path: string) =>
  Effect.flatMap(readText("", path), content => parse(OverlayManifest, path, content))
