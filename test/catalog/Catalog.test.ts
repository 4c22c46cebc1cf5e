import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { id } from "ethers"
import { Catalog } from "../../src/catalog/Catalog.ts"
import {
  ContractDetail,
  type ContractItem,
  ContractsPage,
  ContractsQuery
} from "../../src/catalog/CatalogSchemas.ts"
import { catalogOver } from "./support/Inventories.ts"

const CHAINS = [1, 10, 8453, 42161, 84532, 421614, 11155111, 11155420]
const CONTROLLER = "@bananapus/core-v6:src/JBController.sol:JBController"

const queryOf = Schema.decodeUnknownSync(ContractsQuery)

const allItems = Effect.fn("allItems")(function* (query: Record<string, string> = {}) {
  const catalog = yield* Catalog
  const items: Array<ContractItem> = []
  let offset: number | null = 0
  while (offset !== null) {
    const page: ContractsPage = yield* catalog.contracts(
      queryOf({ limit: "17", ...query, offset: String(offset) })
    )
    items.push(...page.items)
    offset = page.nextOffset
    assert.isTrue(offset !== null || page.total === items.length)
  }
  return items
})

describe("the pinned catalog", () => {
  it.layer(catalogOver())(it => {
    it.effect("pages through every contract once, ids unique where names repeat", () =>
      Effect.gen(function* () {
        const items = yield* allItems()
        assert.strictEqual(new Set(items.map(item => item.id)).size, items.length)
        assert.isBelow(new Set(items.map(item => item.name)).size, items.length)
        assert.isTrue(
          items.every(item => item.id.startsWith(`${item.packageId}:`) && item.id.endsWith(`:${item.name}`))
        )
      })
    )

    it.effect("has every package and all eight chains in every item", () =>
      Effect.gen(function* () {
        const items = yield* allItems()
        const { packages, protocolVersion } = yield* (yield* Catalog).contracts(queryOf({}))
        assert.strictEqual(protocolVersion, 6)
        assert.deepStrictEqual(
          [...new Set(items.map(item => item.packageId))].sort(),
          packages.map(({ id }) => id).sort()
        )
        for (const item of items)
          assert.deepStrictEqual(
            item.chains.map(({ chainId }) => chainId),
            CHAINS
          )
      })
    )

    it.effect("keeps missing deployments missing and source-only contracts discoverable", () =>
      Effect.gen(function* () {
        const items = yield* allItems()
        const chains = items.flatMap(item => item.chains)
        for (const { status, addresses, instances } of chains) {
          assert.strictEqual(status === "missing", addresses.length === 0)
          assert.strictEqual(addresses.length, instances.length)
        }
        assert.isTrue(items.some(item => item.chains.every(({ status }) => status === "missing")))
        const hook = items.find(item => item.name === "JBUniswapV4Hook")
        assert.strictEqual(hook?.chains.find(({ chainId }) => chainId === 11155420)?.status, "missing")
      })
    )

    it.effect("filters by package, category, chain, deployment and executability", () =>
      Effect.gen(function* () {
        const interfaces = yield* allItems({ category: "interface" })
        assert.isTrue(interfaces.length > 0 && interfaces.every(item => !item.executable))
        const core = yield* allItems({ packageId: "@bananapus/core-v6", executableOnly: "true" })
        assert.isTrue(core.length > 0 && core.every(item => item.category === "contract" && item.executable))
        const chain = yield* allItems({ chainId: "11155420" })
        assert.isTrue(chain.every(item => item.chains.length === 1 && item.chains[0]?.chainId === 11155420))
        assert.isTrue(chain.some(item => item.chains[0]?.status === "missing"))
        const deployed = yield* allItems({ chainId: "11155420", deployedOnly: "true" })
        assert.isBelow(deployed.length, (yield* allItems({ deployedOnly: "true" })).length)
        assert.isTrue(deployed.every(item => item.chains[0]?.status === "published"))
      })
    )

    it.effect("refuses packages and chains it does not list", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const { packages, items } = yield* catalog.contracts(queryOf({}))
        for (const [parameter, query, allowed] of [
          ["packageId", { packageId: "nobody" }, packages.map(({ id }) => id)],
          ["chainId", { chainId: "5" }, items[0]?.chains.map(({ chainId }) => chainId)]
        ] as const) {
          const refusal = yield* Effect.flip(catalog.contracts(queryOf(query)))
          assert.strictEqual(refusal._tag, "INVALID_PARAMETER")
          assert.deepStrictEqual(refusal.context, { parameter, allowed })
        }
      })
    )

    it.effect("answers within its published schemas, selectors as an independent library has them", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const isDetail = Schema.is(ContractDetail)
        assert.isTrue(Schema.is(ContractsPage)(yield* catalog.contracts(queryOf({ limit: "100" }))))
        for (const item of yield* allItems()) {
          const detail = yield* catalog.contract(item.id)
          assert.isTrue(isDetail(detail), item.id)
          assert.strictEqual(detail.methods.length, item.methodCounts.read + item.methodCounts.write)
          const signatures = detail.methods.map(method => method.signature)
          assert.deepStrictEqual(signatures, [...signatures].sort())
          for (const { selector, signature } of detail.methods) {
            if (selector !== null) assert.strictEqual(selector, id(signature).slice(0, 10))
          }
        }
      })
    )

    it.effect("gives library functions over source-level types no selector", () =>
      Effect.gen(function* () {
        const items = yield* allItems({ category: "library" })
        const details = yield* Effect.forEach(items, item =>
          Effect.flatMap(Catalog, c => c.contract(item.id))
        )
        const without = details.flatMap(({ methods }) => methods).filter(({ selector }) => selector === null)
        assert.isTrue(without.length > 0)
        assert.isTrue(without.every(({ signature }) => /\b(?:I[A-Z]|Defifa)\w+/.test(signature)))
      })
    )

    it.effect("finds overloads by their full signature and nothing by a bare name", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const contractId = "@bananapus/721-hook-v6:src/JB721TiersHook.sol:JB721TiersHook"
        const { methods } = yield* catalog.contract(contractId)
        const overloads = methods.filter(({ name }) => name === "safeTransferFrom")
        assert.lengthOf(overloads, 2)
        for (const overload of overloads) {
          const { signature } = overload
          assert.deepStrictEqual(yield* catalog.method({ contractId, signature }), overload)
        }
        const bare = yield* Effect.flip(catalog.method({ contractId, signature: "safeTransferFrom" }))
        assert.strictEqual(bare._tag, "METHOD_NOT_FOUND")
      })
    )

    it.effect("refuses unknown contracts and ABI hashes", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        assert.strictEqual((yield* Effect.flip(catalog.contract("JBController")))._tag, "CONTRACT_NOT_FOUND")
        const abiHash = "0".repeat(64)
        const refusal = yield* Effect.flip(
          catalog.method({ contractId: CONTROLLER, signature: "x()", abiHash })
        )
        assert.strictEqual(refusal._tag, "ABI_NOT_FOUND")
        assert.strictEqual((yield* Effect.flip(catalog.abi(abiHash)))._tag, "ABI_NOT_FOUND")
        assert.strictEqual((yield* Effect.flip(catalog.functions(abiHash)))._tag, "ABI_NOT_FOUND")
      })
    )

    it.effect("serves the retired variant of a contract beside its default", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const hook = yield* catalog.contract("@bananapus/buyback-hook-v6:src/JBBuybackHook.sol:JBBuybackHook")
        assert.lengthOf(hook.variants, 2)
        assert.strictEqual(hook.abiHash, hook.variants[0]?.abiHash)
        const instances = hook.deployments.find(({ chainId }) => chainId === 1)?.instances ?? []
        assert.deepStrictEqual(
          instances.map(({ retired, abiHash }) => [retired, abiHash]),
          [
            [false, hook.variants[0]?.abiHash],
            [true, hook.variants[1]?.abiHash]
          ]
        )
      })
    )

    it.effect("states the clone families of implementations and factories that it has", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const details = yield* Effect.forEach(yield* allItems(), item => catalog.contract(item.id))
        const families = new Set(details.flatMap(detail => detail.cloneFamilies))
        assert.strictEqual(families.size, 10)
        for (const family of families) {
          const factory = yield* catalog.contract(family.factory)
          assert.isTrue(
            factory.methods.some(({ signature }) => signature === family.getter),
            family.factory
          )
          assert.strictEqual((yield* catalog.contract(family.implementation)).executable, true)
        }
      })
    )

    it.effect("finds a deployment by contract and by address", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const [controller] = catalog.deployments(1, CONTROLLER)
        assert.isDefined(controller)
        if (controller === undefined) return
        assert.deepStrictEqual(yield* catalog.deploymentAt(1, controller.address), controller)
        assert.strictEqual(
          (yield* Effect.flip(catalog.deploymentAt(5, controller.address)))._tag,
          "NoSuchElementException"
        )
        assert.isTrue((yield* catalog.functions(controller.abiHash)).has("PROJECTS()"))
      })
    )

    it.effect("is frozen all the way down", () =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const detail = yield* catalog.contract(CONTROLLER)
        const frozen = (value: unknown): boolean =>
          typeof value !== "object" ||
          value === null ||
          (Object.isFrozen(value) && Object.values(value).every(frozen))
        assert.isTrue(frozen(detail))
        assert.isTrue(frozen(catalog.deployments(1, CONTROLLER)[0]))
        assert.isTrue(frozen((yield* catalog.contracts(queryOf({}))).items[0]))
      })
    )
  })
})

describe("the listing query", () => {
  const refused = (query: Record<string, string>) => () => queryOf(query)

  it("takes one spelling of numbers and booleans and knows its bounds", () => {
    assert.deepInclude(queryOf({}), { deployedOnly: false, executableOnly: false, offset: 0, limit: 25 })
    assert.deepInclude(queryOf({ offset: "100000", limit: "100", deployedOnly: "true" }), {
      offset: 100_000,
      limit: 100,
      deployedOnly: true
    })
    for (const limit of ["0", "101", "1.0", "01", "1e1", "-1", " 1", ""]) assert.throws(refused({ limit }))
    for (const offset of ["100001", "-0", "0x1"]) assert.throws(refused({ offset }))
    for (const deployedOnly of ["TRUE", "1", "yes", ""]) assert.throws(refused({ deployedOnly }))
    assert.throws(refused({ category: "proxy" }))
    assert.throws(refused({ unknown: "1" }))
  })
})
