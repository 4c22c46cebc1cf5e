/** Requests that wait for an operation's change: who may, for how long, and what ends it. */
import { afterAll, assert, describe, it } from "vitest"
import { newBot, revokeBot } from "../support/Bots.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, startRelayBench } from "../support/RelayBench.ts"
import type { RunningService } from "../support/Service.ts"
import { type Party, signedFetch, signedInit } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweep } from "../support/Sweeps.ts"
import { until } from "../support/Until.ts"
import { workerOf } from "../support/Worker.ts"
import { execute, type SentOperation, sentOperation, shownOperation } from "./support/Sent.ts"

const bench = await startRelayBench()
const worker = workerOf(bench)

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

interface Waiting {
  readonly since: number
  readonly wait?: number
  readonly by?: Party
  readonly service?: RunningService
}

const pathOf = ({ id }: SentOperation, { since, wait = 20 }: Waiting) =>
  `/api/v1/user-operations/${id}?wait=${wait}&since=${since}`

const newer = (made: SentOperation, waiting: Waiting) => {
  const { by = made.owner, service = bench.service } = waiting
  return signedFetch(service, by, "GET", pathOf(made, waiting))
}

/** What it is answered with, once it is. */
const answering = (made: SentOperation, waiting: Waiting) => {
  const asked = { answer: undefined as Response | undefined }
  const answered = newer(made, waiting).then(answer => {
    asked.answer = answer
    return answer
  })
  return { asked, answered }
}

const known = async (made: SentOperation) => (await shownOperation(bench, made)).revision

/** The sweep takes its plan only because somebody waits. */
const changes = async (made: SentOperation) => {
  await execute(bench, [made])
  await until(
    () => worker.runPromise(sweep),
    count => count > 0
  )
}

const statusOf = async (made: SentOperation, waiting: Waiting) => (await newer(made, waiting)).status

/** Once as many of them are refused as have no room. */
const crowded = async (all: ReadonlyArray<Promise<Response>>, refusals: number): Promise<void> => {
  let refused = 0
  for (const each of all)
    each.then(
      ({ status }) => {
        if (status === 429) refused += 1
      },
      () => undefined
    )
  await until(
    async () => refused,
    count => count === refusals
  )
}

const isAnswered = ({ status }: Response): boolean => status === 200

describe("who waits for an operation", () => {
  it("is answered at once where it changed before", async () => {
    const made = await sentOperation(bench)
    const since = (await known(made)) - 1
    const answer = await newer(made, { since })
    assert.strictEqual((await answer.json()).revision, since + 1)
  })

  it("is answered in time where nothing changed", async () => {
    const made = await sentOperation(bench)
    const since = await known(made)
    const answer = await newer(made, { since, wait: 1 })
    assert.deepInclude(await answer.json(), { revision: since, state: "pending" })
  })

  it("is answered with what it came to, which a sweep finds soon", async () => {
    const made = await sentOperation(bench)
    const since = await known(made)
    const { answered } = answering(made, { since })
    await changes(made)
    const shown = await (await answered).json()
    assert.strictEqual(shown.state, "confirming")
    assert.isAbove(shown.revision, since)
  })

  it("is told of nothing that is not its own", async () => {
    const made = await sentOperation(bench)
    const by = await newPayer(bench)
    const bot = await newBot(bench.service, made.owner, { scopes: ["read"] })
    for (const other of [by, bot])
      assert.strictEqual(
        (await problemIn(await newer(made, { since: 0, by: other }))).code,
        "USER_OPERATION_NOT_FOUND"
      )
  })

  it.each(["wait=5", "since=0", "wait=0&since=0", "wait=21&since=0", "wait=5&since=-1", "wait=x&since=0"])(
    "says both how long and since when, within bounds: %s",
    async query => {
      const made = await sentOperation(bench)
      const target = `/api/v1/user-operations/${made.id}?${query}`
      const refused = await signedFetch(bench.service, made.owner, "GET", target)
      assert.strictEqual((await problemIn(refused)).code, "INVALID_PARAMETER")
    }
  )
})

describe("of those who wait", () => {
  it("64 of an account may at once, the next is refused, and all are answered by one change", async () => {
    const made = await sentOperation(bench)
    const other = await sentOperation(bench)
    const since = await known(made)
    const all = Array.from({ length: 80 }, () => newer(made, { since }))
    await crowded(all, 16)
    const refused = await newer(made, { since })
    assert.deepInclude(await problemIn(refused), { code: "RATE_LIMITED", context: { limit: 64 } })
    const others = answering(other, { since: await known(other), wait: 1 })
    assert.strictEqual((await others.answered).status, 200)
    await changes(made)
    const answers = (await Promise.all(all)).filter(isAnswered)
    assert.lengthOf(answers, 64)
    for (const answer of answers) assert.isAbove((await answer.json()).revision, since)
  })

  it("none is shown what came after the grant that it waits by was revoked", async () => {
    const made = await sentOperation(bench)
    const bot = await newBot(bench.service, made.owner, { scopes: ["read"] })
    const principal = `bot:${bot.grantId}`
    const { databaseUrl } = bench.service
    await sqlOn(databaseUrl, "UPDATE plans SET principal = $2 WHERE id = $1", [made.plan.id, principal])
    await sqlOn(databaseUrl, "UPDATE user_operations SET principal = $2 WHERE id = $1", [made.id, principal])
    const since = await known(made)
    const all = Array.from({ length: 65 }, () => newer(made, { since, by: bot }))
    await crowded(all, 1)
    await revokeBot(bench.service, made.owner, bot)
    await changes(made)
    const codes = await Promise.all(
      (await Promise.all(all)).map(async answer => (await problemIn(answer)).code)
    )
    assert.deepStrictEqual(codes.toSorted(), [
      ...Array.from({ length: 64 }, () => "FORBIDDEN"),
      "RATE_LIMITED"
    ])
  })

  it("those that hang up leave their rooms", async () => {
    const reference = await sentOperation(bench)
    const { asked, answered } = answering(reference, { since: await known(reference) })
    const made = await sentOperation(bench)
    const since = await known(made)
    const leaving = new AbortController()
    const { service } = bench
    const all = Array.from({ length: 80 }, async () => {
      const path = pathOf(made, { since })
      const init = await signedInit(service, made.owner, "GET", path)
      return fetch(`${service.url}${path}`, { ...init, signal: leaving.signal })
    })
    const settled = Promise.allSettled(all)
    await crowded(all, 16)
    leaving.abort()
    await settled
    await until(
      () => statusOf(made, { since, wait: 1 }),
      status => status === 200
    )
    assert.isUndefined(asked.answer, "nobody's time is over")
    await changes(reference)
    await answered
  })

  it("all are answered when their process ends", async () => {
    const reference = await sentOperation(bench)
    const { asked, answered } = answering(reference, { since: await known(reference) })
    const made = await sentOperation(bench)
    const service = await bench.replica()
    const since = await known(made)
    const waiting = answering(made, { since, service })
    await until(
      async () => statusOf(made, { since: since - 1, service }),
      status => status === 200
    )
    await service.stop()
    const answer = await waiting.answered
    assert.strictEqual(answer.status, 200)
    assert.strictEqual((await answer.json()).revision, since)
    assert.isUndefined(asked.answer, "nobody's time is over")
    await changes(reference)
    await answered
  })

  it("half of a process's places are left to who works", async () => {
    const made = await sentOperation(bench)
    const since = await known(made)
    const service = await bench.replica({ maximumInWork: 4 })
    const all = Array.from({ length: 4 }, () => newer(made, { since, service }))
    await crowded(all, 2)
    assert.strictEqual((await shownOperation({ service }, made)).revision, since)
    await changes(made)
    const answers = (await Promise.all(all)).filter(isAnswered)
    for (const answer of answers) assert.isAbove((await answer.json()).revision, since)
    await service.stop()
  })
})
