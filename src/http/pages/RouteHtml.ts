/** A route with its parameters, schemas, rights, problems and examples, from the OpenAPI document alone. */
import type { Document, MediaType, OpenApiOperation, Parameter, Reference } from "../openapi/Document.ts"
import { block, codeHtml, type Html, html, tableHtml } from "./Html.ts"
import { schemaHtml } from "./SchemaHtml.ts"

export interface ShownRoute {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}

const rightsOf = ({ "x-auth": auth }: OpenApiOperation): Html => {
  if (auth === undefined) return html`<span class="right open">open</span>`
  const who = auth.requiredScope === null ? "owner only" : `signed, scope ${auth.requiredScope}`
  return html`<span class="right">${who}${auth.idempotencyRequired ? ", idempotency key" : ""}</span>`
}

const isReference = (value: object): value is Reference => "$ref" in value

const parameterRow = (parameter: Parameter): Html =>
  html`<tr><td>${codeHtml(parameter.name)}</td><td>${parameter.in}</td><td>${
    parameter.required ? "required" : "optional"
  }</td><td>${schemaHtml(parameter.schema)}</td></tr>`

const parametersHtml = (document: Document, operation: OpenApiOperation): Html | undefined => {
  const all = operation.parameters.map(parameter => {
    if (!isReference(parameter)) return parameter
    return document.components.parameters[parameter.$ref.split("/").at(-1) ?? ""]
  })
  const rows = all.flatMap(parameter => (parameter === undefined ? [] : [parameterRow(parameter)]))
  return rows.length === 0
    ? undefined
    : html`<h4>Parameters</h4>${tableHtml(["Name", "In", "", "Value"], rows)}`
}

const mediaHtml = (title: string, media: MediaType | undefined): Html | undefined =>
  media === undefined
    ? undefined
    : html`<h4>${title}</h4><div>${schemaHtml(media.schema)}</div>${
        media.example === undefined
          ? undefined
          : html`<details><summary>Example</summary>${block(JSON.stringify(media.example, null, 2))}</details>`
      }`

const answersHtml = ({ responses }: OpenApiOperation): ReadonlyArray<Html> =>
  Object.entries(responses).flatMap(([status, response]) =>
    isReference(response)
      ? []
      : [
          mediaHtml(`Answer ${status}`, response.content?.["application/json"]) ??
            html`<h4>Answer ${status}</h4><p>${response.description}</p>`
        ]
  )

const codeLink = (problem: string): Html =>
  html`<a href="/docs/errors#${problem.toLowerCase()}">${codeHtml(problem)}</a> `

const problemsHtml = ({ responses }: OpenApiOperation): Html => {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    isReference(response) && response.description !== undefined
      ? [html`<tr><td>${status}</td><td>${response.description.split(", ").map(codeLink)}</td></tr>`]
      : []
  )
  return html`<h4>Problems</h4>${tableHtml(["Status", "Codes"], rows)}`
}

export const routeHtml = (document: Document, { path, method, operation }: ShownRoute): Html =>
  html`<details class="route"><summary><span class="method">${method.toUpperCase()}</span>${codeHtml(
    path
  )}<span class="words">${operation.summary}</span>${rightsOf(operation)}</summary><div id="${operation.operationId}">
<p>${operation.description}</p>${parametersHtml(document, operation)}${mediaHtml(
    "Body",
    operation.requestBody?.content["application/json"]
  )}${answersHtml(operation)}${problemsHtml(operation)}
</div></details>
`
