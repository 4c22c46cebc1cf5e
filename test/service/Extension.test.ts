import { Effect, Layer, ManagedRuntime, Schema } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { checkExtension } from "../../src/main/CheckExtension.ts"
import { isPlanOperation } from "../../src/operations/framework/Installed.ts"
import { ownOperations } from "../../src/operations/framework/OwnOperations.ts"
import {
  ChainClient,
  ChainClientLive,
  CursorSigner,
  type LogLine,
  LogSink,
  Settings,
  serviceLayer,
  strict
} from "../../src/service/main.ts"
import { freePort } from "../support/Ports.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { testSettings } from "../support/Service.ts"
import { Greeting, greet, prepareGreeting, routes } from "./support.ts"

const KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"

const logged: Array<LogLine> = []
const judged: Array<string> = []

/** Ours, that knows one chain more than the settings name. */
const ownChains = Layer.effect(
  ChainClient,
  Effect.map(ChainClient, ours => ({
    ...ours,
    chains: Effect.map(ours.chains, chains => [
      ...chains,
      {
        id: 7_777_777,
        name: "The team's own",
        testnet: true,
        confirmations: 9,
        finality: { safe: false, finalized: false }
      }
    ])
  }))
).pipe(Layer.provide(ChainClientLive))

const layers = Layer.mergeAll(
  Greeting.layer,
  ownChains,
  Layer.succeed(LogSink, { takes: () => true, write: line => void logged.push(line) }),
  Layer.succeed(CursorSigner, {
    sign: () => new Uint8Array(32),
    isSigned: text => {
      judged.push(text)
      return false
    }
  })
)

const started = async () => {
  const database = await freshDatabase()
  const settings = testSettings(await freePort(), await freePort(), database.url)
  const service = serviceLayer({ operations: [greet, prepareGreeting], routes: [routes], layers })
  const runtime = ManagedRuntime.make(Layer.provide(service, Layer.succeed(Settings, settings)))
  await runtime.runPromise(Effect.void)
  const stop = async () => {
    await runtime.dispose()
    await database.drop()
  }
  return { url: `http://127.0.0.1:${settings.port}`, audience: settings.audience, stop }
}

const clientOf = ({ url, audience }: Awaited<ReturnType<typeof started>>) => {
  const signer = privateKeyToAccount(KEY)
  const account = `eip155:1:${signer.address.toLowerCase()}`
  return createClient<typeof greet | typeof prepareGreeting>({ baseUrl: url, audience, account, signer })
}

describe("a service with what a team adds", () => {
  let service: Awaited<ReturnType<typeof started>>
  let client: ReturnType<typeof clientOf>

  beforeAll(async () => {
    service = await started()
    client = clientOf(service)
    await client.accounts.enroll()
  })

  afterAll(() => service.stop())

  it("answers its operation, typed in the client, and refuses as it declares", async () => {
    const { words } = await client.operations.run("greet_project", {
      project: { chainId: 1, projectId: "7" }
    })
    assert.strictEqual(words, "Hello, 7")
    const refused = client.operations.run("greet_project", { project: { chainId: 1, projectId: "13" } })
    assert.strictEqual(await refused.catch(({ problem }) => problem.code), "PROJECT_NOT_FOUND")
  })

  it("has it in the catalog, the families, the description and the docs", async () => {
    const { kind, path } = await client.catalog.operation("greet_project")
    assert.deepStrictEqual([kind, path], ["read", "/api/v1/operations/greet_project"])
    const { families } = await client.operations.run("list_capabilities", {})
    assert.deepStrictEqual(
      families.at(-1)?.tools.map(({ name }) => name),
      ["greet_project", "prepare_greeting"]
    )
    const paths = Object.keys(Object((await client.openapi()).paths))
    assert.includeMembers(paths, [
      "/api/v1/operations/greet_project",
      "/api/v1/operations/prepare_greeting/plans",
      "/api/v1/x/greeters/me"
    ])
    const read = async (page: string) => (await fetch(`${service.url}${page}`)).text()
    for (const page of ["/docs/operations", "/docs/operations/extension"])
      assert.include(await read(page), "greet_project")
    for (const page of ["/docs", "/docs/routes/greeters"])
      assert.include(await read(page), "Those who greet.")
  })

  it("has it in the list of operations, and not among the protocol's references", async () => {
    const operations = await client.catalog.operations()
    assert.includeMembers(
      operations.map(({ id }) => id),
      ["greet_project", "prepare_greeting"]
    )
    const search = (query: string) => client.operations.run("search_reference", { query, limit: 20 })
    for (const words of ["greet_project", "prepare_greeting"]) {
      const { results } = await search(words)
      for (const { excerpt } of results) assert.notInclude(excerpt, words)
    }
    const { results } = await search("get_project")
    assert.isTrue(results.some(({ excerpt }) => excerpt.includes("get_project")))
  })

  it("serves its routes by the rights that they declare", async () => {
    const listed = await fetch(`${service.url}/api/v1/x/greeters/greeters`)
    assert.deepStrictEqual(await listed.json(), { greeters: ["Ada"] })
    const unsigned = await fetch(`${service.url}/api/v1/x/greeters/me`)
    assert.deepStrictEqual([unsigned.status, (await unsigned.json()).code], [401, "AUTH_REQUIRED"])
    const { body } = await client.request("GET", "/api/v1/x/greeters/me")
    assert.deepStrictEqual(body, { words: `Hello, ${client.account}` })
  })

  it("asks the chains through the client that its layers give", async () => {
    const { chains } = await client.capabilities()
    const own = chains.find(({ id }) => id === 7_777_777)
    assert.deepStrictEqual([own?.name, own?.confirmations], ["The team's own", 9])
  })

  it("logs to the sink and judges cursors by the signer that its layers give", async () => {
    assert.isTrue(logged.some(({ route }) => route === "greetCaller"))
    const refused = client.plans.list({ cursor: "bm90aGluZw.AA" })
    assert.strictEqual(await refused.catch(({ code }) => code), "INVALID_PARAMETER")
    assert.lengthOf(judged, 1)
  })
})

const refusals = (
  operations: Parameters<typeof checkExtension>[0],
  teams: Parameters<typeof checkExtension>[1] = []
) =>
  Effect.runSync(
    Effect.match(checkExtension(operations, teams), {
      onFailure: ({ message }) => message.split("\n"),
      onSuccess: () => []
    })
  )

describe("what a team may not add", () => {
  const renamed = (over: object) => ({ ...greet, declaration: { ...greet.declaration, ...over } })
  const replanned = (over: object) => ({
    ...prepareGreeting,
    declaration: { ...prepareGreeting.declaration, ...over }
  })

  it("an id that is there already, comes twice, or is none", () => {
    assert.deepStrictEqual(refusals([greet, prepareGreeting], [routes]), [])
    assert.match(
      refusals([renamed({ id: "get_project" })])[0] ?? "",
      /^The operation get_project is there already/
    )
    assert.match(refusals([greet, greet])[0] ?? "", /^The operation greet_project is there already/)
    assert.match(refusals([renamed({ id: "Greet" })])[0] ?? "", /^The operation Greet needs an id of 3 to 64/)
  })

  it("a name of plans that is there already", () => {
    for (const plan of ["pay", "contract_calls"])
      assert.match(
        refusals([replanned({ plan })])[0] ?? "",
        new RegExp(`^Plans named ${plan} are there already`)
      )
  })

  it("a member of a summary that every plan has", () => {
    const summary = strict({ words: Schema.String, wallet: Schema.String })
    assert.deepStrictEqual(refusals([replanned({ summary })]), [
      "The summary of the operation prepare_greeting has a member wallet, which every plan has; give yours another name."
    ])
    assert.deepStrictEqual(
      refusals(ownOperations.filter(isPlanOperation)).filter(fault => fault.includes("summary")),
      []
    )
  })

  it("a prefix that is not its own, and endpoints and groups that are there", () => {
    const said = (over: object) => refusals([], [{ ...routes, ...over }])[0] ?? ""
    for (const prefix of ["/api/v1/plans", "/api/v1/x", "/api/v1/x/a/b", "/x/greeters"])
      assert.match(said({ prefix }), /need a prefix of their own: \/api\/v1\/x\/<team>\.$/)
    assert.match(said({ name: "Accounts" }), /^A group of routes named Accounts is there already/)
    assert.match(refusals([], [routes, routes])[0] ?? "", /^The prefix \/api\/v1\/x\/greeters is taken/)
    const {
      routes: [first]
    } = routes
    if (first === undefined) return assert.fail("there is no route")
    assert.match(said({ routes: [{ ...first, name: "listPlans" }] }), /^An endpoint named listPlans is there/)
  })
})
