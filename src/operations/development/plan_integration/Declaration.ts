import { Schema } from "effect"
import { IntegrationFeature, WebclientReference } from "../../../references/Reference.ts"
import { ChainId } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { distinct, list } from "../../shared/inputs/Parts.ts"
import { bundle } from "../Schemas.ts"

export const Feature = Schema.Literal(
  "indexed-queries",
  "review-pipeline",
  "metadata-center",
  "payments",
  "cashouts",
  "721-storefront",
  "buyback-routing",
  "router-terminal",
  "project-launch",
  "ruleset-editing",
  "revnet-launch",
  "revnet-stages",
  "revnet-loans",
  "account-portfolio",
  "omnichain-claims"
)

export type Feature = typeof Feature.Type

const Texts = Schema.Array(Schema.String)

const Input = strict({
  framework: Schema.Literal("react", "vanilla"),
  features: distinct(list(Feature, 15, 1)),
  projectType: Schema.Literal("project", "revnet"),
  chainIds: distinct(list(ChainId, 8, 1))
})

export const planIntegration = declareOperation({
  id: "plan_integration",
  kind: "reference",
  sources: ["reference"],
  title: "Plan an integration",
  description:
    "Which features, in which order and with which references, an application of this kind is built from.",
  input: Input,
  output: strict({
    ...bundle,
    publicOrigin: Schema.String,
    request: Schema.typeSchema(Input),
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
