/** What every answer that is not a success must look like. */
import { assert } from "vitest"
import { ProblemRegister } from "../../src/values/ProblemRegister.ts"
import type { RawAnswer } from "./HttpRaw.ts"

const REQUIRED = ["code", "detail", "requestId", "retryable", "status", "title", "type"]
const OPTIONAL = ["context", "diagnosis"]
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface SeenProblem {
  readonly code: keyof typeof ProblemRegister
  readonly status: number
  readonly detail: string
  readonly requestId: string
  readonly retryable: boolean
  readonly type: string
  readonly context?: Readonly<Record<string, unknown>>
  readonly diagnosis?: Readonly<Record<string, unknown>>
}

interface Seen {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: string
}

const checkHeaders = ({ header }: Seen, problem: SeenProblem) => {
  assert.strictEqual(header("content-type"), "application/problem+json")
  assert.strictEqual(header("x-request-id"), problem.requestId)
  assert.strictEqual(header("cache-control"), "no-store")
  assert.strictEqual(header("x-content-type-options"), "nosniff")
  assert.isDefined(header("date"))
  if (problem.status === 429) assert.match(header("retry-after") ?? "", /^[1-9][0-9]*$/)
}

const check = (seen: Seen, audience: string | undefined): SeenProblem => {
  const problem: SeenProblem = JSON.parse(seen.body)
  for (const name of REQUIRED) assert.property(problem, name, seen.body)
  assert.sameMembers(
    Object.keys(problem).filter(name => !OPTIONAL.includes(name)),
    REQUIRED
  )
  assert.property(ProblemRegister, problem.code)
  assert.strictEqual(problem.status, seen.status)
  assert.strictEqual(problem.status, ProblemRegister[problem.code].status)
  assert.match(problem.requestId, UUID)
  assert.isAbove(problem.detail.length, 0)
  assert.match(problem.type, new RegExp(`/docs/errors#${problem.code.toLowerCase()}$`))
  if (audience !== undefined) assert.isTrue(problem.type.startsWith(`${audience}/docs/errors#`))
  checkHeaders(seen, problem)
  return problem
}

/** The problem that an answer is, after everything that any problem must be was checked. */
export const problemIn = async (answer: Response, audience?: string): Promise<SeenProblem> =>
  check(
    {
      status: answer.status,
      header: name => answer.headers.get(name) ?? undefined,
      body: await answer.text()
    },
    audience
  )

export const rawProblem = (answer: RawAnswer | undefined): SeenProblem => {
  if (answer === undefined) return assert.fail("the connection ended without an answer")
  return check(
    { status: answer.status, header: name => answer.headers.get(name), body: answer.body },
    undefined
  )
}

export const assertProblem = async (answer: Response, code: string): Promise<SeenProblem> => {
  const problem = await problemIn(answer)
  assert.strictEqual(problem.code, code, JSON.stringify(problem))
  return problem
}
