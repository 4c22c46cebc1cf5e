/** The routes: a page for each tag and, where a tag's routes are operations, for each family of them. */
import { declarations } from "../../operations/framework/Declarations.ts"
import { families } from "../../operations/generated/Families.ts"
import { Api } from "../api/Api.ts"
import { entityRoutes } from "../api/Indexer.ts"
import type { Document } from "../openapi/Document.ts"
import { TAGS } from "../openapi/Tags.ts"
import { code, type Html, html, table } from "./Html.ts"
import { layout, type PagePath } from "./Layout.ts"
import { type Route, routeHtml } from "./RouteHtml.ts"
import { schemasHtml } from "./SchemaHtml.ts"

type Page = readonly [path: string, write: (document: Document) => string]

interface Group {
  readonly path: string
  readonly title: string
  readonly words: string
  readonly holds: (operationId: string, tags: ReadonlyArray<string>) => boolean
}

const OPERATIONS = "/docs/operations"

const sourcesOf: ReadonlyMap<string, string> = new Map(
  Object.entries(declarations).map(([id, { sources }]) => [`operation_${id}`, sources.join(", ")])
)

/** The routes of entities stand on pages of their own. */
const ofEntities: ReadonlySet<string> = new Set(
  entityRoutes.flatMap(({ list, record }) => [list.name, record.name])
)

const tagGroups: ReadonlyArray<Group> = Object.entries(TAGS)
  .filter(([tag]) => tag in Api.groups)
  .map(([tag, words]) => ({
    path: `/docs/routes/${tag.toLowerCase()}`,
    title: tag,
    words,
    holds: (operationId, tags) =>
      tags.includes(tag) && !sourcesOf.has(operationId) && !ofEntities.has(operationId)
  }))

const familyGroups: ReadonlyArray<Group> = families
  .filter(({ operations }) => operations.length > 0)
  .map(({ id: family, title, limits, operations }) => ({
    path: `${OPERATIONS}/${family}`,
    title,
    words: limits.join(" "),
    holds: operationId => operations.some(id => operationId === `operation_${id}`)
  }))

const routesIn = ({ paths }: Document, { holds }: Group): ReadonlyArray<Route> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId, tags }]) => holds(operationId, tags))
      .map(([method, operation]) => ({ path, method, operation }))
  )

const groupPage = (document: Document, group: Group, above: PagePath): string => {
  const routes = routesIn(document, group)
  const operations = routes.map(({ operation }) => operation)
  return layout(
    group.title,
    undefined,
    html`<p><a href="${above}">All of them</a></p><p>${group.words}</p>
${routes.map(route => routeHtml(document, route))}${schemasHtml(document, operations)}`
  )
}

const groupHtml = (document: Document, group: Group): Html => {
  const rows = routesIn(document, group).map(
    ({ path, method, operation: { operationId, summary } }) =>
      html`<tr><td><a href="${group.path}#${operationId}">${code(`${method.toUpperCase()} ${path}`)}</a></td><td>${summary}</td><td>${sourcesOf.get(operationId)}</td></tr>`
  )
  return html`<h2 id="${group.title}"><a href="${group.path}">${group.title}</a></h2><p>${group.words}</p>
${table(["Route", "", ""], rows)}
`
}

const routesPage = (document: Document): string =>
  layout(
    "Routes",
    "/docs",
    html`${document.info.description.split("\n\n").map(text => html`<p>${text}</p>`)}<p>Signatures are bound to the audience of this deployment, which ${code("GET /api/v1/capabilities")} reports. These pages say the same as the <a href="/api/v1/openapi.json">OpenAPI description</a>; the <a href="/docs/reference">reference</a> searches it and tries the open routes.</p>
${tagGroups.map(group => groupHtml(document, group))}`
  )

const operationsPage = (document: Document): string =>
  layout(
    "Operations",
    OPERATIONS,
    html`<p>What the service answers and prepares in the words of the protocol. The same stands for programs at ${code("GET /api/v1/catalog/operations")}, each input described in JSON Schema 2020-12.</p>
<p>The input is one JSON object: the body where a plan is prepared, else the query parameter ${code("input")}, percent-encoded once. ${code("source")} is needed where both the chain and the indexed source serve the operation; a source that fails is never replaced by the other. A part that could not be read is ${code('{"status": "unknown", "error": …}')} and never a default.</p>
${familyGroups.map(group => groupHtml(document, group))}`
  )

export const routesPages: ReadonlyArray<Page> = [
  ["/docs", routesPage],
  [OPERATIONS, operationsPage],
  ...tagGroups.map(group => [group.path, document => groupPage(document, group, "/docs")] satisfies Page),
  ...familyGroups.map(
    group => [group.path, document => groupPage(document, group, OPERATIONS)] satisfies Page
  )
]
