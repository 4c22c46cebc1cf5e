import { Schema } from "effect"
import { IntegrationFeature, ReferenceMetadata, WebclientReference } from "../../references/Reference.ts"
import { ChainId, Sha256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { Feature } from "../inputs/References.ts"

const Texts = Schema.Array(Schema.String)

const bundle = {
  bundleId: Sha256.annotations({ description: "SHA-256 of the bundle's canonical JSON" }),
  referenceOnly: Schema.Literal(true)
}

const page = {
  text: Schema.String,
  offset: Schema.NonNegativeInt,
  totalCharacters: Schema.NonNegativeInt,
  nextOffset: Schema.NullOr(Schema.NonNegativeInt),
  paginationUnit: Schema.Literal("UTF-16 code units")
}

const listed = { nextOffset: Schema.NullOr(Schema.NonNegativeInt), total: Schema.NonNegativeInt }

export const searchReference = declareOperation({
  id: "search_reference",
  input: readInputs.search_reference,
  output: strict({
    ...bundle,
    query: Schema.String,
    totalMatches: Schema.NonNegativeInt,
    results: Schema.Array(
      strict({ metadata: ReferenceMetadata, score: Schema.NonNegative, excerpt: Schema.String })
    ),
    contractReferences: Texts.annotations({
      description: "names that get_contract knows and the query means"
    }),
    warnings: Texts
  }).annotations({ identifier: "ReferenceFindings" }),
  problems: []
})

export const getReference = declareOperation({
  id: "get_reference",
  input: readInputs.get_reference,
  output: strict({ ...bundle, ...ReferenceMetadata.fields, ...page, warnings: Texts }).annotations({
    identifier: "ReferencePage"
  }),
  problems: ["REFERENCE_NOT_FOUND"]
})

export const listReferences = declareOperation({
  id: "list_references",
  input: readInputs.list_references,
  output: strict({ ...bundle, documents: Schema.Array(ReferenceMetadata), ...listed }).annotations({
    identifier: "ReferenceList"
  }),
  problems: []
})

export const listWebclientReferences = declareOperation({
  id: "list_webclient_references",
  input: readInputs.list_webclient_references,
  output: strict({ ...bundle, references: Schema.Array(WebclientReference), ...listed }).annotations({
    identifier: "WebclientReferenceList"
  }),
  problems: []
})

const Line = Schema.Int.pipe(Schema.positive())

export const getWebclientReference = declareOperation({
  id: "get_webclient_reference",
  input: readInputs.get_webclient_reference,
  output: strict({
    ...bundle,
    ...WebclientReference.fields,
    ...page,
    pageStartLine: Line,
    pageEndLine: Line,
    warnings: Texts
  }).annotations({ identifier: "WebclientReferencePage" }),
  problems: ["REFERENCE_NOT_FOUND"]
})

export const planIntegration = declareOperation({
  id: "plan_integration",
  input: readInputs.plan_integration,
  output: strict({
    ...bundle,
    publicOrigin: Schema.String,
    request: Schema.typeSchema(readInputs.plan_integration),
    addedDependencies: Schema.Array(Feature),
    chainScope: Schema.Array(
      strict({ chainId: ChainId, deploymentStatus: Schema.Literal("requires-live-verification") })
    ),
    architecture: Texts,
    features: Schema.Array(IntegrationFeature),
    sdkImports: Schema.Array(strict({ from: Schema.String, symbols: Texts })),
    references: Schema.Array(WebclientReference),
    warnings: Texts
  }).annotations({ identifier: "IntegrationPlan" }),
  problems: ["UNSUPPORTED_CHAIN"]
})
