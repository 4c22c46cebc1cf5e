/** The reference: Swagger UI over this service's own description, searched by all that an operation says of itself. */
import "swagger-ui-dist/swagger-ui.css"
import "./explorer.css"
import SwaggerUI, { type Keyed, type Tags } from "swagger-ui-dist/swagger-ui-es-bundle.js"
import { resolveSubtree } from "./References.ts"

const SAID = [["path"], ["method"], ...["operationId", "summary", "description"].map(of => ["operation", of])]

const says = (operation: Keyed, words: ReadonlyArray<string>): boolean => {
  const said = SAID.map(path => String(operation.getIn(path)).toLowerCase()).join(" ")
  return words.every(word => said.includes(word))
}

const opsFilter = (tags: Tags, phrase: string): Tags => {
  const words = phrase.toLowerCase().split(/\s+/)
  return tags
    .map(tag => tag.update("operations", all => all.filter(operation => says(operation, words))))
    .filter(tag => tag.get("operations").size > 0)
}

/** What is signed cannot be tried by a form. */
const allowTryItOutFor = () => (state: Keyed, path: string, method: string) =>
  state.getIn(["json", "paths", path, method, "x-auth"]) === undefined

const nothing = () => () => null

const nameSearch = () => {
  const search = document.querySelector(".operation-filter-input")
  search?.setAttribute("placeholder", "Search paths, names and words")
  search?.setAttribute("aria-label", "Search the operations")
}

document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches)

SwaggerUI({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  onComplete: nameSearch,
  plugins: [
    {
      fn: { opsFilter, resolveSubtree },
      wrapComponents: { authorizeOperationBtn: nothing, InfoContainer: nothing, JsonSchemaDialect: nothing },
      statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } } }
    }
  ]
})
