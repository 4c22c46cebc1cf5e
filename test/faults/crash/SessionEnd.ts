/** What becomes of the sessions of a run once everybody is done with them: the service has to say what their guard says, and what it told before. */
import { auditSessions, guardOn } from "../operating/SessionAudit.ts"
import type { Verdict } from "./Audit.ts"
import type { BroughtSession } from "./SessionLane.ts"
import type { Notebook, Told } from "./Told.ts"
import type { World } from "./World.ts"

const PATIENCE_MILLIS = 120_000
const POLL_MILLIS = 200
/** An answer that was read before something happened can be heard so long after it. */
const LATE_MILLIS = 30_000

const sleep = () => new Promise<void>(resolve => setTimeout(resolve, POLL_MILLIS))

export interface SessionEnds {
  /** How many came to be in which state. */
  readonly states: Readonly<Record<string, number>>
  readonly wrong: ReadonlyArray<string>
}

const BY_STATUS = [["prepared", "installing"], ["active", "revoking"], ["revoked"]]

/** Revoked ones give their wallets free, for all blocks of the run are final by then. */
export const sessionEnds = async (
  { chainUrl }: World,
  held: ReadonlyArray<BroughtSession>
): Promise<SessionEnds> => {
  const guard = guardOn(chainUrl)
  const patience = Date.now() + PATIENCE_MILLIS
  const states: Record<string, number> = {}
  const wrong: Array<string> = []
  for (const { session, look } of held) {
    const { permissionId: permission_id } = session.compiled
    const { status } = await guard.stateOf({ permission_id, wallet: session.wallet })
    const expected = BY_STATUS[status] ?? []
    const isRight = ({ state, reservationReleased }: typeof session) =>
      expected.includes(state) && (state !== "revoked" || reservationReleased)
    let seen = await look()
    for (; !isRight(seen) && Date.now() < patience; seen = await look()) await sleep()
    states[seen.state] = (states[seen.state] ?? 0) + 1
    if (!isRight(seen))
      wrong.push(`${session.id} is ${seen.state}, released: ${seen.reservationReleased}, not ${expected}`)
  }
  return { states, wrong }
}

/** E20, and E17: what was told of a session stays, and no end of it is taken back. */
const takenBack = (told: ReadonlyArray<Told>, hashes: ReadonlyMap<string, string>) => {
  const over = new Map<string, number>()
  return told.flatMap(({ session, at }) => {
    if (session === undefined) return []
    const { id, state, compiled } = session
    if (hashes.get(id) !== compiled.compiledHash) return [`${id} is lost, or another`]
    const since = over.get(id)
    if (state === "revoked") over.set(id, since ?? at)
    const isBack = since !== undefined && state !== "revoked" && since < at - LATE_MILLIS
    return isBack ? [`${id} was revoked and told to be ${state}`] : []
  })
}

/** A lifecycle plan that was told is admitted, or was. */
const lostPlans = (told: ReadonlyArray<Told>, plans: ReadonlySet<string>) =>
  told.flatMap(({ route, plan }) =>
    route === "admit" && plan !== undefined && !plans.has(plan.id) ? [`${plan.id} is not admitted`] : []
  )

interface Observed {
  readonly world: World
  readonly notebook: Notebook
  /** What a client was told that it must not be. */
  readonly broken: ReadonlyArray<string>
}

export const auditHeld = async (
  { world, notebook, broken }: Observed,
  { wrong }: SessionEnds
): Promise<ReadonlyArray<Verdict>> => {
  const { sql, chainUrl } = world
  const stored = await sql<{ id: string; compiled_hash: string }>("SELECT id, compiled_hash FROM sessions")
  const plans = await sql<{ plan: string }>("SELECT plan FROM session_plans")
  const found = {
    ...(await auditSessions(chainUrl, sql)),
    "E7, E9 and E10 as clients are told": broken,
    "E20 what was told of sessions stays": [
      ...takenBack(notebook.told, new Map(stored.map(row => [row.id, row.compiled_hash]))),
      ...lostPlans(notebook.told, new Set(plans.map(({ plan }) => plan)))
    ],
    "each session ends as its guard has it": wrong
  }
  return Object.entries(found).map(([invariant, violations]) => ({ invariant, violations }))
}
