/** Moments at which nobody asks for anything, so that only recovery could send. */
import type { Notebook } from "./Told.ts"
import type { World } from "./World.ts"

/** Several times the longest back-off of recovery. */
const QUIET_MILLIS = 300_000

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

/** `open` tells what it still waits for. */
const until = async (what: string, open: () => Promise<ReadonlyArray<unknown>> | ReadonlyArray<unknown>) => {
  const end = Date.now() + QUIET_MILLIS
  for (;;) {
    const left = await open()
    if (left.length === 0) return
    if (Date.now() > end)
      throw new Error(`${what} did not come about in ${QUIET_MILLIS / 1000} s: ${JSON.stringify(left)}`)
    await sleep(50)
  }
}

export const makeTurnstile = () => {
  let held: Promise<void> | undefined
  let release = () => {}
  return {
    open: async () => held,
    hold: () => {
      held = new Promise(resolve => {
        release = resolve
      })
    },
    letGo: () => {
      held = undefined
      release()
    }
  }
}

const UNCONFIRMED = `SELECT l.plan, l.step, l.hash, l.outcome, l.count, s.observed, p.sweep_attempts, p.sweep_at - unix_millis() AS due_in
  FROM dispatch_leases l JOIN plan_steps s ON s.plan = l.plan AND s.step = l.step JOIN plans p ON p.id = l.plan
  WHERE s.observed IS DISTINCT FROM 'confirmed'`

/** What a client has still to send again is not waited for. */
export const sentUnconfirmed = (world: World): Promise<ReadonlyArray<unknown>> =>
  world.sql(`${UNCONFIRMED} AND l.outcome IS NOT NULL AND l.outcome <> 'unknown'`)

/** Once the clients have ended, the chain knows a transaction of each step, whatever its sender learned of it. */
export const unconfirmed = (world: World): Promise<ReadonlyArray<unknown>> => world.sql(UNCONFIRMED)

const expireLeases = (world: World) =>
  world.sql("UPDATE dispatch_leases SET expires_at = least(expires_at, unix_millis()) WHERE outcome IS NULL")

const makeDue = (world: World) =>
  world.sql("UPDATE plans SET sweep_at = unix_millis() WHERE sweep_at IS NOT NULL")

export type Turnstile = ReturnType<typeof makeTurnstile>

/** With every client silent, whatever is uncertain is left to recovery; gives how many sends that brought about. */
export const silence = async (
  world: World,
  notebook: Notebook,
  turnstile: Turnstile,
  awaited: (world: World) => Promise<ReadonlyArray<unknown>>
): Promise<number> => {
  turnstile.hold()
  await until("silence", () => [...notebook.open])
  await expireLeases(world)
  const left = () =>
    world.sent().length + world.provider.publications().length + (world.operating?.sent().length ?? 0)
  const before = left()
  await makeDue(world)
  await until("recovery", () => awaited(world))
  const sent = left() - before
  turnstile.letGo()
  return sent
}
