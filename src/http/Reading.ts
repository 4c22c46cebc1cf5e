/** Waits for bodies, and bounds those that did not come with their head: by their places, by their address, and by their time. */
import { Array, Effect } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import type { Deadlines } from "../values/Deadlines.ts"
import { BodyTimeout } from "./refusals.ts"

const SLOW_MS = 2_000
export const BODY_DEADLINE_MS = 15_000
/** What bounds the places bounds the bytes of all bodies that are waited for. */
const BYTES_OF_A_PLACE = 262_144
/** A quarter of all: 64 clients that share an address, as behind a proxy that is not trusted, send a body each. */
const SHARE = 4
/** Of the largest body. */
const LEAST_SHARE = 4

interface Progress {
  readonly stop: () => void
  /** The bytes that came. */
  readonly received: () => number
}

/** Begins to read, and calls `finish` at its end. */
export type Reading<A, E> = (finish: (result: Effect.Effect<A, E>) => void) => Progress

export interface AwaitedBody<A, E> {
  readonly read: Reading<A, E>
  /** The client address or network that sends it. */
  readonly address: string
  /** As many as it may have. */
  readonly bytes: number
  /** Before it takes a place. */
  readonly pay: Effect.Effect<void, E>
}

type Ended<A, E> = Effect.Effect<A, E | BodyTimeout>

class Body<A, E> {
  readonly address: string
  readonly places: number
  readonly since: number
  readonly received: () => number
  readonly #stop: () => void
  #result: Ended<A, E> | undefined
  #tell: () => void = () => {}

  constructor({ read, address }: AwaitedBody<A, E>, places: number, since: number) {
    this.address = address
    this.places = places
    this.since = since
    const { stop, received } = read(result => this.end(result))
    this.#stop = stop
    this.received = received
  }

  end(result: Ended<A, E>): void {
    if (this.#result !== undefined) return
    this.#result = result
    this.#stop()
    this.#tell()
  }

  get isOver(): boolean {
    return this.#result !== undefined
  }

  /** What came in one piece with the head is all there within the same turn of the loop. */
  readonly turn: Effect.Effect<void> = Effect.async<void>(resume => {
    const next = setImmediate(() => resume(Effect.void))
    this.#tell = () => {
      clearImmediate(next)
      resume(Effect.void)
    }
    return Effect.sync(() => clearImmediate(next))
  })

  readonly whole: Ended<A, E> = Effect.async<A, E | BodyTimeout>(resume => {
    if (this.#result !== undefined) return resume(this.#result)
    this.#tell = () => this.#result && resume(this.#result)
  })
}

/** Whatever it is a body of. */
type Waiting = Pick<Body<unknown, unknown>, "address" | "places" | "since" | "received"> & {
  readonly giveWay: () => void
}

interface Full {
  readonly refusal: ServiceBusy
  /** Those who may have to go for one more. */
  readonly others: ReadonlyArray<Waiting>
}

const outpaced = new BodyTimeout({ detail: "The body came too slowly while others waited for its place." })

const sum = (bodies: Iterable<Waiting>): number => {
  let all = 0
  for (const { places } of bodies) all += places
  return all
}

const fullest = (byAddress: ReadonlyArray<ReadonlyArray<Waiting>>): ReadonlyArray<Waiting> =>
  byAddress.reduce((most, each) => (sum(each) > sum(most) ? each : most), [])

const slowest = (bodies: ReadonlyArray<Waiting>, now: number): Waiting | undefined => {
  const pace = ({ since, received }: Waiting) => received() / Math.max(1, now - since)
  return bodies.toSorted((one, other) => pace(one) - pace(other) || one.since - other.since)[0]
}

/** Where there is no room the slowest goes for who comes: of an address that has more than the one that comes has, or else one that is slow. Bodies which never end keep out nobody's that do. */
const makeRoom = (limit: number, now: () => number) => {
  const all = new Set<Waiting>()
  const share = Math.min(limit, Math.max(LEAST_SHARE, Math.ceil(limit / SHARE)))

  const slowOf = (bodies: ReadonlyArray<Waiting>) => bodies.filter(({ since }) => now() - since >= SLOW_MS)

  const fullFor = ({ address, places }: Waiting): Full | undefined => {
    const own = [...all].filter(each => each.address === address)
    const wanted = sum(own) + places
    if (wanted > share) {
      const context = { limit: share, per: "client address" }
      return { refusal: new ServiceBusy({ retryAfterSeconds: 1, context }), others: slowOf(own) }
    }
    if (sum(all) + places <= limit) return undefined
    const most = fullest(Object.values(Array.groupBy(all, each => each.address)))
    return {
      refusal: new ServiceBusy({ retryAfterSeconds: 1, context: { limit } }),
      others: sum(most) > wanted ? most : slowOf([...all])
    }
  }

  const enter = (body: Waiting): Effect.Effect<void, ServiceBusy> =>
    Effect.suspend(() => {
      for (let full = fullFor(body); full !== undefined; full = fullFor(body)) {
        const going = slowest(full.others, now())
        if (going === undefined) return Effect.fail(full.refusal)
        going.giveWay()
      }
      all.add(body)
      return Effect.void
    })

  return { enter, leave: (body: Waiting): void => void all.delete(body) }
}

export const readers = (limit: number, { now, watch }: Deadlines) => {
  const { enter, leave } = makeRoom(limit, now)

  const placed = <A, E>(body: Body<A, E>): Effect.Effect<A, E | ServiceBusy | BodyTimeout> =>
    Effect.suspend(() => {
      const { address, places, since, received } = body
      const giveWay = () => {
        leave(waiting)
        body.end(Effect.fail(outpaced))
      }
      const waiting: Waiting = { address, places, since, received, giveWay }
      const unwatch = watch(since + BODY_DEADLINE_MS, () => body.end(Effect.fail(new BodyTimeout())))
      const left = Effect.sync(() => {
        unwatch()
        leave(waiting)
      })
      return Effect.ensuring(Effect.zipRight(enter(waiting), body.whole), left)
    })

  return <A, E>(awaited: AwaitedBody<A, E>): Effect.Effect<A, E | ServiceBusy | BodyTimeout> =>
    Effect.suspend(() => {
      const places = Math.min(limit, Math.max(1, Math.ceil(awaited.bytes / BYTES_OF_A_PLACE)))
      const body = new Body(awaited, places, now())
      const later = Effect.suspend(() =>
        body.isOver ? body.whole : Effect.zipRight(awaited.pay, placed(body))
      )
      const stopped = Effect.sync(() => body.end(Effect.interrupt))
      return Effect.ensuring(Effect.zipRight(body.turn, later), stopped)
    })
}
