/** What clients do beside relays while a database is lost: sponsorships that they publish, or what their wallets and sessions send; and what may come of it once the database is restored. */
import type { Hex } from "viem"
import type { Chance } from "../crash/Chance.ts"
import { carriedOutOn, isCarriedOut } from "../operating/Events.ts"
import { guardOn } from "../operating/SessionAudit.ts"
import type { Arena } from "../races/Arena.ts"
import type { Race } from "../races/Kinds.ts"
import * as wallets from "../races/OperationKinds.ts"
import { live, use } from "../races/SessionKinds.ts"
import { newKey } from "../races/Signed.ts"
import * as sponsored from "../races/SponsoredKinds.ts"
import type { Speak } from "./Relays.ts"

export interface Pursuit {
  /** Once more; what is open when the database is lost is repeated later. */
  readonly pastime: (speak: Speak) => Promise<void>
  /** How likely before each relay. */
  readonly share: number
  /** How often it was done, and has to be before the backup and after it. */
  readonly done: () => number
  readonly atLeast: number
  /** What the chain has and the database lacks, and was not told by name. */
  readonly unnamed: (told: string) => Promise<ReadonlyArray<string>>
  /** All of it again; violations by the promise that they break. */
  readonly repeated: (speak: Speak) => Promise<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly counts: () => Readonly<Record<string, number>>
}

export type MakePursuit = (arena: Arena, chance: Chance) => Pursuit

/** As races ask, by one who repeats what is not answered. */
const raceBy = (arena: Arena, speak: Speak, chance: Chance): Race => {
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

export const publications: MakePursuit = (arena, chance) => {
  let done = 0
  const published: Array<{ readonly prepared: sponsored.Prepared; readonly key: string }> = []
  return {
    pastime: async speak => {
      const race = raceBy(arena, speak, chance)
      const prepared = await sponsored.sponsored(race, await sponsored.newcomer(race))
      const one = { prepared, key: `published ${published.length}` }
      published.push(one)
      await speak(() => sponsored.publication(prepared, one.key))
      done++
    },
    ...{ share: 0.2, done: () => done, atLeast: 0 },
    unnamed: async () => [],
    repeated: async speak => {
      const twice: Array<string> = []
      for (const { prepared, key } of published) {
        await speak(() => sponsored.publication(prepared, key))
        await speak(() => sponsored.publication(prepared))
        const times = sponsored.timesPublished({ arena }, prepared)
        if (times > 1) twice.push(`${prepared.sponsorship.id} was published ${times} times`)
      }
      return { "E1 one publication per sponsorship": twice }
    },
    counts: () => ({ published: published.length })
  }
}

interface Sent {
  readonly one: wallets.Prepared
  readonly key: string
  readonly wallet: Hex
  /** Of the session that it is a use of. */
  readonly permissionId: Hex | undefined
}

const STORED = "SELECT id, operation_hash, claimed FROM user_operations"
const SENDERS =
  "SELECT lower(address) AS wallet FROM bindings WHERE unlinked_at IS NULL UNION SELECT lower(sender) FROM user_operations"
const PERMISSIONS = "SELECT lower(permission_id) AS permission FROM sessions"
const LINKED = "SELECT lower(address) AS wallet FROM bindings WHERE unlinked_at IS NULL"
const ENABLED = 1

const walletsIn = async ({ sql }: Arena, text: string) =>
  new Set((await sql<{ wallet: string }>(text)).map(({ wallet }) => wallet))

/** What the entry point carried out is known as sent, or told. */
const unnamedOperations = async (arena: Arena, sent: ReadonlyArray<Sent>, told: string) => {
  const { chainUrl } = wallets.operatingIn({ arena })
  const carriedOut = await carriedOutOn(chainUrl)
  const rows = await arena.sql<{ id: string; operation_hash: string; claimed: boolean }>(STORED)
  const stored = new Map(rows.map(row => [row.operation_hash, row]))
  const senders = await walletsIn(arena, SENDERS)
  return sent.flatMap(({ one: { operation }, wallet }) => {
    const row = stored.get(operation.operationHash)
    const isKnown = row?.claimed ?? !senders.has(wallet.toLowerCase())
    if (!isCarriedOut(carriedOut, operation) || isKnown) return []
    const name = row === undefined ? `lost: operation ${operation.operationHash}` : `user operation ${row.id}`
    return told.includes(name) ? [] : [`${operation.operationHash} is not told as ${name}`]
  })
}

/** What lives on a wallet's guard is a session that is stored, or told. */
const unnamedSessions = async (arena: Arena, sent: ReadonlyArray<Sent>, told: string) => {
  const guard = guardOn(wallets.operatingIn({ arena }).chainUrl)
  const known = new Set(
    (await arena.sql<{ permission: string }>(PERMISSIONS)).map(({ permission }) => permission)
  )
  const linked = await walletsIn(arena, LINKED)
  const missed: Array<string> = []
  for (const { permissionId, wallet } of sent) {
    if (permissionId === undefined || known.has(permissionId.toLowerCase())) continue
    const { status } = await guard.stateOf({ permission_id: permissionId, wallet })
    const isLive = status === ENABLED
    if (isLive && linked.has(wallet.toLowerCase()) && !told.includes(`session of ${wallet.toLowerCase()}`))
      missed.push(`the session of ${wallet} is not told`)
  }
  return missed
}

export const operations: MakePursuit = (arena, chance) => {
  let done = 0
  const sent: Array<Sent> = []
  const timesOf = ({ one }: Sent) => wallets.timesSent({ arena }, one)
  const prepare = async (race: Race): Promise<Omit<Sent, "key">> => {
    if (chance.happens(0.5)) {
      const standing = await wallets.newcomer(race)
      const plan = await wallets.planned(race, standing, standing.owner)
      const one = await wallets.prepared(race, standing, plan, standing.owner)
      return { one, wallet: standing.address, permissionId: undefined }
    }
    const session = await live(race)
    return { one: await use(race, session), wallet: session.address, permissionId: session.permissionId }
  }
  return {
    pastime: async speak => {
      const one = { ...(await prepare(raceBy(arena, speak, chance))), key: newKey() }
      sent.push(one)
      await speak(() => wallets.sending(one.one, one.key))
      done++
    },
    ...{ share: 0.6, done: () => done, atLeast: 2 },
    unnamed: async told => [
      ...(await unnamedOperations(arena, sent, told)),
      ...(await unnamedSessions(arena, sent, told))
    ],
    repeated: async speak => {
      const late: Array<string> = []
      const twice: Array<string> = []
      for (const each of sent) {
        const { one, key } = each
        const before = timesOf(each)
        await speak(() => wallets.sending(one, key))
        await speak(() => wallets.sending(one))
        if (timesOf(each) > before)
          late.push(`${one.operation.operationHash} left once the database was marked`)
        if (timesOf(each) > 1) twice.push(`${one.operation.operationHash} was sent ${timesOf(each)} times`)
      }
      return { "E3 one sending for an operation": twice, "E20 nothing from before the mark leaves": late }
    },
    counts: () => ({
      operations: sent.filter(({ permissionId }) => permissionId === undefined).length,
      uses: sent.filter(({ permissionId }) => permissionId !== undefined).length
    })
  }
}
