import { readFileSync } from "node:fs"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { assert, describe, it } from "vitest"
import { NEUTRAL_AUDIENCE } from "../../scripts/schema/Neutral.ts"
import { Api } from "../../src/http/api/Api.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { placesOf } from "../../src/http/Places.ts"
import { committedText } from "../../src/plans/CommittedText.ts"
import { plannedWallet, planRecord } from "../client/support/PlanRecords.ts"
import { validatorOf } from "../support/OpenApiResponses.ts"

const allRoutes = placesOf(Api)

/** The same content gives the stored record again, without any key. */
const KNOWN_BY_CONTENT = ["publishIntent", "recordIntentDeployment", "createBinding"]

const committed = readFileSync("schema/openapi.json", "utf8")
const description = describeApi(Api)
const described = description(NEUTRAL_AUDIENCE)
const operations = Object.entries(described.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
)

describe("the OpenAPI description", { timeout: 120_000 }, () => {
  it("is the committed one; npm run schema writes it", () => {
    assert.deepStrictEqual(JSON.parse(committed), JSON.parse(JSON.stringify(described)))
  })

  it("is made once for an audience, its paths once for all", () => {
    assert.strictEqual(description(NEUTRAL_AUDIENCE), described)
    const elsewhere = description("https://elsewhere.example")
    assert.deepStrictEqual(elsewhere.servers[0]?.url, "https://elsewhere.example")
    assert.strictEqual(elsewhere.paths, described.paths)
  })

  it("is valid by the official schema", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(committed))
    assert.isTrue(valid, JSON.stringify(errors))
  })

  it("is valid by a walk along its types and references", async () => {
    const config = await createConfig({ extends: ["spec", "recommended-strict"] })
    const problems = await lintFromString({ source: committed, absoluteRef: "openapi.json", config })
    assert.deepStrictEqual(
      problems.map(({ message, location }) => ({ message, at: location[0]?.pointer })),
      []
    )
  })

  it("says of every array what its items are, and of a tuple how many there are", () => {
    let arrays = 0
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      const { type, items, prefixItems, maxItems } = Object(value)
      if (type === "array") {
        arrays += 1
        assert.isObject(items, JSON.stringify(value))
        if (prefixItems !== undefined) assert.strictEqual(maxItems, prefixItems.length)
      }
      for (const inner of Object.values(value)) look(inner)
    }
    look([described.components.schemas, described.paths])
    assert.isAbove(arrays, 100)
  })

  it("names whom to ask and the license", () => {
    assert.strictEqual(described.info.contact.url, NEUTRAL_AUDIENCE)
    assert.isNotEmpty(described.info.license.name)
  })

  it("describes every route and no other", () => {
    const served = allRoutes.map(({ method, at }) => `${method} ${at.replace(/:(\w+)/g, "{$1}")}`)
    const told = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    assert.deepStrictEqual([...told].sort(), [...served].sort())
  })

  it("gives every operation a name of its own, words and likely problems", () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(names).size, names.length)
    for (const { operation } of operations) {
      assert.isAbove(operation.description.length, 10, operation.operationId)
      assert.property(operation.responses, "default", operation.operationId)
      assert.property(operation.responses, "429", operation.operationId)
    }
  })

  it("asks for all signature headers at once wherever a request is signed", () => {
    for (const route of allRoutes) {
      const operation = operations.find(({ operation }) => operation.operationId === route.name)?.operation
      const requirements = operation?.security.map(requirement => Object.keys(requirement).length)
      assert.deepStrictEqual(requirements, route.access.kind === "signed" ? [6] : [], route.name)
      const required = JSON.stringify(operation?.parameters).includes("RequiredIdempotencyKey")
      const wanted = route.access.kind === "signed" && route.access.idempotency === "required"
      assert.strictEqual(required, wanted, route.name)
      assert.strictEqual(operation?.["x-auth"]?.idempotencyRequired ?? false, wanted, route.name)
    }
  })

  it("names no schema twice and leaves no reference open", () => {
    assert.notInclude(committed, '"$id"')
    const references = [...committed.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = ""]) => path)
    const open = references.filter(
      reference =>
        reference
          .split("/")
          .reduce<unknown>(
            (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
            described
          ) === undefined
    )
    assert.deepStrictEqual(open, [])
  })

  it("tells the defaults that the service fills in", () => {
    const query = operations.find(({ operation }) => operation.operationId === "listContracts")?.operation
    const defaults = new Map(
      query?.parameters.flatMap(parameter =>
        "schema" in parameter ? [[parameter.name, parameter.schema.default]] : []
      )
    )
    assert.strictEqual(defaults.get("limit"), 25)
    assert.strictEqual(defaults.get("deployedOnly"), false)
    const bot = described.components.schemas.BotRegistration
    assert.deepNestedInclude(bot, { "properties.label.default": "" })
  })

  it("tells how a plan's commitment is computed", () => {
    const own = { accountId: "a", principalId: "b" }
    const project = { chainId: 1, projectId: "1", version: 6 } as const
    const smartAccount = plannedWallet("0x00000000000000000000000000000000000000A1")
    const committed: unknown = JSON.parse(committedText(planRecord({ project, smartAccount }), own))
    const told = String(described.components.schemas.Plan?.description)
    for (const member of Object.keys(Object(committed)))
      assert.match(told, new RegExp(`[{ ]${member}[,}]`), member)
  })

  it("tells that a stored answer may be given again, wherever it may", () => {
    const told = operations
      .filter(({ operation }) => JSON.stringify(operation.responses).includes("headers/Idempotent-Replayed"))
      .map(({ operation }) => operation.operationId)
    const wanted = allRoutes
      .filter(
        ({ access, name }) =>
          (access.kind === "signed" && access.idempotency === "required") || KNOWN_BY_CONTENT.includes(name)
      )
      .map(({ name }) => name)
    assert.sameMembers(told, wanted)
  })

  it("has examples that fit their schemas", () => {
    const faults = operations.flatMap(({ path, method, operation }) => {
      const bodies = [
        { at: "requestBody", content: operation.requestBody?.content },
        ...Object.entries(operation.responses).map(([status, response]) => ({
          at: `responses/${status}`,
          content: "content" in response ? response.content : undefined
        }))
      ]
      return bodies.flatMap(({ at, content }) =>
        Object.entries(content ?? {}).flatMap(([type, { example }]) =>
          validatorOf(["paths", path, method, ...at.split("/"), "content", type, "schema"])(example).map(
            fault => `${operation.operationId} ${at}: ${fault}`
          )
        )
      )
    })
    assert.deepStrictEqual(faults, [])
  })

  it("has parameter examples that fit their schemas", () => {
    for (const { path, method, operation } of operations)
      for (const [index, parameter] of operation.parameters.entries())
        if ("example" in parameter)
          assert.deepStrictEqual(
            validatorOf(["paths", path, method, "parameters", String(index), "schema"])(parameter.example),
            [],
            `${operation.operationId} ${parameter.name}`
          )
  })
})
