import { Effect, Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { makeRouter } from "../../src/http/Route.ts"
import { checkExtension } from "../../src/main/CheckExtension.ts"
import { declareEndpoint, defineRoutes, open, reply, strict } from "../../src/service/main.ts"

const told = strict({ id: Schema.String })

const shown = declareEndpoint({
  name: "showJar",
  method: "GET",
  at: "/jars/:jarId",
  access: open,
  summary: "Show a jar",
  description: "By its name.",
  path: strict({ jarId: Schema.String }),
  success: told
})

const ofJar = (method: "GET" | "DELETE", at: `/${string}`) =>
  declareEndpoint({
    name: "another",
    method,
    at,
    access: open,
    summary: "Something else of a jar",
    description: "By its name.",
    path: strict({ id: Schema.String }),
    success: told
  })

const answer = (id: string) => Effect.succeed(reply({ id }))

const withAnother = (another: ReturnType<typeof ofJar>) =>
  defineRoutes({
    prefix: "/api/v1/x/jars",
    name: "Jars",
    description: "Jars.",
    endpoints: [shown, another],
    handlers: {
      showJar: ({ path }) => answer(path.jarId),
      another: ({ path }) => answer(path.id)
    }
  })

const said = (another: ReturnType<typeof ofJar>) =>
  Effect.runSync(
    Effect.match(checkExtension([], [withAnother(another)]), {
      onFailure: ({ message }) => message,
      onSuccess: () => ""
    })
  )

describe("the paths of a team's routes", () => {
  it("give each route its parameters by its own names", () => {
    const router = makeRouter(withAnother(ofJar("GET", "/jars/:id/tip")).routes)
    const given = (path: string) =>
      Either.getOrThrow(Either.map(router("GET", `/api/v1/x/jars${path}`), match => match.path))
    assert.deepStrictEqual(given("/jars/blue"), { jarId: "blue" })
    assert.deepStrictEqual(given("/jars/blue/tip"), { id: "blue" })
  })

  it("are refused where two are one", () => {
    assert.strictEqual(said(ofJar("GET", "/jars/:id/tip")), "")
    assert.strictEqual(
      said(ofJar("GET", "/jars/:id")),
      "The route GET /api/v1/x/jars/jars/:id is declared twice."
    )
    assert.strictEqual(
      said(ofJar("DELETE", "/jars/:id")),
      "The route DELETE /api/v1/x/jars/jars/:id has the path of /api/v1/x/jars/jars/:jarId; name its parameters alike."
    )
  })
})
