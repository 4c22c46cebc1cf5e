/** Kills the service at moments that fall before the claim, between claim and send, during the send, and after it. */
import type { Chance } from "./Chance.ts"
import type { Running } from "./Processes.ts"
import type { Notebook } from "./Told.ts"
import type { World } from "./World.ts"

const SEND = "eth_sendRawTransaction"
const PATIENCE_MILLIS = 5_000

/** A happening that the next kill waits for. */
export interface Signal {
  readonly next: () => Promise<void>
  readonly give: () => void
}

export const makeSignal = (): Signal => {
  let wanted: ReadonlyArray<() => void> = []
  const next = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, PATIENCE_MILLIS)
      wanted = [
        ...wanted,
        () => {
          clearTimeout(timer)
          resolve()
        }
      ]
    })
  const give = () => {
    const due = wanted
    wanted = []
    for (const resolve of due) resolve()
  }
  return { next, give }
}

export interface Landings {
  unclaimed: number
  claimedUnsent: number
  sentUnsettled: number
  settled: number
  idle: number
}

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

interface Signals {
  readonly submission: Signal
  readonly claim: Signal
}

const aims = {
  /** Anywhere in a submission. */
  anywhere: async (_world: World, { submission }: Signals, chance: Chance) => {
    await submission.next()
    await sleep(chance.below(200))
  },
  /** As the claim commits. */
  claim: (_world: World, { claim }: Signals, _chance: Chance) => claim.next(),
  /** While the node is slow to take the bytes. */
  slowSend: async (world: World, { claim }: Signals, chance: Chance) => {
    await world.fault({ method: SEND, phase: "before", act: { kind: "delay", millis: 80 } })
    await claim.next()
    await sleep(chance.below(100))
  },
  /** While the node's answer is under way. */
  slowAnswer: async (world: World, { claim }: Signals, chance: Chance) => {
    await world.fault({ method: SEND, phase: "after", act: { kind: "delay", millis: 80 } })
    await claim.next()
    await sleep(chance.below(120))
  }
}

const landed = async (world: World, waiting: ReadonlyArray<string>, landings: Landings) => {
  const rows = await world.sql<{ hash: string; outcome: string | null }>(
    "SELECT hash, outcome FROM dispatch_leases WHERE hash = ANY ($1)",
    [waiting]
  )
  const sent = new Set(world.sent().map(({ hash }) => hash))
  if (waiting.length === 0) landings.idle++
  landings.unclaimed += waiting.length - rows.length
  for (const { hash, outcome } of rows) {
    if (outcome !== null) landings.settled++
    else if (sent.has(hash)) landings.sentUnsettled++
    else landings.claimedUnsent++
  }
}

/** Half of the time the leases of the dead are let run out at once, as half a minute's wait would. */
const expireLeases = (world: World) =>
  world.sql("UPDATE dispatch_leases SET expires_at = least(expires_at, unix_millis()) WHERE outcome IS NULL")

export const makeKiller = (world: World, notebook: Notebook, signals: Signals, chance: Chance) => {
  const landings: Landings = { unclaimed: 0, claimedUnsent: 0, sentUnsettled: 0, settled: 0, idle: 0 }
  const killOnce = async (service: Running): Promise<Running> => {
    const aim = chance.pick<keyof typeof aims>([
      "anywhere",
      "anywhere",
      "claim",
      "claim",
      "slowSend",
      "slowAnswer"
    ])
    await aims[aim](world, signals, chance)
    const waiting = [...notebook.waiting]
    await service.kill()
    await landed(world, waiting, landings)
    if (chance.happens(0.5)) await expireLeases(world)
    return world.startService()
  }
  return { killOnce, landings, expireLeases: () => expireLeases(world) }
}
