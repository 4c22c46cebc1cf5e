import { encodeFunctionData, parseAbi } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { selectorOfEntry } from "../../src/catalog/Abi.ts"
import { createClient } from "../../src/client/Client.ts"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import { operationIds } from "../../src/operations/generated/OperationIds.ts"
import { startOperationBench } from "../support/Operations.ts"
import { operationTarget } from "../support/OperationTarget.ts"
import { problemIn } from "../support/Problem.ts"
import { signedFetch } from "../support/SignedFetch.ts"

const allRoutes = placesOf(Api)

const bench = await startOperationBench()

afterAll(() => bench.stop())

const project = { chainId: 31337, projectId: "2" }
const pay = parseAbi([
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata)"
])
const SOMEONE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const get = (target: string) => signedFetch(bench.service, bench.owner, "GET", target)

const codeOf = async (target: string) => (await problemIn(await get(target))).code

const refused = async (target: string, code: string) =>
  assert.strictEqual(await codeOf(`/api/v1/operations/${target}`), code, target)

describe("asking an operation", () => {
  it("refuses an id that is none, or that of a plan", async () => {
    await refused("get_nothing", "OPERATION_NOT_FOUND")
    await refused("prepare_pay", "OPERATION_NOT_FOUND")
    await refused("constructor", "OPERATION_NOT_FOUND")
  })

  it("takes no source but one of its own, and none where it has nothing to choose", async () => {
    const input = `input=${encodeURIComponent(JSON.stringify({ project }))}`
    assert.strictEqual((await get(`/api/v1/operations/get_rulesets?${input}&source=onchain`)).status, 200)
    await refused(`get_rulesets?${input}&source=indexer`, "SOURCE_NOT_SUPPORTED")
    await refused(`get_rulesets?${input}&source=model`, "SOURCE_NOT_SUPPORTED")
    await refused("list_capabilities?source=reference", "SOURCE_NOT_SUPPORTED")
    await refused("list_capabilities?source=onchain", "SOURCE_NOT_SUPPORTED")
  })

  it("takes a strict object as its input and names the member that is wrong", async () => {
    const asked: ReadonlyArray<readonly [string, string]> = [
      ["{", "INVALID_JSON"],
      ["[]", "INVALID_INPUT"],
      ['"name"', "INVALID_INPUT"],
      ["null", "INVALID_INPUT"],
      ['{"name":"JBController","name":"JBTokens"}', "DUPLICATE_JSON_KEY"],
      ['{"name":"JBController","__proto__":{}}', "RESERVED_JSON_KEY"],
      ['{"name":"JBController","further":1}', "INVALID_INPUT"],
      ['{"name":"JBController","chainId":9007199254740993}', "UNSAFE_JSON_NUMBER"],
      [`{"name":${"[".repeat(40)}${"]".repeat(40)}}`, "JSON_TOO_COMPLEX"]
    ]
    for (const [text, code] of asked) await refused(`get_contract?input=${encodeURIComponent(text)}`, code)
    const answer = await get(operationTarget("get_rulesets", { project: { ...project, projectId: "0" } }))
    const { context } = await problemIn(answer)
    assert.strictEqual(context?.path, "project.projectId")
    await refused("get_contract", "INVALID_INPUT")
    await refused("get_contract?input=", "MISSING_PARAMETER")
    await refused("get_contract?input=%7B%7D&limit=1", "INVALID_QUERY")
  })

  it("may leave the input out where it needs none", async () => {
    assert.strictEqual((await get("/api/v1/operations/list_capabilities")).status, 200)
  })

  it("refuses a chain that the service does not have", async () => {
    const elsewhere = { project: { chainId: 4242, projectId: "1" } }
    assert.strictEqual(await codeOf(operationTarget("get_rulesets", elsewhere)), "UNSUPPORTED_CHAIN")
  })

  it("is typed by the client from the operation's declaration", async () => {
    const { service, owner } = bench
    const client = createClient({
      baseUrl: service.url,
      audience: service.audience,
      account: owner.accountId,
      signer: { address: owner.key.address, signTypedData: payload => owner.key.signTypedData(payload) }
    })
    const rulesets = await client.operations.run("get_rulesets", { project }, { source: "onchain" })
    assert.strictEqual(rulesets.page.order, "newest-first")
    const { abi } = await client.operations.run("get_contract", {
      name: "JBDirectory",
      functionName: "controllerOf"
    })
    assert.strictEqual(abi.length, 1)
    assert.property(await client.operations.ask("list_capabilities", {}), "families")
    const listed = await client.catalog.operations()
    assert.deepStrictEqual(
      listed.map(({ id }) => id),
      [...operationIds]
    )
    assert.deepStrictEqual(
      await client.catalog.operation("quote_pay"),
      listed.find(({ id }) => id === "quote_pay")
    )
  })
})

describe("the catalog of operations", () => {
  const publicly = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${bench.service.url}/api/v1/catalog/operations${path}`, { headers })

  it("is open and pinned, and knows no other id", async () => {
    const listed = await publicly("")
    assert.strictEqual(listed.status, 200)
    const again = await publicly("", { "if-none-match": listed.headers.get("etag") ?? "" })
    assert.strictEqual(again.status, 304)
    const { operations } = await listed.json()
    for (const { id } of operations) assert.strictEqual((await publicly(`/${id}`)).status, 200)
    for (const id of ["nothing", "__proto__", "toString"])
      assert.strictEqual((await problemIn(await publicly(`/${id}`))).code, "OPERATION_NOT_FOUND")
  })
})

describe("get_contract", () => {
  it("gives the pinned ABI, and an address only for a chain", async () => {
    const pinned = await bench.answer("get_contract", { name: "JBController" })
    assert.deepInclude(pinned, { version: 6, name: "JBController", address: null })
    assert.isAbove(pinned.abi.length, 20)
    assert.notProperty(pinned, "generations")
    const mainnet = await bench.answer("get_contract", { name: "JBController", chainId: 1 })
    assert.strictEqual(mainnet.address?.toLowerCase(), "0x3fcec3572e84b624477bcff4e2cf1f7deab648f1")
    assert.strictEqual(mainnet.deploymentSource, "pinned")
    const local = await bench.answer("get_contract", { name: "JBController", chainId: 31337 })
    const deployed = bench.manifest.deployments.find(({ alias }) => alias === "JBController")
    assert.strictEqual(local.address?.toLowerCase(), deployed?.address.toLowerCase())
    assert.strictEqual(local.deploymentSource, "sandbox")
  })

  it("tells generations apart and has no address for what only projects have", async () => {
    const buyback = await bench.answer("get_contract", { name: "JBBuybackHook", chainId: 1 })
    assert.isAbove(buyback.generations?.length ?? 0, 1)
    assert.isTrue(buyback.generations?.some(({ retired }) => retired))
    const current = buyback.generations?.find(({ retired }) => !retired)
    assert.strictEqual(buyback.address, current?.address)
    const sucker = await bench.answer("get_contract", { name: "JBSucker", chainId: 1 })
    assert.deepInclude(sucker, { address: null, generations: [] })
    const absent = await bench.answer("get_contract", { name: "JBBuybackHook", chainId: 11155420 })
    assert.strictEqual(absent.address, null)
  })

  it("tells where what came after the pinned inventory is, and what is known of its interface", async () => {
    const buyback = await bench.answer("get_contract", { name: "JBBuybackHook", chainId: 8453 })
    const { address, version } = buyback.laterRollout ?? {}
    assert.deepStrictEqual(
      [address?.toLowerCase(), version],
      ["0xb222da5a71e8fb89a5a38b7c920eab5dfbc74b91", "1.4.0"]
    )
    assert.notStrictEqual(buyback.address, address)
    const gateway = await bench.answer("get_contract", { name: "JBRouterTerminalGateway", chainId: 10 })
    assert.strictEqual(gateway.address?.toLowerCase(), "0x4a56aef5b6a5b9742abb02ca67c5a85ba183d901")
    assert.deepStrictEqual(
      gateway.abi.flatMap(entry => (entry.type === "function" ? [selectorOfEntry(entry)] : [])),
      ["0x32fe7b26", "0x88bc2ef3", "0xb2fbb207", "0x9d58696c"]
    )
    const feeds = await Promise.all(
      [1, 10, 11155111, 11155420].map(chainId =>
        bench.answer("get_contract", { name: "JBRatioPriceFeed", chainId })
      )
    )
    assert.deepStrictEqual(
      feeds.map(feed => feed.address?.toLowerCase()),
      [
        "0x3fa39399bbc752418ee7e16addeb0b95d6386943",
        "0xedb20e9963b22bcd3b0652b246aac2c222510d36",
        undefined,
        undefined
      ]
    )
    assert.deepStrictEqual(
      feeds[0]?.abi.flatMap(entry => (entry.type === "function" ? [selectorOfEntry(entry)] : [])),
      ["0xd3f5c15f"]
    )
    for (const name of ["JBRouterTerminal", "JBRouterTerminalGateway", "JBBuybackHook"]) {
      const absent = await bench.answer("get_contract", { name, chainId: 11155420 })
      assert.strictEqual(absent.address, null)
      assert.notProperty(absent, "laterRollout")
    }
  })

  it("filters the ABI by a function's name, and refuses what the pinned data has not", async () => {
    const { abi } = await bench.answer("get_contract", { name: "JBMultiTerminal", functionName: "pay" })
    assert.deepStrictEqual(
      abi.map(entry => entry.name),
      ["pay"]
    )
    for (const [input, code] of [
      [{ name: "JBNothing" }, "CONTRACT_NOT_FOUND"],
      [{ name: "constructor" }, "CONTRACT_NOT_FOUND"],
      [{ name: "JBController", functionName: "nothing" }, "FUNCTION_NOT_FOUND"],
      [{ name: "JBController", chainId: 4242 }, "UNSUPPORTED_CHAIN"]
    ] as const)
      assert.strictEqual(await codeOf(operationTarget("get_contract", input)), code)
  })
})

describe("decode_calldata", () => {
  const data = encodeFunctionData({
    abi: pay,
    args: [2n, "0x000000000000000000000000000000000000EEEe", 5n, SOMEONE, 0n, "thanks", "0x1234"]
  })

  it("names the function and its arguments", async () => {
    const decoded = await bench.answer("decode_calldata", { contract: "JBMultiTerminal", data })
    assert.deepInclude(decoded, { contract: "JBMultiTerminal", version: 6, functionName: "pay" })
    assert.deepStrictEqual(
      decoded.args.map(({ value }) => value),
      ["2", "0x000000000000000000000000000000000000EEEe", "5", SOMEONE, "0", "thanks", "0x1234"]
    )
    assert.include(decoded.warning, "proves nothing")
  })

  it("refuses what is not the strict encoding of a call", async () => {
    const reject = async (contract: string, bytes: string, code: string) =>
      assert.strictEqual(await codeOf(operationTarget("decode_calldata", { contract, data: bytes })), code)
    await reject("JBMultiTerminal", `${data}00`, "CALLDATA_INVALID")
    await reject("JBMultiTerminal", `${data}${"00".repeat(32)}`, "CALLDATA_INVALID")
    await reject("JBMultiTerminal", data.slice(0, -64), "CALLDATA_INVALID")
    const dirty = `${data.slice(0, 74)}ff${data.slice(76)}`
    await reject("JBMultiTerminal", dirty, "CALLDATA_INVALID")
    await reject("JBMultiTerminal", "0xdeadbeef", "CALLDATA_INVALID")
    await reject("JBNothing", data, "CONTRACT_NOT_FOUND")
    await reject("JBMultiTerminal", "0xdead", "INVALID_INPUT")
  })
})

describe("list_capabilities", () => {
  it("has every operation in one family and names only routes that are served", async () => {
    const { families, serviceOperations, publicOrigin } = await bench.answer("list_capabilities", {})
    const tools = families.flatMap(({ tools }) => tools.map(({ name }) => name))
    assert.sameMembers(tools, [...operationIds])
    assert.strictEqual(publicOrigin, new URL(bench.service.audience).origin)
    const served = allRoutes.map(({ method, at }) => `${method} ${at.replace(/:(\w+)/g, "{$1}")}`)
    for (const { method, path } of serviceOperations) assert.include(served, `${method} ${path}`)
  })
})
