/** A database is lost under load and brought back from a backup of before, while its chains went on; clients repeat all that they did. */
import { rm } from "node:fs/promises"
import { restoredChecks } from "../../../src/cli/RestoredChecks.ts"
import { rpcAt } from "../../../src/cli/Rpc.ts"
import { sqlOn } from "../../support/Sql.ts"
import type { Verdict } from "../crash/Audit.ts"
import { type Chance, chanceFrom } from "../crash/Chance.ts"
import { type Arena, openArena, type Replica } from "../races/Arena.ts"
import { silence } from "../races/Campaign.ts"
import { setClocksAhead } from "../races/Signed.ts"
import { copied, dumped, type Ground, openGround, type Server, startServer, undumped } from "./Cluster.ts"
import { type MakePursuit, operations, publications } from "./Pursuits.ts"
import { type Book, eventually, makeBook, makeSpeaker, sleep, startLoad } from "./Relays.ts"
import { type Repeated, repeatAll, standing } from "./Repeats.ts"

export interface RestoreOptions {
  readonly count: number
  readonly seed: number
  readonly clients: number
  /** Whether wallets and sessions act beside the relays, in the place of sponsorships. */
  readonly isOperated: boolean
}

/** How many relays there are at least before the backup, and how many after it. */
const RELAYS = 2
const LINGER_MILLIS = 500
/** The newest block has what was sent before. */
const BLOCK_MILLIS = 1_100
/** The most that clients' clocks may be ahead: what they sign is accepted for the longest. */
const AHEAD_SECONDS = 30

export interface Stage extends Pick<Ground, "place" | "directory" | "dataOf"> {
  readonly pursuit: MakePursuit
  readonly arena: Arena
  readonly seed: number
  readonly clients: number
  server: Server
  rotation: ReadonlyArray<Replica>
  /** The last time, by a clock that nobody sets. */
  markedAt: number
}

type BringBack = () => Promise<Server>

/** By a copy of its files or by a dump, in turns; gives what brings it back once the database is lost. */
const backedUp = async ({ place, dataOf, server }: Stage, index: number): Promise<BringBack> => {
  const data = dataOf(index + 1)
  if (index % 2 === 0) {
    await copied(place, server, data)
    return () => startServer(place, data, server.port)
  }
  const dump = `${data}.dump`
  await dumped(place, server, dump)
  return () => undumped(place, dump, data, server.port)
}

/** Under load, from the backup to the loss. */
const untilLost = async (stage: Stage, chance: Chance, index: number) => {
  const { arena, seed, clients } = stage
  const book = makeBook()
  const pursuit = stage.pursuit(arena, chance)
  let isOver = false
  const addresses = () => stage.rotation.map(({ url }) => url)
  const speakerOf = (client: number) =>
    makeSpeaker(addresses, chanceFrom(seed + 31 * index + client), book, () => isOver)
  const linger = () => sleep(chance.below(LINGER_MILLIS))
  const moved = (by: number) => {
    const from = book.counts.relays
    const pursued = pursuit.done()
    return eventually(
      async () => book.counts.relays >= from + by && pursuit.done() >= pursued + pursuit.atLeast,
      isFar => isFar
    )
  }
  const load = startLoad(arena, clients, speakerOf, {
    book,
    chance,
    label: `restore ${seed}/${index}`,
    pastime: pursuit.pastime,
    pastimeShare: pursuit.share,
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
  return { book, pursuit, bringBack }
}

const doctored = ({ arena, server }: Stage) =>
  restoredChecks({
    database: server.url,
    nodes: [rpcAt(arena.node.url), rpcAt(arena.operating?.chainUrl ?? arena.sponsoring.node.url)],
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
  const { book, pursuit, bringBack } = await untilLost(stage, chance, index)
  add(tally, "each client is answered as it must", book.broken)
  await sleep(BLOCK_MILLIS)
  stage.server = await bringBack()
  stage.markedAt = performance.now()
  const checks = await doctored(stage)
  const told = JSON.stringify(checks)
  add(tally, "what left since is named", [
    ...(await unnamed(stage, book, told)),
    ...(await pursuit.unnamed(told))
  ])
  count(tally, "found", checks.filter(({ name }) => name.startsWith("found again")).length)
  count(tally, "lost", checks.filter(({ name }) => name.startsWith("lost")).length)
  count(tally, "relays", book.counts.relays)
  for (const [name, by] of Object.entries(pursuit.counts())) count(tally, name, by)
  stage.rotation = [await begun(stage)]
  note(tally, await repeatAll(stage, book, pursuit, chance))
  const sent = await silence(stage.arena)
  add(tally, "I8 recovery sends nothing", sent === 0 ? [] : [`${sent} were sent`])
}

const openStage = async ({ seed, clients, isOperated }: RestoreOptions): Promise<Stage> => {
  const { server, ...ground } = await openGround("service-restore-")
  const sql = async <Row>(text: string, values: ReadonlyArray<unknown> = []) =>
    (await sqlOn(server.url, text, values)).map((row): Row => Object(row))
  const database = { databaseUrl: server.url, sql, close: async () => {} }
  const arena = await openArena(1, "short", isOperated, undefined, database)
  const pursuit = isOperated ? operations : publications
  return { ...ground, pursuit, arena, seed, clients, server, rotation: arena.replicas(), markedAt: 0 }
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
