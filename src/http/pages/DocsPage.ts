/** Every route with its parameters, schemas, rights, problems and examples, from the OpenAPI document alone. */
import { entityRoutes } from "../api/Indexer.ts"
import type { Document, MediaType, Operation, Parameter, Reference } from "../openapi/Document.ts"
import { block, code, type Html, html, table } from "./Html.ts"
import { layout } from "./Layout.ts"
import { schemaHtml } from "./SchemaHtml.ts"

interface Route {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

const rightsOf = ({ "x-auth": auth }: Operation): Html => {
  if (auth === undefined) return html`<span class="right open">open</span>`
  const who = auth.requiredScope === null ? "owner only" : `signed, scope ${auth.requiredScope}`
  return html`<span class="right">${who}${auth.idempotencyRequired ? ", idempotency key" : ""}</span>`
}

const isReference = (value: object): value is Reference => "$ref" in value

const parameterRow = (parameter: Parameter): Html =>
  html`<tr><td>${code(parameter.name)}</td><td>${parameter.in}</td><td>${
    parameter.required ? "required" : "optional"
  }</td><td>${schemaHtml(parameter.schema)}</td></tr>`

const parametersHtml = (document: Document, operation: Operation): Html | undefined => {
  const all = operation.parameters.map(parameter => {
    if (!isReference(parameter)) return parameter
    return document.components.parameters[parameter.$ref.split("/").at(-1) ?? ""]
  })
  const rows = all.flatMap(parameter => (parameter === undefined ? [] : [parameterRow(parameter)]))
  return rows.length === 0 ? undefined : html`<h4>Parameters</h4>${table(["Name", "In", "", "Value"], rows)}`
}

const mediaHtml = (title: string, media: MediaType | undefined): Html | undefined =>
  media === undefined
    ? undefined
    : html`<h4>${title}</h4><div>${schemaHtml(media.schema)}</div>${
        media.example === undefined
          ? undefined
          : html`<details><summary>Example</summary>${block(JSON.stringify(media.example, null, 2))}</details>`
      }`

const answersHtml = ({ responses }: Operation): ReadonlyArray<Html> =>
  Object.entries(responses).flatMap(([status, response]) =>
    isReference(response)
      ? []
      : [
          mediaHtml(`Answer ${status}`, response.content?.["application/json"]) ??
            html`<h4>Answer ${status}</h4><p>${response.description}</p>`
        ]
  )

const codeLink = (problem: string): Html =>
  html`<a href="/docs/errors#${problem.toLowerCase()}">${code(problem)}</a> `

const problemsHtml = ({ responses }: Operation): Html => {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    isReference(response) && response.description !== undefined
      ? [html`<tr><td>${status}</td><td>${response.description.split(", ").map(codeLink)}</td></tr>`]
      : []
  )
  return html`<h4>Problems</h4>${table(["Status", "Codes"], rows)}`
}

const routeHtml = (document: Document, { path, method, operation }: Route): Html =>
  html`<details class="route"><summary><span class="method">${method.toUpperCase()}</span>${code(
    path
  )}<span class="words">${operation.summary}</span>${rightsOf(operation)}</summary><div id="${operation.operationId}">
<p>${operation.description}</p>${parametersHtml(document, operation)}${mediaHtml(
    "Body",
    operation.requestBody?.content["application/json"]
  )}${answersHtml(operation)}${problemsHtml(operation)}
</div></details>
`

const schemasHtml = (document: Document): Html =>
  html`<h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      html`<details class="route"><summary><h3>${name}</h3></summary><div id="schema-${name}">${schemaHtml(schema)}</div></details>
`
  )}`

/** The routes of single entities stand on a page of their own. */
const elsewhere: ReadonlySet<string> = new Set(
  entityRoutes.flatMap(({ list, record }) => [list.name, record.name])
)

export const docsPage = (document: Document): string => {
  const routes = Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): Route => ({ path, method, operation }))
    )
    .filter(({ operation }) => !elsewhere.has(operation.operationId))
  const groups = document.tags.map(
    ({ name, description }) => html`<h2 id="${name}">${name}</h2><p>${description}</p>
${routes.filter(({ operation }) => operation.tags.includes(name)).map(route => routeHtml(document, route))}`
  )
  const paragraphs = document.info.description.split("\n\n").map(text => html`<p>${text}</p>`)
  const contents = document.tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)
  return layout(
    "Routes",
    "/docs",
    html`${paragraphs}<p>Signatures are bound to the audience of this deployment, which ${code("GET /api/v1/capabilities")} reports. This page says the same as the <a href="/api/v1/openapi.json">OpenAPI description</a>.</p>
<ul>${contents}<li><a href="#schemas">Schemas</a></li></ul>${groups}${schemasHtml(document)}`
  )
}
