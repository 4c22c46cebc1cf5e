/** Readiness of several processes as one: each part as its worst process has it, and each process as a part of its own. */
import { Either, Option, Schema } from "effect"
import type { Answer } from "../../http/Answer.ts"

const State = Schema.Literal("healthy", "degraded", "unhealthy")

type State = typeof State.Type

const Part = Schema.Struct({
  name: Schema.String,
  state: State,
  facts: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
})

const decode = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Struct({ status: State, parts: Schema.Array(Part) }))
)

export interface ToldReadiness {
  readonly place: number
  /** Absent while it is started anew; none where it is silent. */
  readonly answer: Option.Option<Answer> | undefined
}

const ORDER = State.literals

const worse = (one: State, other: State): State => (ORDER.indexOf(one) < ORDER.indexOf(other) ? other : one)

/** Of one process; what cannot be read is as if it were silent. */
const readOne = ({ place, answer }: ToldReadiness) => {
  const name = `process ${place}`
  if (answer === undefined) return { isServing: true, own: { name, state: "degraded" as const }, parts: [] }
  const read = Option.flatMap(answer, ({ status, body }) =>
    Option.map(Either.getRight(decode(body.toString())), found => ({ ...found, isServing: status < 400 }))
  )
  return Option.match(read, {
    onNone: () => ({ isServing: false, own: { name, state: "unhealthy" as const }, parts: [] }),
    onSome: ({ status, parts, isServing }) => ({ isServing, own: { name, state: status }, parts })
  })
}

const worst = (parts: ReadonlyArray<typeof Part.Type>): ReadonlyArray<typeof Part.Type> => {
  const known = new Map<string, typeof Part.Type>()
  for (const part of parts) {
    const before = known.get(part.name)
    if (before === undefined || worse(before.state, part.state) !== before.state) known.set(part.name, part)
  }
  return [...known.values()]
}

/** A process that is started anew gets nobody to serve: the others do its work. */
export const joinedReadiness = (told: ReadonlyArray<ToldReadiness>): Answer => {
  const read = told.map(readOne)
  const isServed = told.some(({ answer }) => answer !== undefined)
  const isReady = isServed && read.every(({ isServing }) => isServing)
  const parts = [...worst(read.flatMap(({ parts }) => parts)), ...read.map(({ own }) => own)]
  const states: ReadonlyArray<State> = read.map(({ own }) => own.state)
  const found = states.reduce(worse, "healthy")
  const status = isServed ? found : "unhealthy"
  return {
    status: isReady ? 200 : 503,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ status, parts })
  }
}
