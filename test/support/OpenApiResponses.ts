/** Checks answers of the service against the committed description: status, headers and body. */
import { readFileSync } from "node:fs"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { assert } from "vitest"

type Json = { readonly [key: string]: unknown }

const text = readFileSync(new URL("../../schema/openapi.json", import.meta.url), "utf8")
const description: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Json }>>>>
} = JSON.parse(text)

const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  // Most checks look at few answers: making them shorter takes longer than they do.
  code: { optimize: false },
  formats: { uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/ }
})
ajv.addSchema(JSON.parse(text), "openapi")

const compiled = new Map<string, ValidateFunction>()

const pointer = (path: ReadonlyArray<string>) =>
  path.map(part => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")

/** A check of values against the schema at a place of the description: the faults, in words. */
export const validatorOf = (path: ReadonlyArray<string>) => {
  const $ref = `openapi#/${pointer(path)}`
  const validate = compiled.get($ref) ?? ajv.compile({ $ref })
  compiled.set($ref, validate)
  return (value: unknown): ReadonlyArray<string> =>
    validate(value) === true ? [] : [ajv.errorsText(validate.errors ?? [], { dataVar: "body" })]
}

const templates = Object.keys(description.paths)
  .map(template => ({
    template,
    pattern: new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`)
  }))
  .sort((a, b) => a.template.split("{").length - b.template.split("{").length)

const isSuccess = (status: number) => status < 400

const successFaults = (template: string, method: string, status: number, body: unknown) => {
  const operation = description.paths[template]?.[method.toLowerCase()]
  if (operation === undefined) return [`${method} ${template} is not described: npm run schema`]
  if (!(String(status) in operation.responses)) return [`status ${status} is not described`]
  return validatorOf([
    "paths",
    template,
    method.toLowerCase(),
    "responses",
    String(status),
    "content",
    "application/json",
    "schema"
  ])(body)
}

const problemFaults = (status: number, body: unknown, response: Response) => [
  ...validatorOf(["components", "schemas", "Problem"])(body),
  ...(Reflect.get(Object(body), "status") === status ? [] : ["the problem has another status"]),
  ...(Reflect.get(Object(body), "requestId") === response.headers.get("x-request-id")
    ? []
    : ["the problem has another request id"]),
  ...(status === 429 && !response.headers.has("retry-after") ? ["Retry-After is missing"] : [])
]

const faultsOf = async (response: Response, method: string, target: string) => {
  const { status } = response
  const bytes = await response.clone().text()
  const type = response.headers.get("content-type")
  if (method === "HEAD" || method === "OPTIONS" || status === 304) return bytes === "" ? [] : ["a body"]
  const expected = isSuccess(status) ? "application/json" : "application/problem+json"
  if (type !== expected) return [`content type ${type} instead of ${expected}`]
  const body: unknown = JSON.parse(bytes)
  if (!isSuccess(status)) return problemFaults(status, body, response)
  const path = target.split("?")[0] ?? ""
  const template = templates.find(({ pattern }) => pattern.test(path))?.template
  return template === undefined
    ? [`${path} is not described: npm run schema`]
    : successFaults(template, method, status, body)
}

/** Fails the test where an answer of the API differs from its description; the response stays readable. */
export const assertResponse = async (
  response: Response,
  method: string,
  target: string
): Promise<Response> => {
  const faults = await faultsOf(response, method, target)
  if (faults.length > 0)
    assert.fail(`${method} ${target} answered ${response.status} as not described: ${faults.join("; ")}`)
  return response
}

/** The problem that a response is, by the description. */
export const assertProblem = async (
  response: Response
): Promise<{ readonly code: string; readonly detail: string }> => {
  assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
  const problem = await response.clone().json()
  assert.deepStrictEqual(problemFaults(response.status, problem, response), [])
  return problem
}
