/** What the service offers, from its own declarations: entities, operations, routes and problem codes. */
import { Api } from "../../src/http/api/Api.ts"
import { describeOperations } from "../../src/http/DescribeOperations.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { entityFacts } from "../../src/indexer/generated/Entities.ts"
import { ownDeclarations } from "../../src/operations/framework/Declarations.ts"
import { families } from "../../src/operations/generated/Families.ts"
import type { ReferenceDocument } from "../../src/references/Reference.ts"
import { ProblemRegister } from "../../src/values/ProblemRegister.ts"
import { NEUTRAL_AUDIENCE } from "../schema/Neutral.ts"
import { documentOf, readOwn } from "./Source.ts"

const lines = (...text: ReadonlyArray<string>): string => `${text.join("\n")}\n`

const typeLines = (fields: Readonly<Record<string, string>> = {}): ReadonlyArray<string> =>
  Object.entries(fields).map(([name, type]) => `- ${name}: ${type}`)

const part = (title: string, text: ReadonlyArray<string>): ReadonlyArray<string> =>
  text.length === 0 ? [] : ["", `## ${title}`, "", ...text]

interface Facts {
  readonly name: string
  readonly key: ReadonlyArray<string>
  readonly fields: Readonly<Record<string, string>>
  readonly relations?: Readonly<Record<string, string>>
}

export const entityDocuments = async (): Promise<ReadonlyArray<ReferenceDocument>> => {
  const file = await readOwn("schema/indexer/entities.json")
  const entities: ReadonlyArray<Facts> = Object.values(entityFacts)
  return entities.map(({ name, key, fields, relations }) => {
    const text = lines(
      `# Indexed entity ${name}`,
      "",
      `List: GET /api/v1/indexer/${name}. Record: GET /api/v1/indexer/${name}/record. Key: ${key.join(", ")}.`,
      "Rows are history as it was indexed; they can lag and can change between pages.",
      ...part("Fields (! is never null)", typeLines(fields)),
      ...part("Singular relations", typeLines(relations))
    )
    return documentOf("indexer", name, `Indexed entity ${name}`, text, file)
  })
}

const placeOf = new Map(
  families.flatMap(({ id: family, operations }) =>
    operations.map(id => [id, `src/operations/${family}/${id}/Declaration.ts`] as const)
  )
)

const descriptors = describeOperations(ownDeclarations)

const titles = new Map(ownDeclarations.map(({ id, title }) => [id, title]))

export const operationDocuments = (): Promise<ReadonlyArray<ReferenceDocument>> =>
  Promise.all(
    descriptors.all().map(async ({ id, description, kind, sources, method, path, inputJsonSchema }) => {
      const title = titles.get(id) ?? ""
      const text = lines(
        `# ${title} (${id})`,
        "",
        description,
        "",
        `Kind ${kind}; sources ${sources.join(", ")}; ${method} ${path}.`,
        ...part("Input (JSON Schema 2020-12)", [JSON.stringify(inputJsonSchema)])
      )
      const file = await readOwn(placeOf.get(id) ?? "")
      return documentOf("service", `operations/${id}`, `${title} (${id})`, text, file)
    })
  )

/** Concrete routes of operations and entities, whose documents name them. */
const HAS_ITS_OWN = /^\/api\/v1\/(?:operations|indexer)\/(?!status|_meta)[^{]/

export const routeDocuments = async (): Promise<ReadonlyArray<ReferenceDocument>> => {
  const file = await readOwn("src/http/api/Api.ts")
  const { paths } = describeApi(Api)(NEUTRAL_AUDIENCE)
  const general = Object.entries(paths).filter(([path]) => !HAS_ITS_OWN.test(path))
  const routes = general.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary, description }]) => ({
      tag: tags[0] ?? "Other",
      line: `- ${method.toUpperCase()} ${path}: ${summary}. ${description}`
    }))
  )
  return [...new Set(routes.map(({ tag }) => tag))].map(tag => {
    const own = routes.filter(route => route.tag === tag).map(({ line }) => line)
    const text = lines(`# Routes: ${tag}`, "", ...own)
    return documentOf("service", `routes/${tag.toLowerCase()}`, `Routes: ${tag}`, text, file)
  })
}

export const errorDocument = async (): Promise<ReadonlyArray<ReferenceDocument>> => {
  const file = await readOwn("src/values/ProblemRegister.ts")
  const rows = Object.entries(ProblemRegister).map(
    ([code, { status, retryable, sentence }]) =>
      `- ${code} (${status}${retryable ? ", a retry can help" : ""}): ${sentence}`
  )
  const text = lines("# Problem codes", "", ...rows)
  return [documentOf("service", "problem-codes", "Problem codes", text, file)]
}
