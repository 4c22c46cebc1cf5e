/** A recorded transaction with one thing altered: a log taken away, a field of a log, an argument of the call. */
import { Effect, Schema } from "effect"
import { canonicalSignature, functionsOf } from "../../src/catalog/Abi.ts"
import type { Effected } from "../../src/effects/Verify.ts"
import type { Semantic } from "../../src/plans/Plan.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { another } from "../effects/support/Another.ts"
import { catalog } from "../effects/support/Receipts.ts"
import { eventEntry } from "./EventEntries.ts"
import { judgedRecording, plannedCall, rawLogs } from "./Judged.ts"
import { type Call, type RecordedLog, recordingOf, scenarios } from "./Recording.ts"
import { Value } from "./Stored.ts"

/** A plan keeps the hook of the shop that it proved. */
const kept = ({ logs }: Call): Partial<Effected> => {
  const mint = logs.find(
    ({ contract, event }) => contract.startsWith("721 hook") && event.startsWith("Mint(")
  )
  return mint === undefined ? {} : { summary: { hook: mint.address } }
}

/** By the call as it was sent, of the logs that another one has. */
export const judgedAs = (call: Call, told: Call = call): Semantic =>
  judgedRecording(call, rawLogs(told), kept(call))

export const eventName = ({ event }: RecordedLog): string => event.slice(0, event.indexOf("("))

const CONTRACTS_OUTSIDE = ["PoolManager", "PositionManager", "Permit2", "WETH"]

/** One transaction for each predicate, function and sequence of events. */
export const judgedTransactions = (): ReadonlyArray<{ readonly title: string; readonly call: Call }> => {
  const found = new Map<string, { readonly title: string; readonly call: Call }>()
  for (const scenario of scenarios)
    for (const call of recordingOf(scenario).transactions) {
      if (call.revert !== undefined || CONTRACTS_OUTSIDE.includes(call.contract)) continue
      const { verifier, status } = judgedAs(call)
      if (verifier === undefined || status !== "verified") continue
      const key = [verifier, call.function, ...call.logs.map(eventName)].join()
      if (!found.has(key)) found.set(key, { title: `${verifier}: ${scenario} ${call.index}`, call })
    }
  return [...found.values()]
}

const Shown = Schema.decodeUnknownSync(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const valueOf = Schema.decodeUnknownSync(Value)

/** Whether a proof shows this log. */
export const isClaimed = (log: RecordedLog, { events = [] }: Semantic): boolean =>
  events.some(each => {
    const { event, ...shown } = Shown(each)
    if (event !== eventName(log)) return false
    return Object.entries(shown).every(
      ([name, value]) => name in log.args && canonicalJson(log.args[name]) === canonicalJson(value)
    )
  })

export const without = (call: Call, at: number): Call => ({ ...call, logs: call.logs.toSpliced(at, 1) })

interface AlteredField {
  readonly name: string
  readonly altered: Call
}

/** The logs with another value in one field of one of them, for each of its fields. */
export const withOtherFields = (call: Call, at: number): ReadonlyArray<AlteredField> => {
  const log = call.logs[at]
  if (log === undefined) return []
  return eventEntry(log.event, Object.keys(log.args)).inputs.flatMap(input => {
    const value = valueOf(another(input, log.args[input.name]))
    if (canonicalJson(value) === canonicalJson(log.args[input.name])) return []
    const args = { ...log.args, [input.name]: value }
    return [{ name: input.name, altered: { ...call, logs: call.logs.with(at, { ...log, args }) } }]
  })
}

const inputsOf = (call: Call) => {
  const abi = Effect.runSync(catalog.abi(plannedCall(call).decoded.abiHash))
  return functionsOf(abi).find(entry => canonicalSignature(entry) === call.function)?.inputs ?? []
}

/** The call with another value of one argument, for each of them. */
export const withOtherArguments = (call: Call): ReadonlyArray<AlteredField> =>
  inputsOf(call).flatMap((input, at) => {
    const value = valueOf(another(input, call.args[at]))
    if (canonicalJson(value) === canonicalJson(call.args[at])) return []
    return [{ name: input.name, altered: { ...call, args: call.args.with(at, value) } }]
  })
