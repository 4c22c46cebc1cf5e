import { afterAll, assert, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { isPlan, ownDeclarations, selectableSources } from "../../src/operations/framework/Declarations.ts"
import { DEPENDENT_CALLS } from "../../src/protocol/DependentCalls.ts"
import { problemCodes } from "../../src/values/ProblemRegister.ts"
import {
  asksOneOf,
  type CutAnswer,
  cutEach,
  inventions,
  isTold,
  lostIn,
  startOperationBench
} from "../support/Operations.ts"
import { operationTarget } from "../support/OperationTarget.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { SANDBOX_INPUTS } from "./support/SandboxInputs.ts"

const MOST_ROUND_TRIPS = 3
/** An operation is asked again for each of its reads, some of which are fifty. */
const EACH_READ_TWICE = 180_000

const bench = await startOperationBench()

afterAll(() => bench.stop())

const onchain = ownDeclarations
  .filter(each => !isPlan(each) && selectableSources(each).includes("onchain"))
  .map(({ id }) => id)

const { paths } = describeApi(Api)("http://localhost")

/** The codes that the description lists for the operation's own path. */
const listedFor = (id: string): ReadonlySet<string> => {
  const responses = Object.values(paths[`/api/v1/operations/${id}`]?.get?.responses ?? {})
  const words = responses.flatMap(({ description = "" }) => description.split(", "))
  return new Set(problemCodes.filter(code => words.includes(code)))
}

const codeOf = (body: unknown): string => String(Object(body).code)

/** What a program would have answered ahead is asked by itself. */
const isUnneeded = (id: string, read: string) =>
  read.includes(DEPENDENT_CALLS) || asksOneOf(read, SANDBOX_INPUTS[id]?.unneeded ?? [])

const faultsOf = (id: string, whole: unknown, { status, body, read, cut }: CutAnswer) => {
  const named = `${id}, ${cut} of ${read.slice(0, 120)}`
  if (status !== 200) {
    const isListed = status !== 500 && listedFor(id).has(codeOf(body))
    return isListed ? [] : [`${named}: ${status} ${codeOf(body)} is not listed`]
  }
  const { runBefore = [] } = SANDBOX_INPUTS[id] ?? {}
  if (cut === "revert" && asksOneOf(read, runBefore))
    return isTold(whole, body) ? [] : [`${named}: the revert is told nowhere`]
  if (!lostIn(whole, body) && !isUnneeded(id, read)) return [`${named}: nothing became unknown`]
  return inventions(whole, body).map(fault => `${named}: ${fault}`)
}

describe("operations that read a chain", () => {
  it("are all asked here", () => {
    assert.sameMembers(
      onchain.filter(id => !(id in SANDBOX_INPUTS)),
      []
    )
  })

  for (const id of onchain) {
    const { input, source, refusal } = SANDBOX_INPUTS[id] ?? { input: {} }

    it(`${id} says of each read that fails that it does not know`, { timeout: EACH_READ_TWICE }, async () => {
      const { whole, answers } = await cutEach(bench, () => bench.ask(id, input, source))
      assert.strictEqual(
        whole.status === 200 ? undefined : codeOf(whole.body),
        refusal,
        JSON.stringify(whole)
      )
      if (refusal === undefined) assert.isNotEmpty(answers)
      assert.deepStrictEqual(
        answers.flatMap(answer => faultsOf(id, whole.body, answer)),
        []
      )
    })

    it(`${id} takes ${MOST_ROUND_TRIPS} round trips at most from a process that has asked nothing yet`, async () => {
      const replica = await bench.replica()
      const get = () => signedFetch(replica, bench.owner, "GET", operationTarget(id, input, source))
      const { roundTrips } = await bench.node.during(get)
      await replica.stop()
      assert.isAtMost(roundTrips, MOST_ROUND_TRIPS)
      assert.isAtLeast(roundTrips, 1)
    })
  }
})
