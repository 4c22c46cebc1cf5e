/** A wallet signs requests of those steps alone whose turn it is. */
import { assert, describe, it } from "vitest"
import vectors from "../../schema/vectors/execution.json" with { type: "json" }
import { createClient } from "../../src/client/Client.ts"
import { textDigest } from "../../src/client/Commitment.ts"
import { AlteredPlan, WalletChainMismatch } from "../../src/client/Errors.ts"
import type { TypedDataPayload } from "../../src/client/Signer.ts"
import { signForwardRequests } from "../../src/client/SignForwardRequests.ts"
import { memoryStore } from "../../src/client/Store.ts"
import { committedText } from "../../src/plans/CommittedText.ts"
import type { Plan, Step } from "../../src/plans/Plan.ts"
import { committedSponsorshipText } from "../../src/sponsorship/CommittedSponsorship.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { forwardRequestDigest, forwardRequestMembers } from "../../src/values/ForwardRequest.ts"
import { fundableSponsorship } from "./support/FundableSponsorship.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord, stepRecord } from "./support/PlanRecords.ts"
import { json, problem } from "./support/ScriptedFetch.ts"

const [vector = assert.fail("no vectors")] = vectors.sponsorship.vectors
const { authorizations }: Pick<Sponsorship, "authorizations"> = JSON.parse(vector.commitment.canonical)
const [request = assert.fail("no request")] = authorizations
const { domain, forwarder, forwarderCodeHash, chainId } = request

const AUDIENCE = "http://service.test"
const key = newKey()
const account = accountOf(key.address)
const own = { accountId: account, principalId: `owner:${account}` }

const OTHER_CHAIN = chainId + 1

const instance = {
  ...{ address: forwarder, retired: false, runtimeCodeHash: forwarderCodeHash },
  constructorArguments: [{ name: "name", value: domain.name }]
}
const catalogued = {
  deployments: [chainId, OTHER_CHAIN].map(each => ({ chainId: each, instances: [instance] }))
}
const client = createClient({
  ...{ baseUrl: AUDIENCE, audience: AUDIENCE, account, signer: key, system: heldSystem(1_800_000_000_000) },
  fetch: async () => json(200, catalogued)
})

const [call = assert.fail("no call")] = planRecord().calls
const done = stepRecord({ state: "confirmed", semantic: { status: "verified" } })
const next = stepRecord({ index: 1 })

const requestOf = ({ calls }: Plan, stepIndex: number) => {
  const { chainId: at, to, data, value } = calls[stepIndex] ?? assert.fail("no call")
  const message = { ...request.message, from: key.address, deadline: "1800000600", to, data, value }
  const own = { ...domain, chainId: at }
  return {
    ...{ ...request, stepIndex, message, chainId: at, domain: own, primaryType: "ForwardRequest" as const },
    types: { ForwardRequest: forwardRequestMembers },
    digest: forwardRequestDigest(own, message)
  }
}

const sponsored = async (stepIndexes: ReadonlyArray<number>, over: Pick<Plan, "calls" | "steps">) => {
  const unsealed = planRecord({ account: key.address, ...over })
  const plan = { ...unsealed, commitment: await textDigest(committedText(unsealed, own)) }
  const { submission: _, ...unpublished } = fundableSponsorship({
    ...{ id: "s", planId: plan.id, authorizations: stepIndexes.map(index => requestOf(plan, index)) },
    submissionHash: plan.commitment
  })
  const sponsorship: Sponsorship = {
    ...unpublished,
    ...{ state: "prepared", nextAction: { kind: "sign" } },
    planCommitment: plan.commitment,
    publicationExpiresAt: plan.expiresAt
  }
  const commitment = await textDigest(committedSponsorshipText(sponsorship, own))
  return { plan, sponsorship: { ...sponsorship, commitment } }
}

/** For the steps of that plan of two calls, the second of which depends on the first. */
const signedFor = async (stepIndexes: ReadonlyArray<number>, steps: ReadonlyArray<Step>) =>
  signForwardRequests(key, {
    client,
    ...(await sponsored(stepIndexes, { calls: [call, { ...call, dependsOn: [0] }], steps }))
  })

const isAltered = async (work: Promise<unknown>) =>
  assert.instanceOf(await work.catch((caught: unknown) => caught), AlteredPlan)

describe("the requests of a plan", () => {
  it("are signed of the steps that are ready", async () => {
    assert.strictEqual((await signedFor([0], [stepRecord(), next])).length, 1)
    assert.strictEqual((await signedFor([1], [done, next])).length, 1)
  })

  it("are not signed of a step that was executed, or that has left", async () => {
    await isAltered(signedFor([0, 1], [done, next]))
    await isAltered(signedFor([0], [stepRecord({ state: "submitted" }), next]))
  })

  it("are not signed of a step before those that it depends on are done", async () => {
    await isAltered(signedFor([1], [stepRecord(), stepRecord({ index: 1, state: "blocked" })]))
    await isAltered(signedFor([0, 1], [stepRecord(), next]))
  })
})

const agree = () => true

it("a step that was executed is prepared no second time, however it is shown then", async () => {
  const unsealed = planRecord({ account: key.address })
  const plan = { ...unsealed, commitment: await textDigest(committedText(unsealed, own)) }
  const id = "5f0c8a52-0b1c-4f0a-9f53-000000000009"
  const execution = { transport: "forwarder-prepaid-erc2771", bindingId: id, chainId } as const
  const shown = [[stepRecord({ state: "submitted", execution })], [{ ...done, execution }], plan.steps]
  const completed = {
    ...fundableSponsorship({ id, planId: plan.id, authorizations, submissionHash: plan.commitment }),
    ...{ state: "completed", nextAction: { kind: "none" } }
  }
  const asked: Array<string> = []
  const service = createClient({
    ...{ baseUrl: AUDIENCE, audience: AUDIENCE, account, signer: key, system: heldSystem(1) },
    fetch: async (url, { method }) => {
      const { pathname } = new URL(url)
      asked.push(`${method} ${pathname}`)
      if (pathname.endsWith(plan.id)) return json(200, { ...plan, steps: shown.shift() ?? plan.steps })
      return json(200, completed)
    }
  })
  const carried = await service.sponsorships.carryOut(plan, { wallet: key, rpc: "http://node.test", agree })
  assert.strictEqual(carried.sponsorship?.id, id)
  assert.notInclude(asked, "POST /api/v1/sponsorships")
})

/** One chain at a time, as wallets in browsers are. */
const travelling = () => {
  const asked: Array<number> = []
  const wallet = {
    ...key,
    at: chainId,
    chainId: async () => wallet.at,
    signTypedData: async (payload: TypedDataPayload) => {
      asked.push(payload.domain.chainId)
      return key.signTypedData(payload)
    }
  }
  return { wallet, asked }
}

const twoChains = () =>
  sponsored([0, 1], { calls: [call, { ...call, chainId: OTHER_CHAIN }], steps: [stepRecord(), next] })

const mismatch = async (work: Promise<unknown>) =>
  assert.instanceOf(await work.catch((caught: unknown) => caught), WalletChainMismatch)

describe("requests of several chains, by a wallet of one at a time", () => {
  it("are signed across its switch, each once", async () => {
    const { wallet, asked } = travelling()
    const made = {}
    const about = { client, ...(await twoChains()) }
    await mismatch(signForwardRequests(wallet, about, made))
    wallet.at = OTHER_CHAIN
    const signatures = await signForwardRequests(wallet, about, made)
    assert.deepStrictEqual(signatures, await signForwardRequests(key, about))
    assert.deepStrictEqual(asked, [chainId, OTHER_CHAIN])
  })

  it("are carried out by calling again after the switch", async () => {
    const { wallet, asked } = travelling()
    const { plan, sponsorship } = await twoChains()
    const published: Array<unknown> = []
    const service = createClient({
      ...{ baseUrl: AUDIENCE, audience: AUDIENCE, account, signer: key },
      system: heldSystem(1_800_000_000_000),
      fetch: async (url, { body }) => {
        const { pathname } = new URL(url)
        if (pathname.endsWith(plan.id)) return json(200, plan)
        if (!pathname.includes("/sponsorships")) return json(200, catalogued)
        if (!pathname.endsWith("/submissions")) return json(200, sponsorship)
        if (body instanceof Uint8Array) published.push(JSON.parse(new TextDecoder().decode(body)))
        return json(200, { ...sponsorship, state: "lapsed", nextAction: { kind: "none" } })
      }
    })
    const carry = () => service.sponsorships.carryOut(plan, { wallet, rpc: "http://node.test", agree })
    await mismatch(carry())
    assert.deepStrictEqual(published, [])
    wallet.at = OTHER_CHAIN
    await carry()
    const signatures = await signForwardRequests(key, { client, plan, sponsorship })
    assert.deepStrictEqual(published, [{ signatures }])
    assert.deepStrictEqual(asked, [chainId, OTHER_CHAIN])
  })
})

it("what was signed stays kept where the service was restored from a backup that does not know it", async () => {
  const { plan } = await twoChains()
  const store = memoryStore()
  const name = `${plan.id}.sponsorship`
  await store.keep(name, JSON.stringify({ create: "key", sponsorship: "s", publication: "{}" }))
  const service = createClient({
    ...{ baseUrl: AUDIENCE, audience: AUDIENCE, account, signer: key, system: heldSystem(1) },
    fetch: async (_, { method }) =>
      method === "GET" ? json(200, { ...plan, restoredAt: 1 }) : problem(409, "PLAN_EXPIRED")
  })
  const carried = service.sponsorships.carryOut(plan, { wallet: key, rpc: "http://node.test", store, agree })
  const failure = await carried.catch((caught: unknown) => caught)
  assert.deepInclude(failure, { name: "ServiceProblem", code: "PLAN_EXPIRED" })
  assert.include(await store.recall(name), "publication")
})
