import { Ajv2020 } from "ajv/dist/2020.js"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { describeOperations } from "../../src/http/DescribeOperations.ts"
import { Samples } from "../../src/http/openapi/Samples.ts"
import { declarations, isPlan, ownDeclarations } from "../../src/operations/framework/Declarations.ts"
import { type OperationId, operationIds, planIds } from "../../src/operations/generated/OperationIds.ts"
import { planRegister } from "../../src/operations/generated/PlanRegister.ts"
import { planRuns } from "../../src/operations/generated/PlanRuns.ts"
import { register } from "../../src/operations/generated/Register.ts"
import { runs } from "../../src/operations/generated/Runs.ts"

/** Id, kind, sources, whether it is prepared as a plan, method. */
const TABLE = `
prepare_project_metadata prepare model - GET
resolve_project read model,indexer - GET
search_projects read indexer,service - GET
get_project read onchain,indexer - GET
get_rulesets read onchain - GET
get_position read onchain - GET
get_account read indexer - GET
get_activity read indexer - GET
get_indexer_status read indexer - GET
get_permissions read onchain - GET
get_bridges read onchain - GET
get_omnichain_group read indexer - GET
quote_pay read onchain - GET
prepare_pay prepare onchain plan POST
quote_cash_out read onchain - GET
prepare_cash_out prepare onchain plan POST
quote_payout read onchain - GET
prepare_payout prepare onchain plan POST
model_economics read model - GET
preview_ruleset_change read onchain - GET
prepare_ruleset_change prepare onchain plan POST
prepare_launch prepare onchain plan POST
quote_loan read onchain - GET
prepare_borrow prepare onchain plan POST
get_loan read onchain - GET
prepare_repay prepare onchain plan POST
prepare_bridge_claim prepare onchain plan POST
prepare_accounting_sync prepare onchain plan POST
get_routing read onchain - GET
prepare_buyback_pool prepare onchain plan POST
prepare_buyback_twap prepare onchain plan POST
prepare_buyback_hook prepare onchain plan POST
prepare_router_terminal prepare onchain plan POST
get_721_shop read onchain - GET
quote_721_pay read onchain - GET
prepare_721_pay prepare onchain plan POST
prepare_adjust_tiers prepare onchain plan POST
prepare_721_launch prepare onchain plan POST
get_revnet read onchain - GET
prepare_revnet_deploy prepare onchain plan POST
prepare_auto_issue prepare onchain plan POST
plan_integration reference reference - GET
get_webclient_reference reference reference - GET
list_webclient_references reference reference - GET
get_intent read service - GET
prepare_intent prepare service - GET
search_reference reference reference - GET
get_reference reference reference - GET
get_contract reference reference - GET
decode_calldata reference reference - GET
list_references reference reference - GET
list_capabilities reference reference - GET
`

const descriptors = describeOperations(ownDeclarations).all()

const inputsOf = (ids: ReadonlyArray<OperationId>) =>
  Object.fromEntries(ids.map(id => [id, declarations[id].input]))

const operationInputs = inputsOf(operationIds)
const planInputs = inputsOf(planIds)
const readInputs = inputsOf(operationIds.filter(id => !isPlan(declarations[id])))

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objects = (value: unknown): ReadonlyArray<unknown> => (isObject(value) ? Object.values(value) : [])
const items = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const SAYS_SOMETHING = ["type", "$ref", "enum", "const", "anyOf", "allOf", "oneOf"]

/** Every schema within a schema. */
const within = (schema: unknown): ReadonlyArray<unknown> => {
  if (!isObject(schema)) return [schema]
  const inner = [
    ...objects(schema.properties),
    ...objects(schema.$defs),
    ...[schema.items, schema.contentSchema].filter(part => part !== undefined && part !== false),
    ...["anyOf", "allOf", "oneOf", "prefixItems"].flatMap(name => items(schema[name]))
  ]
  return [schema, ...inner.flatMap(within)]
}

const isVague = (schema: unknown) => !isObject(schema) || !SAYS_SOMETHING.some(word => word in schema)

const isOpen = (schema: unknown) =>
  isObject(schema) && schema.type === "object" && schema.additionalProperties !== false

describe("the descriptors of the operations", () => {
  it("are those of the table", () => {
    const lines = descriptors.map(({ id, kind, sources, transaction, method }) =>
      [id, kind, sources.join(","), transaction ? "plan" : "-", method].join(" ")
    )
    assert.deepStrictEqual(lines, TABLE.trim().split("\n"))
  })

  it("change nothing outside, can be repeated and say where they are called", () => {
    for (const { id, effects, method, path, description } of descriptors) {
      assert.deepStrictEqual(effects, { externalMutation: false, idempotent: true })
      assert.strictEqual(path, `/api/v1/operations/${id}${method === "POST" ? "/plans" : ""}`)
      assert.isAbove(description.length, 30, id)
    }
  })

  it("describe their inputs strictly, with no schema that takes anything", () => {
    const open: Array<string> = []
    for (const { id, inputJsonSchema } of descriptors) {
      assert.deepInclude(inputJsonSchema, {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        additionalProperties: false
      })
      const all = within(inputJsonSchema)
      assert.isEmpty(all.filter(isVague), id)
      open.push(...all.filter(isOpen).map(() => id))
    }
    assert.deepStrictEqual(open, ["prepare_intent"])
  })

  it("say what every address must be", () => {
    const untold = descriptors.flatMap(({ id, inputJsonSchema }) =>
      within(inputJsonSchema)
        .filter(
          schema => isObject(schema) && String(schema.pattern).endsWith("{40}$") && !("description" in schema)
        )
        .map(() => id)
    )
    assert.deepStrictEqual(untold, [])
  })

  it("take by their JSON Schemas what their decoders take", () => {
    const inputs: Readonly<Record<string, Schema.Schema.AnyNoContext>> = operationInputs
    const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
    for (const { id, inputJsonSchema } of descriptors) {
      const validate = ajv.compile(inputJsonSchema)
      const input = inputs[id]
      assert.isDefined(input, id)
      const decoded = Schema.decodeUnknownEither(input ?? Schema.Never)
      const $defs = isObject(inputJsonSchema.$defs) ? inputJsonSchema.$defs : {}
      const definitionOf = (name: string) => {
        const found = JSON.parse(
          JSON.stringify($defs[name] ?? {}).replaceAll("#/$defs/", "#/components/schemas/")
        )
        return isObject(found) ? found : {}
      }
      const elsewhere = JSON.parse(
        JSON.stringify(inputJsonSchema).replaceAll("#/$defs/", "#/components/schemas/")
      )
      const sample = new Samples(definitionOf).of(elsewhere)
      assert.isTrue(validate(sample), `${id} ${ajv.errorsText(validate.errors)} ${JSON.stringify(sample)}`)
      assert.isTrue(Either.isRight(decoded(sample)), `${id} ${JSON.stringify(sample)}`)
      assert.isFalse(validate({ ...Object(sample), further: 1 }), id)
    }
  })
})

describe("the register of operations", () => {
  it("has for each plan operation what it does, under its own id and with the input of its descriptor", () => {
    assert.sameMembers(Object.keys(planRuns), Object.keys(planInputs))
    assert.sameMembers(Object.keys(planRegister), Object.keys(planInputs))
    for (const [id, input] of Object.entries(planInputs)) {
      assert.strictEqual(Reflect.get(planRegister, id).id, id)
      assert.strictEqual(Reflect.get(planRegister, id).input, input, id)
      assert.strictEqual(Reflect.get(planRuns, id).id, id)
    }
  })

  it("has for each operation what it does, under its own id and with the input of its descriptor", () => {
    const declared = Object.entries(register)
    assert.sameMembers(Object.keys(runs), Object.keys(register))
    for (const [id, declaration] of declared) {
      assert.strictEqual(declaration.id, id)
      assert.strictEqual<unknown>(declaration.input, Reflect.get(readInputs, id), id)
    }
    for (const [id, operation] of Object.entries(runs)) assert.strictEqual(operation.id, id)
  })
})
