/** Every bomb for every route of the API, in the name of everybody who needs no leave to send one. */

import { Api } from "../../../src/http/api/Api.ts"
import { placesOf } from "../../../src/http/Places.ts"
import { bombBodies } from "./Bodies.ts"
import { bombHeads, type Head } from "./Heads.ts"

const allRoutes = placesOf(Api)

/** Unsigned, with a signature of nobody's, by a key that nobody knows, and by one that enrolled itself just now. */
export const SENDERS = ["unsigned", "forged", "stranger", "enrolled"] as const
export type Sender = (typeof SENDERS)[number]

export interface Bomb extends Head {
  readonly route: string
  readonly method: string
  readonly sender: Sender
  readonly body: string | undefined
  /** Each byte of the body in a chunk of its own. */
  readonly inPieces: boolean
}

type Route = (typeof allRoutes)[number]

const UUID = "00000000-0000-4000-8000-000000000000"
const UNREAD_BYTES = 65_536
/** Of bodies that a route does not take; it refuses each unread. */
const UNREAD_KINDS = ["wide", "deep", "escapes"]
const IN_PIECES = ["letters", "wide within"]

const PLACES: Readonly<Record<string, string>> = {
  chainId: "31337",
  projectId: "1",
  entity: "project",
  step: "0",
  grantId: UUID
}

const idIn = (at: string): string => (at.includes("/operations/") ? "get_contract" : UUID)

const pathOf = ({ at }: Route): string => at.replace(/:(\w+)/g, (_, name) => PLACES[name] ?? idIn(at))

const bytesOf = ({ access }: Route): number => (access.kind === "signed" ? access.bodyBytes : UNREAD_BYTES)

const bodiesFor = (route: Route): ReadonlyArray<Pick<Bomb, "kind" | "body" | "inPieces">> => {
  const all = bombBodies(route.takesBody ? bytesOf(route) : UNREAD_BYTES)
  const sent = route.takesBody ? all : all.filter(({ kind }) => UNREAD_KINDS.includes(kind))
  const whole = sent.map(({ kind, text }) => ({ kind, body: text, inPieces: false }))
  const pieces = sent
    .filter(({ kind }) => route.takesBody && IN_PIECES.includes(kind))
    .map(({ kind, text }) => ({ kind: `${kind} in pieces`, body: text, inPieces: true }))
  return [...whole, ...pieces]
}

/** Each kind begins with another: one of four bombs is each kind once, by everybody in turn. */
const sendersFrom = (index: number): ReadonlyArray<Sender> => {
  const first = index % SENDERS.length
  return [...SENDERS.slice(first), ...SENDERS.slice(0, first)]
}

/** One route's at a time: together their bodies would be gigabytes. */
const bombsFor = (route: Route): ReadonlyArray<Bomb> => {
  const common = { route: route.name, method: route.method }
  const target = pathOf(route)
  const bodies = bodiesFor(route).map(body => ({ ...body, target, headers: [] }))
  const ordinary = route.takesBody ? "{}" : undefined
  const heads = bombHeads(target, route.queryNames).map(head => ({
    ...head,
    body: ordinary,
    inPieces: false
  }))
  return [...bodies, ...heads].flatMap((bomb, index) =>
    sendersFrom(index).map(sender => ({ ...common, sender, ...bomb }))
  )
}

export const wordsOf = ({ route, method, sender, kind }: Bomb): string =>
  `${kind} to ${method} ${route}, ${sender}`

/** One of so many, evenly over all routes, senders and kinds. */
export function* bombs(every: number, first: number): Generator<Bomb> {
  let count = first % every
  for (const route of allRoutes)
    for (const bomb of bombsFor(route)) {
      if (count === 0) yield bomb
      count = (count + 1) % every
    }
}
