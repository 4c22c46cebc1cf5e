/** When the embedded chain gets a block: some follow a transaction so that it confirms, few keep an idle head fresh, for all are kept. */
import { Effect, type Scope } from "effect"
import { headNumber, mineBlock } from "./ChainRpc.ts"

export interface Pace {
  readonly head: number
  /** Blocks still to come behind the last transaction. */
  readonly owed: number
  readonly idleTicks: number
}

const FOLLOWING_BLOCKS = 3
const IDLE_TICKS = 12

export const paced = (pace: Pace, head: number): { readonly mine: boolean; readonly pace: Pace } => {
  const owed = head === pace.head ? pace.owed : FOLLOWING_BLOCKS
  const idleTicks = pace.idleTicks + 1
  return owed > 0 || idleTicks >= IDLE_TICKS
    ? { mine: true, pace: { head: head + 1, owed: Math.max(0, owed - 1), idleTicks: 0 } }
    : { mine: false, pace: { head, owed, idleTicks } }
}

const tick = Effect.fn("Mining.tick")(function* (url: string, pace: Pace) {
  const next = paced(pace, yield* headNumber(url))
  if (next.mine) yield* mineBlock(url)
  return next.pace
})

const patient = (url: string, pace: Pace) =>
  tick(url, pace).pipe(
    Effect.catchTag("ChainCallFailed", ({ method }) =>
      Effect.as(Effect.logWarning(`The embedded chain did not answer ${method}.`), pace)
    ),
    Effect.delay("1 second")
  )

export const mining = (url: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.iterate(
    { head: 0, owed: 0, idleTicks: 0 },
    { while: () => true, body: pace => patient(url, pace) }
  ).pipe(Effect.forkScoped, Effect.asVoid)
