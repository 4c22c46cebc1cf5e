import { Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { joinedReadiness } from "../../src/main/processes/JoinedReadiness.ts"
import { packed, unpacked } from "../../src/main/processes/Packed.ts"

const said = (status: number, state: string, database: string) =>
  Option.some({
    status,
    headers: {},
    body: JSON.stringify({
      status: state,
      parts: [{ name: "database", state: database, facts: { of: state } }]
    })
  })

const well = said(200, "healthy", "healthy")

const joined = (...answers: ReadonlyArray<typeof well | undefined>) => {
  const { status, body } = joinedReadiness(answers.map((answer, index) => ({ place: index + 1, answer })))
  const found: { status: string; parts: ReadonlyArray<{ name: string; state: string }> } = JSON.parse(
    body.toString()
  )
  return [status, found.status, Object.fromEntries(found.parts.map(({ name, state }) => [name, state]))]
}

describe("readiness of several processes", () => {
  it("is that of the worst that gets connections, part by part", () => {
    assert.deepStrictEqual(joined(well, well), [
      200,
      "healthy",
      { database: "healthy", "process 1": "healthy", "process 2": "healthy" }
    ])
    assert.deepStrictEqual(joined(well, said(503, "unhealthy", "unhealthy")), [
      503,
      "unhealthy",
      { database: "unhealthy", "process 1": "healthy", "process 2": "unhealthy" }
    ])
  })

  it("says nothing of a process that is started anew, as long as another one serves", () => {
    assert.deepStrictEqual(joined(undefined, well), [
      200,
      "degraded",
      { database: "healthy", "process 1": "degraded", "process 2": "healthy" }
    ])
    assert.deepStrictEqual(joined(undefined), [503, "unhealthy", { "process 1": "degraded" }])
  })

  it("takes silence, and what cannot be read, for not ready", () => {
    assert.deepStrictEqual(joined(Option.none(), well), [
      503,
      "unhealthy",
      { database: "healthy", "process 1": "unhealthy", "process 2": "healthy" }
    ])
    assert.strictEqual(joined(Option.some({ status: 200, headers: {}, body: "<html>" }))[0], 503)
  })
})

it("settings arrive as they left, with their secrets wrapped and unread on the way", () => {
  const settings = {
    urls: [Redacted.make("https://secret.example")],
    headers: Redacted.make({ authorization: "secret" }),
    gas: 12n,
    absent: undefined,
    nested: { list: [1, "two", null] }
  }
  const arrived: unknown = unpacked(structuredClone(packed(settings)))
  assert.deepStrictEqual(Object.keys(Object(arrived)), Object.keys(settings))
  const { urls, headers, ...plain } = Object(arrived)
  assert.deepStrictEqual(plain, { gas: 12n, absent: undefined, nested: { list: [1, "two", null] } })
  assert.strictEqual(Redacted.value(urls[0]), "https://secret.example")
  assert.deepStrictEqual(Redacted.value(headers), { authorization: "secret" })
  assert.notInclude(`${urls[0]} ${headers}`, "secret")
})
