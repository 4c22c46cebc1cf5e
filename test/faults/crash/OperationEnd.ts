/** What becomes of the operations of a run once everybody is done with them: the service has to say what the chain has. */
import { type CarriedOut, carriedOutOn, endOf, isCarriedOut } from "../operating/Events.ts"
import { guardOn } from "../operating/SessionAudit.ts"
import { lapseAll } from "../sponsored/Lapse.ts"
import type { BroughtOperation } from "./OperationLane.ts"
import type { World } from "./World.ts"

const PATIENCE_MILLIS = 120_000
const POLL_MILLIS = 300
const AT_ONCE = 8
/** As the guard says it. */
const REVOKED = 2
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

/** How it may end: one of a session can be carried out for as long as its guard has the session. */
const endsOf = async (world: World, one: BroughtOperation, carriedOut: CarriedOut) => {
  if (!(await isSent(world, one))) return ["prepared"]
  const { session, operation: sent } = one.operation
  if (session === undefined || isCarriedOut(carriedOut, one.operation))
    return [endOf(carriedOut, one.operation)]
  const { permissionId: permission_id } = session
  const { status } = await guardOn(world.chainUrl).stateOf({ permission_id, wallet: sent.sender })
  return status === REVOKED ? ["expired"] : ["pending", "submission_unknown"]
}

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
    const ends = await endsOf(world, one, carriedOut)
    let { state } = await one.look()
    while (!ends.includes(state) && Date.now() < patience) {
      await sleep(POLL_MILLIS)
      state = (await one.look()).state
    }
    states[state] = (states[state] ?? 0) + 1
    if (!ends.includes(state)) wrong.push(`${one.operation.id} is ${state}, not ${ends}`)
  }
  const waiting = operated.values()
  const lane = async () => {
    for (const one of waiting) await settle(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { states, wrong }
}
