import { afterAll, assert, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { planIds } from "../../src/operations/generated/OperationIds.ts"
import { DEPENDENT_CALLS } from "../../src/protocol/DependentCalls.ts"
import { problemCodes } from "../../src/values/ProblemRegister.ts"
import { asksOneOf, type CutAnswer, cutEach, inventions, isTold, lostIn } from "../support/Operations.ts"
import { prepare, startPlanBench } from "../support/PlanBench.ts"
import { PLAN_INPUTS, type Planned } from "./support/PlanInputs.ts"

const MOST_ROUND_TRIPS = 3
/** An operation is asked again for each of its reads, some of which are fifty. */
const EACH_READ_TWICE = 180_000

const bench = await startPlanBench()

afterAll(() => bench.stop())

const { paths } = describeApi(Api)("http://localhost")

/** The codes that the description lists for the operation's own path. */
const listedFor = (id: string): ReadonlySet<string> => {
  const responses = Object.values(paths[`/api/v1/operations/${id}/plans`]?.post?.responses ?? {})
  const words = responses.flatMap(({ description = "" }) => description.split(", "))
  return new Set(problemCodes.filter(code => words.includes(code)))
}

const codeOf = (body: unknown): string => String(Object(body).code)

/** What a plan says, apart from which plan it is. */
const saidBy = (body: unknown) => {
  const { operation, account, project, calls, evidence, summary } = Object(body)
  return { operation, account, project, calls, evidence, summary }
}

const faultsOf = (
  id: string,
  { unneeded = [], runBefore = [] }: Planned,
  whole: unknown,
  answer: CutAnswer
) => {
  const { status, body, read, cut } = answer
  const named = `${id}, ${cut} of ${read.slice(0, 120)}`
  if (status !== 201) {
    const isListed = status !== 500 && listedFor(id).has(codeOf(body))
    return isListed ? [] : [`${named}: ${status} ${codeOf(body)} is not listed`]
  }
  const isUnneeded = read.includes(DEPENDENT_CALLS) || asksOneOf(read, unneeded)
  if (cut === "revert" && asksOneOf(read, runBefore))
    return isTold(saidBy(whole), saidBy(body)) ? [] : [`${named}: the revert is told nowhere`]
  if (!lostIn(whole, body) && !isUnneeded) return [`${named}: nothing became unknown`]
  return inventions(saidBy(whole), saidBy(body)).map(fault => `${named}: ${fault}`)
}

describe("operations that prepare a plan", () => {
  it("are all asked here", () => {
    assert.sameMembers(
      planIds.filter(id => !Object.hasOwn(PLAN_INPUTS, id)),
      []
    )
  })

  for (const id of planIds) {
    const planned: Planned = PLAN_INPUTS[id] ?? { account: 0, input: {} }
    const inputOf = async () =>
      typeof planned.input === "function" ? await planned.input(bench) : planned.input

    it(`${id} plans nothing that it could not read`, { timeout: EACH_READ_TWICE }, async () => {
      const input = await inputOf()
      const party = planned.account === 0 ? bench.projectOwner : bench.holder
      const { whole, answers } = await cutEach(bench, () => prepare(bench, party, id, input))
      const refusal = whole.status === 201 ? undefined : codeOf(whole.body)
      assert.strictEqual(refusal, planned.refusal, JSON.stringify(whole))
      assert.isNotEmpty(answers)
      assert.deepStrictEqual(
        answers.flatMap(answer => faultsOf(id, planned, whole.body, answer)),
        []
      )
    })

    it(`${id} takes ${MOST_ROUND_TRIPS} round trips at most from a process that has asked nothing yet`, async () => {
      const service = await bench.replica()
      const party = planned.account === 0 ? bench.projectOwner : bench.holder
      const input = await inputOf()
      const { roundTrips } = await bench.node.during(() => prepare({ service }, party, id, input))
      await service.stop()
      assert.isAtMost(roundTrips, MOST_ROUND_TRIPS)
      assert.isAtLeast(roundTrips, 1)
    })
  }
})
