/** The routes: a page for each tag and, where a tag's routes are operations, for each family of them. */
import type { Declaration } from "../../operations/framework/Declarations.ts"
import { listedFamilies } from "../../operations/framework/ToldFamilies.ts"
import { Api } from "../api/Api.ts"
import { entityRoutes } from "../api/Indexer.ts"
import type { Document } from "../openapi/Document.ts"
import { TAGS } from "../openapi/Tags.ts"
import { codeHtml, type Html, html, tableHtml } from "./Html.ts"
import { layout, type PagePath } from "./Layout.ts"
import { routeHtml, type ShownRoute } from "./RouteHtml.ts"
import { schemasHtml } from "./SchemaHtml.ts"

type Page = readonly [path: string, write: (document: Document) => string]

interface Group {
  readonly path: string
  readonly title: string
  readonly words: string
  readonly holds: (operationId: string, tags: ReadonlyArray<string>) => boolean
}

const OPERATIONS = "/docs/operations"

type Sources = ReadonlyMap<string, string>

const sourcesIn = (declared: ReadonlyArray<Declaration>): Sources =>
  new Map(declared.map(({ id, sources }) => [`operation_${id}`, sources.join(", ")]))

/** The routes of entities stand on pages of their own. */
const ofEntities: ReadonlySet<string> = new Set(
  entityRoutes.flatMap(({ list, record }) => [list.name, record.name])
)

export interface AddedGroup {
  readonly name: string
  readonly description: string
}

const ownTags: ReadonlyArray<AddedGroup> = Object.entries(TAGS)
  .filter(([tag]) => tag in Api.groups)
  .map(([name, description]) => ({ name, description }))

const tagGroups = (sources: Sources, added: ReadonlyArray<AddedGroup>): ReadonlyArray<Group> =>
  [...ownTags, ...added].map(({ name, description }) => ({
    path: `/docs/routes/${name.toLowerCase()}`,
    title: name,
    words: description,
    holds: (operationId, tags) =>
      tags.includes(name) && !sources.has(operationId) && !ofEntities.has(operationId)
  }))

const familyGroups = (declared: ReadonlyArray<Declaration>): ReadonlyArray<Group> =>
  listedFamilies(declared)
    .filter(({ operations }) => operations.length > 0)
    .map(({ id: family, title, limits, operations }) => ({
      path: `${OPERATIONS}/${family}`,
      title,
      words: limits.join(" "),
      holds: operationId => operations.some(id => operationId === `operation_${id}`)
    }))

const routesIn = ({ paths }: Document, { holds }: Group): ReadonlyArray<ShownRoute> =>
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

const groupHtml = (document: Document, group: Group, sources: Sources): Html => {
  const rows = routesIn(document, group).map(
    ({ path, method, operation: { operationId, summary } }) =>
      html`<tr><td><a href="${group.path}#${operationId}">${codeHtml(`${method.toUpperCase()} ${path}`)}</a></td><td>${summary}</td><td>${sources.get(operationId)}</td></tr>`
  )
  return html`<h2 id="${group.title}"><a href="${group.path}">${group.title}</a></h2><p>${group.words}</p>
${tableHtml(["Route", "", ""], rows)}
`
}

const routesPage = (document: Document, groups: ReadonlyArray<Html>): string =>
  layout(
    "Routes",
    "/docs",
    html`${document.info.description.split("\n\n").map(text => html`<p>${text}</p>`)}<p>Signatures are bound to the audience of this deployment, which ${codeHtml("GET /api/v1/capabilities")} reports. These pages say the same as the <a href="/api/v1/openapi.json">OpenAPI description</a>; the <a href="/docs/reference">reference</a> searches it and tries the open routes.</p>
${groups}`
  )

const operationsPage = (groups: ReadonlyArray<Html>): string =>
  layout(
    "Operations",
    OPERATIONS,
    html`<p>What the service answers and prepares in the words of the protocol. The same stands for programs at ${codeHtml("GET /api/v1/catalog/operations")}, each input described in JSON Schema 2020-12.</p>
<p>The input is one JSON object: the body where a plan is prepared, else the query parameter ${codeHtml("input")}, percent-encoded once. ${codeHtml("source")} is needed where both the chain and the indexed source serve the operation; a source that fails is never replaced by the other. A part that could not be read is ${codeHtml('{"status": "unknown", "error": …}')} and never a default.</p>
${groups}`
  )

export const routesPages = (
  declared: ReadonlyArray<Declaration>,
  added: ReadonlyArray<AddedGroup>
): ReadonlyArray<Page> => {
  const sources = sourcesIn(declared)
  const tags = tagGroups(sources, added)
  const families = familyGroups(declared)
  const shown = (document: Document, groups: ReadonlyArray<Group>) =>
    groups.map(group => groupHtml(document, group, sources))
  const pageOf = (group: Group, above: PagePath): Page => [
    group.path,
    document => groupPage(document, group, above)
  ]
  return [
    ["/docs", document => routesPage(document, shown(document, tags))],
    [OPERATIONS, document => operationsPage(shown(document, families))],
    ...tags.map(group => pageOf(group, "/docs")),
    ...families.map(group => pageOf(group, OPERATIONS))
  ]
}
