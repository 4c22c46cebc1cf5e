import { afterAll, assert, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { entityRoutes } from "../../src/http/api/Indexer.ts"
import { placesOf } from "../../src/http/Places.ts"
import { planRegister } from "../../src/operations/generated/PlanRegister.ts"
import { register } from "../../src/operations/generated/Register.ts"
import { enroll, newBot } from "../support/Bots.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"

const allRoutes = placesOf(Api)

const ACTORS = ["owner", "bot-read", "bot-plan", "bot-relay", "stranger", "unsigned"] as const
type Actor = (typeof ACTORS)[number]

/** Who gets past the door: + goes on to the work, - is refused there. */
const RIGHTS: Readonly<Record<string, string>> = {
  getServiceIndex: "++++++",
  getOpenApi: "++++++",
  getCapabilities: "++++++",
  listContracts: "++++++",
  getContract: "++++++",
  getMethod: "++++++",
  listOperations: "++++++",
  getOperation: "++++++",
  getIndexerCatalog: "++++++",
  getIndexerStatus: "++++--",
  getIndexerMetadata: "++++--",
  listIndexerEntity: "++++--",
  getIndexerRecord: "++++--",
  ...Object.fromEntries(
    entityRoutes.flatMap(({ list, record }) => [
      [list.name, "++++--"],
      [record.name, "++++--"]
    ])
  ),
  enrollAccount: "+-----",
  getAccount: "++++--",
  replaceProfile: "+-----",
  listBots: "+-----",
  registerBot: "+-----",
  revokeBot: "+-----",
  resolveContract: "++++--",
  readContract: "++++--",
  publishIntent: "+-++--",
  searchIntents: "++++--",
  recordIntentDeployment: "+-++--",
  getProject: "++++--",
  getOmnichainProject: "++++--",
  readOperation: "++++--",
  ...Object.fromEntries(Object.keys(register).map(id => [`operation_${id}`, "++++--"])),
  prepareOperation: "+-++--",
  ...Object.fromEntries(Object.keys(planRegister).map(id => [`operation_${id}`, "+-++--"])),
  createPlan: "+-++--",
  listPlans: "++++--",
  getPlan: "++++--",
  simulateStep: "++++--",
  submitStep: "+--+--",
  submitBundle: "+--+--",
  createSponsorship: "+-++--",
  listSponsorships: "++++--",
  getSponsorship: "++++--",
  submitSponsorship: "+--+--",
  createFundingPlan: "+-----",
  getSmartAccountCapabilities: "++++--",
  createCreationPlan: "+-----",
  createBindingChallenge: "+-----",
  createBinding: "+-----",
  listBindings: "++++--",
  getBinding: "++++--",
  deleteBinding: "+-----",
  createWalletPlan: "+-++--",
  reviewSession: "+-++--",
  createSession: "+-++--",
  listSessions: "++++--",
  getSession: "++++--",
  getSessionQuota: "++++--",
  createActivationPlan: "+-----",
  createRevocationPlan: "+-----",
  createUserOperation: "+-++--",
  listUserOperations: "++++--",
  getUserOperation: "++++--",
  submitUserOperation: "+--+--",
  createPaymentReview: "+-++--",
  getPaymentReview: "++++--",
  createCredential: "+-----"
}

const QUERIES: Readonly<Record<string, string>> = {
  getIndexerStatus: "?network=mainnet",
  getIndexerMetadata: "?network=mainnet",
  getProject: "?source=onchain",
  getOmnichainProject: "?source=onchain",
  getContract: "?id=a",
  getMethod: "?contractId=a&signature=b",
  resolveContract: "?chainId=31337&contractId=a",
  readContract: "?chainId=31337&contractId=a&function=f()&args=%5B%5D"
}

/** What says that the work behind is not configured here. */
const UNCONFIGURED = new Set([
  "INDEXER_NOT_CONFIGURED",
  "SMART_ACCOUNTS_UNAVAILABLE",
  "WALLET_PAYMENTS_UNAVAILABLE"
])

/** What the door answers, as against the work behind it. */
const DOOR = new Set([
  "AUTH_REQUIRED",
  "INVALID_AUTH",
  "INVALID_SIGNATURE",
  "AUTH_EXPIRED",
  "FORBIDDEN",
  "ACCOUNT_NOT_FOUND"
])

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)
const parties = {
  owner,
  "bot-read": await newBot(service, owner),
  "bot-plan": await newBot(service, owner, { scopes: ["read", "plan"] }),
  "bot-relay": await newBot(service, owner, { scopes: ["read", "plan", "relay"] }),
  stranger: { ...newOwner(), accountId: owner.accountId }
}

afterAll(() => service.stop())

type AnyRoute = (typeof allRoutes)[number]

const queryOf = ({ name, at }: AnyRoute): string =>
  QUERIES[name] ?? (at.startsWith("/api/v1/indexer/") ? "?network=mainnet&chainId=31337" : "")

const BINDING = `0x${"b1".repeat(32)}`

const targetOf = (route: AnyRoute): string =>
  `${route.at.replace(":step", "0").replace(":chainId/:projectId", "31337/1").replace("bindings/:id", `bindings/${BINDING}`).replace(/:\w+/g, "01234567-89ab-4def-8123-456789abcdef")}${queryOf(route)}`

const ask = (route: AnyRoute, actor: Actor): Promise<Response> => {
  const body = route.takesBody ? { body: {} } : {}
  const target = targetOf(route)
  if (actor === "unsigned" || route.access.kind === "public") {
    const init = route.takesBody ? { body: "{}", headers: { "Content-Type": "application/json" } } : {}
    return fetch(`${service.url}${target}`, { method: route.method, ...init })
  }
  return signedFetch(service, parties[actor], route.method, target, {
    ...body,
    idempotencyKey: `${route.name}-${actor}`
  })
}

const passes = async (route: AnyRoute, actor: Actor): Promise<boolean> => {
  const answer = await ask(route, actor)
  if (answer.ok) return true
  const { code, status } = await problemIn(answer)
  if (UNCONFIGURED.has(code)) return true
  assert.isBelow(status, 500, `${route.name} ${actor} ${code}`)
  return !DOOR.has(code)
}

describe("who may do what", () => {
  it("every route has its row and every row its route", () => {
    assert.sameMembers(
      allRoutes.map(({ name }) => name),
      Object.keys(RIGHTS)
    )
  })

  it("no two routes share a name or a place", () => {
    assert.strictEqual(new Set(allRoutes.map(({ name }) => name)).size, allRoutes.length)
    const places = allRoutes.map(({ method, at }) => `${method} ${at.replace(/:\w+/g, ":")}`)
    assert.strictEqual(new Set(places).size, allRoutes.length)
  })

  it("every route says in its rights what the table says", () => {
    for (const { name, access } of allRoutes) {
      const row = RIGHTS[name] ?? ""
      if (access.kind === "public") assert.strictEqual(row, "++++++", name)
      else {
        assert.strictEqual(access.ownerOnly, row.slice(1, 4) === "---", name)
        if (!access.ownerOnly)
          assert.strictEqual(access.scope, row[1] === "+" ? "read" : row[2] === "+" ? "plan" : "relay", name)
      }
    }
  })

  for (const route of allRoutes)
    it(route.name, async () => {
      let row = ""
      for (const actor of ACTORS) row += (await passes(route, actor)) ? "+" : "-"
      assert.strictEqual(row, RIGHTS[route.name])
    })
})
