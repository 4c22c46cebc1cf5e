/** Processes of the service that stand ready to be killed; whatever dies is replaced. */
import type { Failpoint } from "../../../src/values/Failpoint.ts"
import type { Chance } from "./Chance.ts"
import { type Command, isReport, type Order } from "./Orders.ts"
import type { Ears, Running } from "./Processes.ts"

export interface Replica {
  readonly url: string
  readonly kill: () => Promise<void>
  readonly ended: Promise<unknown>
  readonly isAlive: () => boolean
  readonly arm: (order: Order | null) => void
  readonly resume: () => void
  /** Resolves once it is held at the failpoint that it was armed with. */
  readonly held: Promise<Failpoint>
}

export interface Fleet {
  /** One that nobody else has taken; the others still speak to it. */
  readonly take: () => Promise<Replica>
  readonly giveBack: (replica: Replica) => void
  readonly any: (chance: Chance) => string
  readonly addresses: () => ReadonlyArray<string>
  readonly stop: () => Promise<void>
  /** What the processes logged as errors. */
  readonly errors: ReadonlyArray<string>
}

type Start = (ears: Ears) => Promise<Running & { readonly url: string }>

const commandee = (running: Running & { readonly url: string }, held: Promise<Failpoint>): Replica => {
  let alive = true
  running.ended.then(() => {
    alive = false
  })
  const tell = (command: Command) => running.tell(command)
  return {
    url: running.url,
    kill: running.kill,
    ended: running.ended,
    isAlive: () => alive,
    arm: order => tell({ order }),
    resume: () => tell({ resume: true }),
    held
  }
}

export const makeFleet = async (start: Start, size: number): Promise<Fleet> => {
  const errors: Array<string> = []
  let alive: ReadonlyArray<Replica> = []
  const free: Array<Replica> = []
  const wanting: Array<(replica: Replica) => void> = []
  let isOn = true

  const offer = (replica: Replica) => {
    if (!replica.isAlive()) return
    const taker = wanting.shift()
    if (taker === undefined) free.push(replica)
    else taker(replica)
  }

  const add = async (): Promise<void> => {
    let hold = (_at: Failpoint) => {}
    const held = new Promise<Failpoint>(resolve => {
      hold = resolve
    })
    const line = (text: string) => {
      if (text.startsWith("{")) errors.push(text)
    }
    const message = (report: unknown) => {
      if (isReport(report)) hold(report.paused)
    }
    const replica = commandee(await start({ line, message }), held)
    if (!isOn) return replica.kill()
    alive = [...alive, replica]
    replica.ended.then(() => {
      alive = alive.filter(other => other !== replica)
      const at = free.indexOf(replica)
      if (at >= 0) free.splice(at, 1)
      if (isOn) begin()
    })
    offer(replica)
  }
  const starting = new Set<Promise<void>>()
  const failed = (failure: unknown) => {
    if (!isOn) return
    console.error(failure)
    process.exit(1)
  }
  const begin = () => {
    const start = add().catch(failed)
    starting.add(start)
    void start.finally(() => starting.delete(start))
  }

  await Promise.all(Array.from({ length: size }, add))
  return {
    take: () => {
      const replica = free.shift()
      return replica === undefined ? new Promise(resolve => wanting.push(resolve)) : Promise.resolve(replica)
    },
    giveBack: replica => {
      replica.arm(null)
      offer(replica)
    },
    any: chance => alive[chance.below(alive.length)]?.url ?? "http://127.0.0.1:1",
    addresses: () => alive.map(({ url }) => url),
    stop: async () => {
      isOn = false
      await Promise.all(alive.map(replica => replica.kill()))
      await Promise.all(starting)
    },
    errors
  }
}
