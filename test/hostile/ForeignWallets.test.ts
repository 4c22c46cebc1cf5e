/** S10 for wallets: what belongs to another principal, or to another account, is answered exactly like what does not exist, on every route that names it. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import { newBot } from "../support/Bots.ts"
import { contractCalls, payment } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, newRelayBot } from "../support/RelayBench.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import {
  askOperation,
  boundWallet,
  envelopeOf,
  preparedOperation,
  type ShownOperation,
  sendOperation,
  shownOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "../useroperations/support/Operating.ts"

const OPERATIONS = "/api/v1/user-operations"
const BINDINGS = "/api/v1/smart-accounts/bindings"
const ABSENT = { operation: "01234567-89ab-4def-8123-456789abcdef", binding: `0x${"5a".repeat(32)}` } as const

const routesAt = (path: string) => placesOf(Api).filter(({ at }) => at.startsWith(`${path}/:id`))
const routes = { operation: routesAt(OPERATIONS), binding: routesAt(BINDINGS) }
type Route = (typeof routes.operation)[number]

const bench = await startOperatingBench()
const { service } = bench

afterAll(() => bench.stop())

interface Kept {
  readonly operation: ShownOperation
  readonly signature: `0x${string}`
}

const standing = async () => {
  const bound = await boundWallet(bench)
  const { owner, owners } = bound
  const bot = await newRelayBot(bench, owner)
  const preparedBy = async (by: Party): Promise<Kept & { readonly planId: string }> => {
    const plan = await walletPlan(bench, bound, { by })
    const operation = await preparedOperation(service, by, plan)
    return { operation, planId: plan.id, signature: await envelopeOf(operation, owners) }
  }
  const [ofOwner, ofBot, sent] = [await preparedBy(owner), await preparedBy(bot), await preparedBy(owner)]
  const answer = await sendOperation(service, owner, sent.operation, sent.signature)
  assert.strictEqual(answer.status, 202, await answer.text())
  const elsewhere = await newPayer(bench)
  return {
    ...{ bound, bot, ofOwner, ofBot, sent },
    sameAccount: {
      "another bot of the account": await newRelayBot(bench, owner),
      "a reading bot of the account": await newBot(service, owner)
    },
    others: {
      "another owner": elsewhere,
      "a bot of another owner": await newRelayBot(bench, elsewhere)
    }
  }
}

let all: Awaited<ReturnType<typeof standing>>
beforeAll(async () => {
  all = await standing()
})

/** What differs between any two answers: when and to which request they are, and how many may follow. */
const OF_THE_REQUEST = /^(?:date|x-request-id|ratelimit|ratelimit-remaining|ratelimit-reset)$/

/** Without what names the request itself: who asks can tell by nothing else which of two things is there. */
const seen = async (answer: Response) => {
  const headers = [...answer.headers].map(([name, value]) =>
    OF_THE_REQUEST.test(name) ? name : [name, value]
  )
  const { requestId, ...problem } = await problemIn(answer)
  return { ...problem, requestId: requestId.length, headers }
}

const ask = (route: Route, actor: Party, id: string, signature: string) => {
  const { owner, wallet } = all.bound
  const own = contractCalls(owner, [payment(bench, wallet.address)])
  const bodies: Readonly<Record<string, unknown>> = {
    submitUserOperation: { signature },
    createWalletPlan: { ...own, input: { ...own.input, account: wallet.address } }
  }
  const options: RequestOptions = route.takesBody
    ? { idempotencyKey: freshNonce(), body: bodies[route.name] ?? assert.fail(`no body for ${route.name}`) }
    : {}
  return signedFetch(service, actor, route.method, route.at.replace(":id", id), options)
}

const named = (of: ReadonlyArray<Route>) => of.map(route => [route.name, route] as const)

const rows = () =>
  sqlOn(
    service.databaseUrl,
    `SELECT (SELECT count(*) FROM operation_sends) AS sends, (SELECT count(*) FROM plans) AS plans,
      (SELECT count(*) FROM user_operations) AS operations, (SELECT count(*) FROM idempotency_keys) AS keys,
      (SELECT count(*) FROM bindings WHERE unlinked_at IS NULL) AS linked`
  )

it("what belongs to others can be named on these routes", () => {
  const names = [...routes.operation, ...routes.binding].map(({ name }) => name)
  assert.sameMembers(names, [
    "getUserOperation",
    "submitUserOperation",
    "getBinding",
    "deleteBinding",
    "createWalletPlan"
  ])
})

describe("another principal's operation", () => {
  it.each(named(routes.operation))("is as good as absent: %s", async (_, route) => {
    const before = await rows()
    for (const [who, actor] of Object.entries({ ...all.sameAccount, ...all.others }))
      for (const { operation, signature } of [all.ofOwner, all.ofBot, all.sent]) {
        const absent = await seen(await ask(route, actor, ABSENT.operation, signature))
        assert.include(["USER_OPERATION_NOT_FOUND", "FORBIDDEN"], absent.code, who)
        assert.deepStrictEqual(await seen(await ask(route, actor, operation.id, signature)), absent, who)
      }
    assert.deepStrictEqual(await rows(), before)
  })

  it("is the bot's alone to send, though the owner of its account sees it", async () => {
    const { owner } = all.bound
    const { operation, signature } = all.ofBot
    assert.strictEqual((await shownOperation(service, owner, operation)).state, "prepared")
    const [absent, theirs] = await Promise.all(
      [ABSENT.operation, operation.id].map(async id =>
        seen(await sendOperation(service, owner, { id }, signature))
      )
    )
    assert.strictEqual(absent?.code, "USER_OPERATION_NOT_FOUND")
    assert.deepStrictEqual(theirs, absent)
  })

  it("of the owner is neither shown nor sent to a bot of the account", async () => {
    for (const { operation, signature } of [all.ofOwner, all.sent])
      for (const answer of [
        await signedFetch(service, all.bot, "GET", `${OPERATIONS}/${operation.id}`),
        await sendOperation(service, all.bot, operation, signature)
      ])
        assert.strictEqual((await problemIn(answer)).code, "USER_OPERATION_NOT_FOUND")
    assert.strictEqual(timesSent(bench, all.sent.operation), 1)
  })

  it.each(["wait=1&since=0", "wait=1&since=9007199254740991"])("is not waited for: %s", async query => {
    for (const actor of Object.values({ ...all.sameAccount, ...all.others })) {
      const [absent, ...theirs] = await Promise.all(
        [ABSENT.operation, all.sent.operation.id, all.ofBot.operation.id].map(async id =>
          seen(await signedFetch(service, actor, "GET", `${OPERATIONS}/${id}?${query}`))
        )
      )
      for (const one of theirs) assert.deepStrictEqual(one, absent)
    }
  })

  it("is in no other's list, nor in one by its plan", async () => {
    const kept = [all.ofOwner, all.ofBot, all.sent]
    for (const actor of Object.values({ ...all.sameAccount, ...all.others }))
      for (const query of ["", ...kept.map(({ planId }) => `&planId=${planId}`)]) {
        const answer = await signedFetch(service, actor, "GET", `${OPERATIONS}?limit=100${query}`)
        assert.deepStrictEqual(await answer.json(), { items: [], nextCursor: null })
      }
    const listed = await signedFetch(service, all.bot, "GET", `${OPERATIONS}?limit=100`)
    const { items }: { readonly items: ReadonlyArray<ShownOperation> } = await listed.json()
    assert.deepStrictEqual(
      items.map(({ id }) => id),
      [all.ofBot.operation.id]
    )
  })

  it("is prepared by nobody but its plan's principal", async () => {
    for (const [who, actor] of Object.entries({ ...all.others, ...all.sameAccount }))
      for (const { planId } of [all.ofOwner, all.ofBot]) {
        const [absent, theirs] = await Promise.all(
          [ABSENT.operation, planId].map(async id =>
            seen(await askOperation(service, actor, { planId: id, stepIndexes: [0] }))
          )
        )
        assert.include(["PLAN_NOT_FOUND", "FORBIDDEN"], absent?.code, who)
        assert.deepStrictEqual(theirs, absent, who)
      }
  })
})

describe("another account's binding", () => {
  it.each(named(routes.binding))("is as good as absent: %s", async (_, route) => {
    const before = await rows()
    for (const [who, actor] of Object.entries(all.others)) {
      const absent = await seen(await ask(route, actor, ABSENT.binding, "0x11"))
      assert.include(["BINDING_NOT_FOUND", "FORBIDDEN"], absent.code, who)
      const theirs = await seen(await ask(route, actor, all.bound.binding.id, "0x11"))
      assert.deepStrictEqual(theirs, absent, who)
    }
    assert.deepStrictEqual(await rows(), before)
  })

  it("is in no other's list", async () => {
    for (const actor of Object.values(all.others)) {
      const answer = await signedFetch(service, actor, "GET", `${BINDINGS}?limit=100`)
      assert.deepStrictEqual(await answer.json(), { items: [], nextCursor: null })
    }
  })

  it("is told of to its account's bots, and is ended by none of them", async () => {
    for (const bot of [all.bot, ...Object.values(all.sameAccount)]) {
      const shown = await signedFetch(service, bot, "GET", `${BINDINGS}/${all.bound.binding.id}`)
      assert.strictEqual(shown.status, 200)
      for (const id of [all.bound.binding.id, ABSENT.binding]) {
        const ended = await signedFetch(service, bot, "DELETE", `${BINDINGS}/${id}`)
        assert.strictEqual((await problemIn(ended)).code, "FORBIDDEN")
      }
    }
  })
})
