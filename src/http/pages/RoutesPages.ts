/** The routes: an overview, and a page for each tag, or for each family where a tag's routes are operations. */
import { families } from "../../operations/generated/Families.ts"
import type { OperationId } from "../../operations/generated/OperationIds.ts"
import { Api } from "../api/Api.ts"
import { entityRoutes } from "../api/Indexer.ts"
import type { Document } from "../openapi/Document.ts"
import { TAGS } from "../openapi/Tags.ts"
import { code, type Html, html, table } from "./Html.ts"
import { layout } from "./Layout.ts"
import { type Route, routeHtml } from "./RouteHtml.ts"
import { namedSchemas, schemasHtml } from "./SchemaHtml.ts"

interface Group {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly holds: (operationId: string, tags: ReadonlyArray<string>) => boolean
}

const ROUTES = "/docs/routes"

const anchorOf = (id: OperationId) => `operation_${id}`

const pathOf = (family: string) => `${ROUTES}/operations-${family}`

const places = new Map(
  families.flatMap(({ id: family, operations }) =>
    operations.map(id => [anchorOf(id), `${pathOf(family)}#${anchorOf(id)}`] as const)
  )
)

/** Where an operation's route is described. */
export const placeOf = (id: OperationId): string => places.get(anchorOf(id)) ?? "/docs"

/** The routes of entities stand on pages of their own. */
const ofEntities: ReadonlySet<string> = new Set(
  entityRoutes.flatMap(({ list, record }) => [list.name, record.name])
)

const groups: ReadonlyArray<Group> = [
  ...Object.entries(TAGS)
    .filter(([tag]) => tag in Api.groups)
    .map(([tag, description]) => ({
      path: `${ROUTES}/${tag.toLowerCase()}`,
      title: tag,
      description,
      holds: (operationId: string, tags: ReadonlyArray<string>) =>
        tags.includes(tag) && !places.has(operationId) && !ofEntities.has(operationId)
    })),
  ...families
    .filter(({ operations }) => operations.length > 0)
    .map(({ id: family, title, limits, operations }) => ({
      path: pathOf(family),
      title: `Operations: ${title}`,
      description: limits.join(" "),
      holds: (operationId: string) => operations.some(id => anchorOf(id) === operationId)
    }))
]

const routesIn = ({ paths }: Document, { holds }: Group): ReadonlyArray<Route> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId, tags }]) => holds(operationId, tags))
      .map(([method, operation]) => ({ path, method, operation }))
  )

const groupPage = (document: Document, group: Group): string => {
  const routes = routesIn(document, group)
  const operations = routes.map(({ operation }) => operation)
  return layout(
    group.title,
    undefined,
    html`<p><a href="/docs">All routes</a></p><p>${group.description}</p>
${routes.map(route => routeHtml(document, route))}${schemasHtml(namedSchemas(document, operations))}`
  )
}

const overviewHtml = (document: Document, group: Group): Html => {
  const rows = routesIn(document, group).map(
    ({ path, method, operation }) =>
      html`<tr><td>${method.toUpperCase()}</td><td><a href="${group.path}#${operation.operationId}">${code(path)}</a></td><td>${operation.summary}</td></tr>`
  )
  return html`<h2 id="${group.title}"><a href="${group.path}">${group.title}</a></h2><p>${group.description}</p>
${table(["Method", "Path", ""], rows)}
`
}

const overviewPage = (document: Document): string =>
  layout(
    "Routes",
    "/docs",
    html`${document.info.description.split("\n\n").map(text => html`<p>${text}</p>`)}<p>Signatures are bound to the audience of this deployment, which ${code("GET /api/v1/capabilities")} reports. These pages say the same as the <a href="/api/v1/openapi.json">OpenAPI description</a>; the <a href="/docs/reference">reference</a> searches it and tries the open routes.</p>
${groups.map(group => overviewHtml(document, group))}`
  )

type Page = readonly [path: string, write: (document: Document) => string]

export const routesPages: ReadonlyArray<Page> = [
  ["/docs", overviewPage],
  ...groups.map(group => [group.path, document => groupPage(document, group)] satisfies Page)
]
