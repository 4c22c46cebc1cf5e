/** What becomes of the operations of a run once everybody is done with them: the service has to say what the chain has. */
import { carriedOutOn, endOf } from "../operating/Events.ts"
import { lapseAll } from "../sponsored/Lapse.ts"
import type { BroughtOperation } from "./OperationLane.ts"
import type { World } from "./World.ts"

const PATIENCE_MILLIS = 120_000
const POLL_MILLIS = 100
const AT_ONCE = 8
/** Longer than any operation's signatures are good for. */
const LIFE_SECONDS = 400

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

export interface OperationEnds {
  /** How many came to be in which state. */
  readonly states: Readonly<Record<string, number>>
  readonly wrong: ReadonlyArray<string>
}

/** One that nobody sent in its time stays prepared. */
const isSent = async (world: World, { operation: { id } }: BroughtOperation): Promise<boolean> =>
  (await world.sql("SELECT 1 FROM operation_sends WHERE operation = $1", [id])).length > 0

export const operationEnds = async (
  world: World,
  operated: ReadonlyArray<BroughtOperation>
): Promise<OperationEnds> => {
  await lapseAll(world.chainUrl, LIFE_SECONDS)
  const carriedOut = await carriedOutOn(world.chainUrl)
  const patience = Date.now() + PATIENCE_MILLIS
  const states: Record<string, number> = {}
  const wrong: Array<string> = []
  const settle = async (one: BroughtOperation) => {
    const end = (await isSent(world, one)) ? endOf(carriedOut, one.operation) : "prepared"
    let { state } = await one.look()
    while (state !== end && Date.now() < patience) {
      await sleep(POLL_MILLIS)
      state = (await one.look()).state
    }
    states[state] = (states[state] ?? 0) + 1
    if (state !== end) wrong.push(`${one.operation.id} is ${state}, not ${end}`)
  }
  const waiting = operated.values()
  const lane = async () => {
    for (const one of waiting) await settle(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { states, wrong }
}
