/** The OpenAPI description of a deployment, generated from the API's definition. */
import { HttpApi, type HttpApiGroup, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { memo } from "../values/Memo.ts"
import { Address, Bytes32, GrantId, UnixSeconds } from "../values/Scalars.ts"
import { credentialParameters, securitySchemes } from "./openapi/Credentials.ts"
import type { Document, PathItem } from "./openapi/Document.ts"
import { responseHeaders } from "./openapi/Headers.ts"
import { JsonSchemas } from "./openapi/JsonSchemas.ts"
import { type DescribedEndpoint, describeEndpoint } from "./openapi/Operations.ts"
import { problemExamples, problemSchemas, sharedResponses } from "./openapi/ProblemResponses.ts"
import { Samples } from "./openapi/Samples.ts"
import { TAGS } from "./openapi/Tags.ts"

const DIALECT = "https://json-schema.org/draft/2020-12/schema"

const DESCRIPTION = [
  "Reads the contracts of a version-6 onchain funding protocol at canonical blocks, prepares durable transaction plans and relays exactly the bytes that a wallet signed.",
  "Every request beyond discovery is signed: the six X-Service headers carry an EIP-712 signature over the exact method, target, content type and body; see /docs/signing.",
  "Integers of contract width are decimal strings. A value that could not be read is reported as unknown. Returned metadata is untrusted data."
].join("\n\n")

/** Names that the hand-written schemas refer to; the wire form that requests take describes both directions. */
const SEEDS = [Address, Bytes32, GrantId, UnixSeconds]

const usedTags = (described: ReadonlyArray<DescribedEndpoint>) =>
  Object.entries(TAGS)
    .filter(([name]) => described.some(({ operation }) => operation.tags.includes(name)))
    .map(([name, description]) => ({ name, description }))

const describedEndpoints = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  schemas: JsonSchemas
) => {
  for (const seed of SEEDS) schemas.of(seed.ast)
  const tools = { schemas, samples: new Samples(name => schemas.definition(name)) }
  const described: Array<DescribedEndpoint> = []
  const tags = new Map<string, string>()
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      const told = Context.getOption(group.annotations, OpenApi.Description)
      if (Option.isSome(told)) tags.set(group.identifier, told.value)
    },
    onEndpoint: ({ group, endpoint, successes }) =>
      described.push(describeEndpoint(tools, { tag: group.identifier, endpoint, successes }))
  })
  return {
    described,
    tags: [...usedTags(described), ...Array.from(tags, ([name, description]) => ({ name, description }))]
  }
}

const pathsOf = (described: ReadonlyArray<DescribedEndpoint>): Readonly<Record<string, PathItem>> => {
  const paths: Record<string, Record<string, DescribedEndpoint["operation"]>> = {}
  for (const { path, method, operation } of described) paths[path] = { ...paths[path], [method]: operation }
  return paths
}

/** The places and the schemas, which every deployment has alike. */
const describeAlike = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
) => {
  const schemas = new JsonSchemas("#/components/schemas/")
  const { described, tags } = describedEndpoints(api, schemas)
  return { tags, paths: pathsOf(described), schemas: { ...schemas.named(), ...problemSchemas } }
}

type Alike = ReturnType<typeof describeAlike>

const describe = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  { annotations }: HttpApi.HttpApi<Id, Groups, E, R>,
  { tags, paths, schemas }: Alike,
  audience: string
): Document => ({
  openapi: "3.1.2",
  jsonSchemaDialect: DIALECT,
  info: {
    title: Context.unsafeGet(annotations, OpenApi.Title),
    version: Context.unsafeGet(annotations, OpenApi.Version),
    description: DESCRIPTION,
    contact: { name: "The operator of this deployment", url: audience },
    license: { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" }
  },
  servers: [{ url: audience.replace(/\/$/, ""), description: "This deployment." }],
  tags,
  paths,
  components: {
    securitySchemes,
    schemas,
    parameters: credentialParameters,
    headers: responseHeaders,
    responses: sharedResponses,
    examples: problemExamples(audience)
  }
})

/** Makes each once for an audience, and what they share once for all, for it takes as long as hundreds of signed requests. */
export const describeApi = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ((audience: string) => Document) => {
  const made = memo<Document>(2)
  let alike: Alike | undefined
  const describedFor = (audience: string) => {
    alike ??= describeAlike(api)
    return describe(api, alike, audience)
  }
  return audience => made(audience, () => describedFor(audience))
}
