/** Replicas are replaced one after the other under load, in order or by force; nothing that a process took up in order may stay unanswered. */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Signer } from "../../support/FastSign.ts"
import { passableDirectory } from "../../support/PassableDirectory.ts"
import { type Chance, chanceFrom } from "../crash/Chance.ts"
import { watchLocks } from "../crash/Locks.ts"
import { type Arena, openArena, type Replica, signerOf } from "../races/Arena.ts"
import { audit, type Told } from "../races/Audit.ts"
import { silence } from "../races/Campaign.ts"
import { creation, submission } from "../races/Kinds.ts"
import { hashOf, newKey, type Ready, ready, transactionFor } from "../races/Signed.ts"
import type { RunResult } from "../VerdictReport.ts"
import { exchange, type Reply } from "./Exchange.ts"
import { type FormerBuild, formerBuild } from "./FormerBuild.ts"
import { type Standstill, watchStandstill } from "./Standstill.ts"

export interface DeploysOptions {
  readonly handovers: number
  readonly seed: number
  readonly replicas: number
  readonly clients: number
  /** The commit of whose build the first replicas are. */
  readonly from?: string | undefined
  readonly say: (line: string) => void
}

interface Member extends Replica {
  /** How it was told to end, if it was. */
  ending: "in order" | "by force" | undefined
}

const LINGER_MILLIS = 300
const BREATH_MILLIS = 20
const RESEND_MILLIS = 1_000
/** Fewer requests than an account may send within the life of its nonces. */
const RELAYS_OF_AN_ACCOUNT = 100

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

const makeBook = () => ({
  counts: { requests: 0, turnedAway: 0, refused: 0, crossed: 0, lost: 0, late: 0, relays: 0 },
  dropped: [] as string[],
  told: [] as Told[]
})

type Book = ReturnType<typeof makeBook>

/** What a process says where time ran out. */
const LATE = ["REQUEST_TIMEOUT", "DATABASE_UNAVAILABLE", "RPC_TIMEOUT"]

const isLate = ({ code = "" }: Reply): boolean => LATE.includes(code)

interface Asking {
  readonly rotation: ReadonlyArray<Member>
  readonly chance: Chance
  readonly book: Book
  readonly standstill: Standstill
}

/** Asks until a process answers; what one left unanswered is sent to another as it was, to see whether it was taken up. */
const makeSpeaker = ({ rotation, chance, book, standstill }: Asking) => {
  const { counts, dropped } = book
  const pick = () => rotation[chance.below(rotation.length)]
  const judgeSilence = ({ ending }: Member, wasTaken: boolean) => {
    if (ending === "by force") counts.lost++
    else if (wasTaken)
      dropped.push(`a process that ended ${ending ?? "not at all"} took up a request and left it`)
    else counts.crossed++
  }
  return async (make: () => Ready): Promise<Reply> => {
    let signed = make()
    let silent: Member | undefined
    for (;;) {
      const member = pick()
      if (member === undefined) throw new Error("no process serves")
      counts.requests++
      const askedAt = performance.now()
      const outcome = await exchange(member.url, signed)
      if (outcome.kind === "refused") counts.refused++
      else if (outcome.kind === "silent") {
        if (silent !== undefined) signed = make()
        silent = member
        continue
      } else if (outcome.reply.code === "SHUTTING_DOWN") counts.turnedAway++
      else if (isLate(outcome.reply) && standstill.wasSince(askedAt)) {
        counts.late++
        silent = undefined
        signed = make()
      } else {
        const wasTaken = outcome.reply.code === "NONCE_REUSED"
        if (silent !== undefined) judgeSilence(silent, wasTaken)
        silent = undefined
        if (!wasTaken) return outcome.reply
        signed = make()
      }
      await sleep(BREATH_MILLIS)
    }
  }
}

const hashIn = ({ body }: Reply) => body.plan?.steps[0]?.transaction?.hash

type Speak = ReturnType<typeof makeSpeaker>

/** A process that dies with a claim leaves its step to whoever sends the same bytes once the lease is over. */
const untilSent = async (node: Arena["node"], hash: string, again: () => Promise<Reply>) => {
  while (!node.arrived.has(hash)) {
    await sleep(RESEND_MILLIS)
    await again()
  }
}

/** One relay from the plan on, each request under one key however often it is repeated. */
const relayOnce = async ({ node }: Arena, owner: Signer, speak: Speak, book: Book) => {
  const me = await speak(() => ready(owner, { method: "GET", target: "/api/v1/accounts/me" }))
  if (me.status !== 200) book.dropped.push(`the account answered ${me.code}`)
  const planKey = newKey()
  const created = await speak(() => creation(owner, { key: planKey }))
  const { id = "", calls } = created.body
  const call = calls?.[0]
  if (call === undefined) {
    book.dropped.push(`a plan was refused: ${created.code}`)
    return
  }
  const raw = transactionFor(owner, call, node.nextNonce(owner.key.address))
  const key = newKey()
  const submitted = await speak(() => submission(owner, { id }, raw, { key }))
  const hash = hashIn(submitted)
  if (hash !== hashOf(raw)) {
    book.dropped.push(`a submission ended with ${submitted.code}`)
    return
  }
  book.told.push({ hash, plan: id, step: 0 })
  await untilSent(node, hash, () => speak(() => submission(owner, { id }, raw, { key: newKey() })))
  book.counts.relays++
}

/** A process that does not start because everything stood still meanwhile is started again. */
const begun = async (arena: Arena, standstill: Standstill, program?: ReadonlyArray<string>) => {
  for (;;) {
    const askedAt = performance.now()
    try {
      return await arena.start(program)
    } catch (failure) {
      if (!standstill.wasSince(askedAt)) throw failure
    }
  }
}

/** How many processes have ended; negative while one does, which nobody can see to turn its event loop. */
const makeEndings = () => {
  let ended = 0
  let isEnding = false
  return {
    count: () => (isEnding ? -1 : ended),
    during: async <A>(end: () => Promise<A>): Promise<A> => {
      isEnding = true
      try {
        return await end()
      } finally {
        ended++
        isEnding = false
      }
    }
  }
}

interface HandOver {
  readonly standstill: Standstill
  readonly rotation: Array<Member>
  readonly chance: Chance
  readonly book: Book
  readonly program: ReadonlyArray<string> | undefined
  readonly endings: ReturnType<typeof makeEndings>
}

const handOver = async (arena: Arena, over: HandOver) => {
  const { rotation, chance, book, program, standstill, endings } = over
  rotation.push({ ...(await begun(arena, standstill, program)), ending: undefined })
  const [old] = rotation
  if (old === undefined) return
  const inOrder = chance.happens(0.6)
  old.ending = inOrder ? "in order" : "by force"
  const code = await endings.during(async () => {
    process.kill(old.pid, inOrder ? "SIGTERM" : "SIGKILL")
    await sleep(chance.below(LINGER_MILLIS))
    rotation.shift()
    return old.ended
  })
  if (inOrder && code !== 0) book.dropped.push(`an orderly end came to code ${code}`)
}

/** All become today's, then the former again. */
const programAt = (done: number, replicas: number, former: FormerBuild | undefined) =>
  former !== undefined && Math.floor((done - 1) / replicas) % 2 === 1 ? former.args : undefined

const run = async (arena: Arena, options: DeploysOptions, former?: FormerBuild): Promise<RunResult> => {
  const { handovers, seed, replicas, clients, say } = options
  const begun = Date.now()
  const seconds = () => Math.round((Date.now() - begun) / 1000)
  const book = makeBook()
  const rotation: Array<Member> = arena.replicas().map(replica => ({ ...replica, ending: undefined }))
  const addresses = () => rotation.map(({ url }) => url)
  const standstill = watchStandstill()
  const endings = makeEndings()
  const locks = watchLocks({ sql: arena.sql, fault: arena.node.fault, addresses, holds: endings.count })
  let isOn = true
  const live = async (index: number) => {
    const speak = makeSpeaker({ rotation, chance: chanceFrom(seed + 1 + index), book, standstill })
    for (let life = 0; isOn; life++) {
      const owner = signerOf(`deployed ${seed}/${index}/${life}`)
      await speak(() => ready(owner, { method: "POST", target: "/api/v1/accounts/enroll", body: {} }))
      for (let relay = 0; isOn && relay < RELAYS_OF_AN_ACCOUNT; relay++)
        await relayOnce(arena, owner, speak, book)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, index) => live(index)))
  all.catch(() => {})
  const chance = chanceFrom(seed)
  for (let done = 1; done <= handovers; done++) {
    const program = programAt(done, replicas, former)
    await handOver(arena, { rotation, chance, book, program, standstill, endings })
    if (done % 10 === 0 || done === handovers)
      say(
        `${done} hand-overs, ${book.counts.requests} requests, ${book.dropped.length} dropped, ${seconds()} s`
      )
  }
  isOn = false
  await all
  await locks.stop()
  standstill.stop()
  const seen = { broken: book.dropped, heldLocks: locks.found, sentByRecovery: await silence(arena) }
  const verdicts = await audit(arena, book.told, seen)
  const violations = verdicts.reduce((sum, verdict) => sum + verdict.violations.length, 0)
  const at = new Date().toISOString()
  const { counts } = book
  const record = {
    campaign: "deploys",
    at,
    seed,
    handovers,
    replicas,
    ...(former === undefined ? {} : { from: former.commit }),
    seconds: seconds(),
    standstillSeconds: standstill.seconds(),
    ...counts,
    violations
  }
  return { record, verdicts, violations }
}

export const runDeploys = async (options: DeploysOptions): Promise<RunResult> => {
  const { from, replicas } = options
  const directory = await passableDirectory("former-build-")
  const former = from === undefined ? undefined : await formerBuild(from, join(directory, "tree"))
  try {
    const arena = await openArena(replicas, "short", false, former?.args)
    try {
      return await run(arena, options, former)
    } finally {
      await arena.stop()
    }
  } finally {
    await former?.remove()
    await rm(directory, { recursive: true, force: true })
  }
}
