/** Some nodes run a call at a head that was overtaken just now on the next block's state: a revert is believed at what still is the head. */
import { Effect } from "effect"
import type { ProblemCode } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import type { Bytes32 } from "../values/Scalars.ts"

const LOOKS_AGAIN = 2

/** How a run that did not go through is refused. */
const REVERTS: ReadonlyArray<ProblemCode> = ["SIMULATION_REVERTED", "USER_OPERATION_REFUSED"]

interface Look<At, A, E, R, NewE, NewR> {
  readonly headOf: (at: At) => Bytes32
  /** Where the head stands now. */
  readonly anew: Effect.Effect<At, NewE, NewR>
  readonly run: (at: At) => Effect.Effect<A, E, R>
}

/** Runs again at the head as it is now, twice at most, where a simulation reverted at one that was overtaken meanwhile. */
export const believingReverts = <At, A, E extends AnyRefusal, R, NewE, NewR>(
  at: At,
  look: Look<At, A, E, R, NewE, NewR>,
  looksLeft: number = LOOKS_AGAIN
): Effect.Effect<A, E | NewE, R | NewR> =>
  Effect.catchAll(look.run(at), (refused): Effect.Effect<A, E | NewE, R | NewR> => {
    if (!REVERTS.includes(refused._tag) || looksLeft === 0) return Effect.fail(refused)
    return Effect.flatMap(look.anew, current =>
      look.headOf(current) === look.headOf(at)
        ? Effect.fail(refused)
        : believingReverts(current, look, looksLeft - 1)
    )
  })
