/** Sessions: what compiling the policy of one takes of the processor, and looks at them against signed reads. */
import { cpus } from "node:os"
import { Either } from "effect"
import { compileSession } from "../src/sessions/CompileSession.ts"
import { askedFor, groundOfMany, payments, renamings } from "../test/sessions/support/AskedSessions.ts"
import { PREPARED } from "../test/sessions/support/StoredSessions.ts"
import { sessionSpeed } from "./sessionSpeed.ts"
import { startPostgres } from "./support/Database.ts"
import { median, say, sayBar } from "./support/Figures.ts"

const ROUNDS = 15
const WARMING = 3
const TIMES = 200
const MOST_MICROS = 300

/** As many of each kind as an operation can still present. */
const ACTIONS = [...payments(8), ...renamings(8)]

/** From the request's members to the hash that the owner acknowledges. */
const compile = () =>
  Either.getOrThrow(compileSession(askedFor(ACTIONS), groundOfMany, PREPARED.asked.gasBudget))

/** Of the processor, for one. */
const micros = (): number => {
  const before = process.cpuUsage()
  for (let times = 0; times < TIMES; times++) compile()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / TIMES
}

const PARTS = ["compile", "looks"]

const compiling = () => {
  say(`policies of ${ACTIONS.length} actions, ${cpus()[0]?.model ?? "an unknown processor"}:`)
  const rounds = Array.from({ length: ROUNDS }, micros).slice(WARMING)
  const each = median(rounds)
  sayBar("compiled, in microseconds", each.toFixed(0), each <= MOST_MICROS, `<= ${MOST_MICROS}`)
}

/** All of it, or the parts that are named behind the flags. */
export const run = async (quick: boolean): Promise<void> => {
  const named = process.argv.slice(2).filter(word => PARTS.includes(word))
  const wants = (part: string) => named.length === 0 || named.includes(part)
  if (wants("compile")) compiling()
  if (!wants("looks")) return
  const postgres = await startPostgres()
  try {
    await sessionSpeed(postgres, quick)
  } finally {
    await postgres.stop()
  }
}
