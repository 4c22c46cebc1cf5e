import { Schema } from "effect"
import { Address, ChainId } from "../../values/Scalars.ts"
import { emptyObject, strict } from "../../values/Strict.ts"
import { Calldata, distinct, int, limit, list, offset, optional, text, withDefault } from "./Shared.ts"

const Uuid = Schema.String.pipe(
  Schema.pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
).annotations({ description: "a lower-case UUID" })

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

export const ReferenceCategory = Schema.Literal("contracts", "sdk", "indexer", "service", "skills")

/** Judged by the operation, which refuses others with a code of its own. */
const NamedContract = text(100, 1)

const Page = { offset: offset(750_000), limit: withDefault(int(1, 24_000), 8_000) }

const DeploymentCall = strict({ chainId: ChainId, to: Address, data: Calldata })

/** Its application decides what it holds. */
const ClientDocument = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "an object of the client's own, kept and hashed as it is",
  jsonSchema: { type: "object", additionalProperties: true }
})

export const referenceInputs = {
  plan_integration: strict({
    framework: Schema.Literal("react", "vanilla"),
    features: distinct(list(Feature, 15, 1)),
    projectType: Schema.Literal("project", "revnet"),
    chainIds: distinct(list(ChainId, 8, 1))
  }),
  get_webclient_reference: strict({ id: text(160, 1), ...Page }),
  list_webclient_references: strict({ offset: offset(), limit: limit() }),
  get_intent: strict({ id: Uuid }),
  prepare_intent: strict({
    format: Schema.String.pipe(Schema.pattern(/^[a-z0-9.-]{1,80}\/[A-Za-z0-9._-]{1,32}$/)).annotations({
      description: "the application and its version, as application/version"
    }),
    deploymentVersion: Schema.Literal("6"),
    chainIds: distinct(list(ChainId, 8, 1)),
    deploymentCalls: list(DeploymentCall, 8, 1),
    jb: ClientDocument
  }),
  search_reference: strict({
    query: text(300, 1),
    category: optional(ReferenceCategory),
    limit: limit(20, 5)
  }),
  get_reference: strict({ id: text(160, 1), ...Page }),
  get_contract: strict({
    name: NamedContract,
    chainId: optional(ChainId),
    functionName: optional(text(100, 1))
  }),
  decode_calldata: strict({ contract: NamedContract, data: Calldata }),
  list_references: strict({
    category: optional(ReferenceCategory),
    offset: offset(),
    limit: limit()
  }),
  list_capabilities: emptyObject
} as const
