import { Context } from "effect"
import { assert, describe, it } from "vitest"
import { NEUTRAL_AUDIENCE } from "../../scripts/schema/Neutral.ts"
import { Api } from "../../src/http/api/Api.ts"
import { EVERYWHERE, SIGNED } from "../../src/http/api/CommonProblems.ts"
import { ProblemsOf } from "../../src/http/api/Declare.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { placesOf } from "../../src/http/Places.ts"
import { ProblemRegister } from "../../src/values/ProblemRegister.ts"

const described = describeApi(Api)(NEUTRAL_AUDIENCE)
const operations = Object.values(described.paths).flatMap(item => Object.values(item))

const toldOf = (name: string) => {
  const { responses = {} } = operations.find(({ operationId }) => operationId === name) ?? {}
  return new Map(Object.entries(responses).map(([status, { description }]) => [status, description ?? ""]))
}

describe("what can go wrong with an operation", () => {
  for (const { name, access, endpoint } of placesOf(Api))
    it(`is told of ${name} by status`, () => {
      const told = toldOf(name)
      const ofAccess = access.kind === "signed" ? [...EVERYWHERE, ...SIGNED] : EVERYWHERE
      const untold = [...ofAccess, ...Context.unsafeGet(endpoint.annotations, ProblemsOf)].filter(
        code => !told.get(String(ProblemRegister[code].status))?.split(", ").includes(code)
      )
      assert.deepStrictEqual(untold, [])
    })
})
