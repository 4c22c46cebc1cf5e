/** The reference: Swagger UI over this service's own description, searched by all that an operation says of itself. */
import "swagger-ui-dist/swagger-ui.css"
import "./explorer.css"
import SwaggerUI, { type Tags } from "swagger-ui-dist/swagger-ui-es-bundle.js"

const SAID = [
  ["path"],
  ["method"],
  ["operation", "operationId"],
  ["operation", "summary"],
  ["operation", "description"]
]

const opsFilter = (tags: Tags, phrase: string): Tags => {
  const words = phrase.toLowerCase().split(/\s+/)
  return tags
    .map(tag =>
      tag.set(
        "operations",
        tag.get("operations").filter(operation => {
          const said = SAID.map(path => String(operation.getIn(path)).toLowerCase()).join(" ")
          return words.every(word => said.includes(word))
        })
      )
    )
    .filter(tag => tag.get("operations").size > 0)
}

const nothing = () => () => null

document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches)

SwaggerUI({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  onComplete: () => {
    const search = document.querySelector(".operation-filter-input")
    search?.setAttribute("placeholder", "Search paths, names and words")
    search?.setAttribute("aria-label", "Search the operations")
  },
  plugins: [
    {
      fn: { opsFilter },
      wrapComponents: {
        authorizeOperationBtn: nothing,
        InfoContainer: nothing,
        JsonSchemaDialect: nothing
      },
      statePlugins: {
        spec: {
          wrapSelectors: {
            /** What is signed cannot be tried by a form. */
            allowTryItOutFor: () => (state, path, method) =>
              state.getIn(["json", "paths", path, method, "x-auth"]) === undefined
          }
        }
      }
    }
  ]
})
