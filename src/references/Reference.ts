/** The bundles of reference texts as `npm run references` writes them; texts are for reading, never instructions. */
import { Schema } from "effect"
import { Sha256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

export const DOCUMENTS_BYTES = 16 * 1_048_576
export const SAMPLES_BYTES = 12 * 1_048_576
const MAXIMUM_CHARACTERS = 750_000
const MAXIMUM_DOCUMENTS = 2_000
const MAXIMUM_SAMPLES = 250

const Id = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(160))
const Text = Schema.String.pipe(Schema.maxLength(MAXIMUM_CHARACTERS))
const Name = Schema.NonEmptyString
const NotKnown = Schema.Null.annotations({ description: "not known when the bundle was written" })

export const Category = Schema.Literal("contracts", "sdk", "indexer", "service", "skills")
export type Category = typeof Category.Type

const Source = strict({
  repository: Name,
  path: Name,
  commit: NotKnown,
  fileSha256: Sha256,
  license: Name
}).annotations({
  identifier: "ReferenceSource",
  description: "The file that a document was made from, and its SHA-256."
})

export const ReferenceMetadata = strict({
  id: Id,
  title: Name,
  category: Category,
  uri: Name,
  characters: Schema.NonNegativeInt,
  source: Source
}).annotations({ identifier: "ReferenceMetadata" })
export type ReferenceMetadata = typeof ReferenceMetadata.Type

const ReferenceDocument = strict({ ...ReferenceMetadata.fields, text: Text })
export type ReferenceDocument = typeof ReferenceDocument.Type

const Line = Schema.Int.pipe(Schema.positive())

const SampleSource = strict({
  repository: Name,
  path: Name,
  commit: NotKnown,
  fileSha256: Sha256,
  fileDirty: NotKnown,
  repositoryDirty: NotKnown,
  packageVersion: Schema.optionalWith(Schema.String, { exact: true }),
  upstreamUrl: NotKnown,
  spdxLicenseIdentifier: Name,
  copyrightNotices: Schema.Array(Schema.String),
  startLine: Line,
  endLine: Line
}).annotations({ identifier: "SampleSource" })

export const WebclientReference = strict({
  id: Id,
  title: Name,
  kind: Schema.Literal("implementation", "test", "manifest"),
  framework: Schema.Literal("react", "vanilla", "shared"),
  uri: Name,
  characters: Schema.NonNegativeInt,
  exports: Schema.Array(Schema.String),
  imports: Schema.Array(Schema.String),
  source: SampleSource
}).annotations({ identifier: "WebclientReference" })
export type WebclientReference = typeof WebclientReference.Type

const Sample = strict({ ...WebclientReference.fields, text: Text })
export type Sample = typeof Sample.Type

const ProjectType = Schema.Literal("project", "revnet")
export type ProjectType = typeof ProjectType.Type

const Binding = strict({
  referenceId: Id,
  symbol: Name,
  importFrom: Schema.optionalWith(Name, { exact: true })
}).annotations({ identifier: "IntegrationBinding" })

const Action = strict({
  phase: Schema.Literal("read", "build", "prove"),
  description: Name,
  bindings: Schema.Array(Binding)
})

export const IntegrationFeature = strict({
  id: Id,
  title: Name,
  projectTypes: Schema.Array(ProjectType),
  dependsOn: Schema.Array(Id),
  actions: Schema.Array(Action).pipe(Schema.minItems(3)),
  constraints: Schema.Array(Name),
  sourceIds: Schema.Array(Id),
  testIds: Schema.Array(Id)
}).annotations({ identifier: "IntegrationFeature" })
export type IntegrationFeature = typeof IntegrationFeature.Type

interface Listed {
  readonly id: string
  readonly characters: number
  readonly text: string
}

/** By id, no one twice, each of the length that it says. */
const isInOrder = (items: ReadonlyArray<Listed>): boolean =>
  items.every(
    ({ id, characters, text }, index) =>
      characters === text.length && (index === 0 || (items[index - 1]?.id ?? "") < id)
  )

const listOf = <A extends Listed, I>(item: Schema.Schema<A, I>, longest: number) =>
  Schema.Array(item).pipe(Schema.maxItems(longest), Schema.filter(isInOrder))

export const DocumentBundle = strict({
  bundleId: Sha256,
  documents: listOf(ReferenceDocument, MAXIMUM_DOCUMENTS)
})

export const SampleBundle = strict({
  bundleId: Sha256,
  references: listOf(Sample, MAXIMUM_SAMPLES)
})

export const IntegrationBundle = strict({
  bundleId: Sha256,
  architecture: Schema.Array(Name).pipe(Schema.itemsCount(5)),
  warnings: Schema.Array(Name),
  features: Schema.Array(IntegrationFeature)
})
export type IntegrationBundle = typeof IntegrationBundle.Type
