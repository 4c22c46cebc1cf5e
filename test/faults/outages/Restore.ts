/** A database is lost under load and brought back from a backup of before, while its chains went on; clients repeat all that they did. */
import { mkdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { restoredChecks } from "../../../src/cli/RestoredChecks.ts"
import { rpcAt } from "../../../src/cli/Rpc.ts"
import { passableDirectory } from "../../support/PassableDirectory.ts"
import { freePort } from "../../support/Ports.ts"
import { sqlOn } from "../../support/Sql.ts"
import type { Verdict } from "../crash/Audit.ts"
import { type Chance, chanceFrom } from "../crash/Chance.ts"
import { type Arena, openArena, type Replica } from "../races/Arena.ts"
import { silence } from "../races/Campaign.ts"
import { setClocksAhead } from "../races/Signed.ts"
import { newcomer, type Prepared, publication, sponsored } from "../races/SponsoredKinds.ts"
import {
  copied,
  type Debian,
  debian,
  dumped,
  initialised,
  type Server,
  startServer,
  undumped
} from "./Cluster.ts"
import { type Book, eventually, makeBook, makeSpeaker, type Speak, sleep, startLoad } from "./Relays.ts"
import { type Repeated, repeatAll, standing } from "./Repeats.ts"

export interface RestoreOptions {
  readonly count: number
  readonly seed: number
  readonly clients: number
}

/** How many relays there are at least before the backup, and how many after it. */
const RELAYS = 2
const LINGER_MILLIS = 500
/** The newest block has what was sent before. */
const BLOCK_MILLIS = 1_100
/** The most that clients' clocks may be ahead: what they sign is accepted for the longest. */
const AHEAD_SECONDS = 30

export interface Stage {
  readonly place: Debian
  readonly directory: string
  readonly arena: Arena
  readonly seed: number
  readonly clients: number
  server: Server
  rotation: ReadonlyArray<Replica>
}

/** As races ask, by one who repeats what is not answered. */
export const raceBy = (arena: Arena, speak: Speak, chance: Chance): Parameters<typeof sponsored>[0] => {
  const ask: Arena["ask"] = async request => {
    const { status, code, body } = await speak(() => request.again?.() ?? request)
    return { status, code, isReplayed: false, body }
  }
  return {
    arena: { ...arena, ask },
    chance,
    owner: { key: Object(), chainId: 0, accountId: "" },
    told: () => {},
    later: () => {}
  }
}

type BringBack = () => Promise<Server>

/** By a copy of its files or by a dump, in turns; gives what brings it back once the database is lost. */
const backedUp = async ({ place, directory, server }: Stage, index: number): Promise<BringBack> => {
  const data = join(directory, "data", `server-${index + 1}`)
  if (index % 2 === 0) {
    await copied(place, server, data)
    return () => startServer(place, data, server.port)
  }
  const dump = `${data}.dump`
  await dumped(place, server, dump)
  return () => undumped(place, dump, data, server.port)
}

export interface Published {
  readonly prepared: Prepared
  readonly key: string
}

/** Under load, from the backup to the loss. */
const untilLost = async (stage: Stage, chance: Chance, index: number) => {
  const { arena, seed, clients } = stage
  const book = makeBook()
  const published: Array<Published> = []
  let isOver = false
  const addresses = () => stage.rotation.map(({ url }) => url)
  const speakerOf = (client: number) =>
    makeSpeaker(addresses, chanceFrom(seed + 31 * index + client), book, () => isOver)
  const pastime = async (speak: Speak) => {
    const race = raceBy(arena, speak, chance)
    const prepared = await sponsored(race, await newcomer(race))
    const one = { prepared, key: `published ${published.length}` }
    published.push(one)
    await speak(() => publication(prepared, one.key))
  }
  const linger = () => sleep(chance.below(LINGER_MILLIS))
  const moved = (by: number) => {
    const from = book.counts.relays
    return eventually(
      async () => book.counts.relays,
      relays => relays >= from + by
    )
  }
  const load = startLoad(arena, clients, speakerOf, {
    book,
    chance,
    label: `restore ${seed}/${index}`,
    pastime,
    linger
  })
  await moved(RELAYS)
  const bringBack = await backedUp(stage, index)
  await moved(RELAYS)
  await linger()
  isOver = true
  await Promise.all([stage.server.kill(), ...stage.rotation.map(replica => replica.kill())])
  await load.stop()
  await rm(stage.server.data, { recursive: true, force: true })
  return { book, published, bringBack }
}

const doctored = ({ arena, server }: Stage) =>
  restoredChecks({
    database: server.url,
    nodes: [rpcAt(arena.node.url), rpcAt(arena.sponsoring.node.url)],
    since: undefined,
    marks: true,
    keepsGrants: false
  })

/** What the chain has and the database lacks must be named, where the database knows who sent it. */
const unnamed = async ({ arena }: Stage, book: Book, told: string) => {
  const bound = new Set(
    (await arena.sql<{ hash: string }>("SELECT hash FROM transport_bindings")).map(({ hash }) => hash)
  )
  const plans = new Set((await arena.sql<{ id: string }>("SELECT id FROM plans")).map(({ id }) => id))
  const senders = new Set(
    (await arena.sql<{ sender: string }>("SELECT DISTINCT lower(wallet) AS sender FROM plans")).map(
      ({ sender }) => sender
    )
  )
  return [...arena.node.arrived.values()].flatMap(({ hash, sender }) => {
    const relay = book.relays.find(({ raw }) => standing(raw).hash === hash)
    if (relay === undefined || bound.has(hash) || !senders.has(sender)) return []
    const name = plans.has(relay.plan) ? `found again: plan ${relay.plan} step 0` : "lost: nonce"
    return told.includes(name) && told.includes(hash)
      ? []
      : [`${hash} of plan ${relay.plan} is not told as ${name}`]
  })
}

export interface Tally {
  readonly found: Record<string, Array<string>>
  readonly counts: Record<string, number>
}

const add = ({ found }: Tally, invariant: string, violations: ReadonlyArray<string>) => {
  const all = found[invariant] ?? []
  found[invariant] = all
  all.push(...violations)
}

const count = ({ counts }: Tally, name: string, by: number) => {
  counts[name] = (counts[name] ?? 0) + by
}

const note = (tally: Tally, { violations, counts }: Repeated) => {
  for (const [invariant, found] of Object.entries(violations)) add(tally, invariant, found)
  for (const [name, by] of Object.entries(counts)) count(tally, name, by)
}

/** A port that was free may be somebody else's by now. */
const begun = ({ arena }: Stage): Promise<Replica> => arena.start().catch(() => arena.start())

const round = async (stage: Stage, tally: Tally, index: number) => {
  const chance = chanceFrom(stage.seed + index)
  const { book, published, bringBack } = await untilLost(stage, chance, index)
  add(tally, "each client is answered as it must", book.broken)
  await sleep(BLOCK_MILLIS)
  stage.server = await bringBack()
  const checks = await doctored(stage)
  add(tally, "what left since is named", await unnamed(stage, book, JSON.stringify(checks)))
  count(tally, "found", checks.filter(({ name }) => name.startsWith("found again")).length)
  count(tally, "lost", checks.filter(({ name }) => name.startsWith("lost")).length)
  count(tally, "relays", book.counts.relays)
  count(tally, "published", published.length)
  stage.rotation = [await begun(stage)]
  note(tally, await repeatAll(stage, book, published, chance))
  const sent = await silence(stage.arena)
  add(tally, "I8 recovery sends nothing", sent === 0 ? [] : [`${sent} were sent`])
}

const openStage = async ({ seed, clients }: RestoreOptions): Promise<Stage> => {
  const directory = await passableDirectory("service-restore-")
  const place = await debian()
  const data = join(directory, "data", "server-0")
  await mkdir(dirname(data), { recursive: true })
  await initialised(place, data)
  const server = await startServer(place, data, await freePort())
  const sql = async <Row>(text: string, values: ReadonlyArray<unknown> = []) =>
    (await sqlOn(server.url, text, values)).map((row): Row => Object(row))
  const arena = await openArena(1, "short", false, undefined, {
    databaseUrl: server.url,
    sql,
    close: async () => {}
  })
  return { place, directory, arena, seed, clients, server, rotation: arena.replicas() }
}

export const runRestore = async (options: RestoreOptions) => {
  const stage = await openStage(options)
  setClocksAhead(AHEAD_SECONDS)
  const tally: Tally = { found: {}, counts: {} }
  try {
    for (let index = 0; index < options.count; index++) {
      await round(stage, tally, index)
      if (options.count > 5) console.log(`restore ${index + 1}: ${JSON.stringify(tally.counts)}`)
    }
    const verdicts: ReadonlyArray<Verdict> = Object.entries(tally.found).map(([invariant, violations]) => ({
      invariant,
      violations
    }))
    return { verdicts, counts: tally.counts }
  } finally {
    setClocksAhead(0)
    await Promise.all(stage.rotation.map(replica => replica.kill()))
    await stage.arena.stop()
    await stage.server.kill()
    await rm(stage.directory, { recursive: true, force: true })
  }
}
