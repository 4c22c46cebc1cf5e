/** What the deployed contracts did, scenario by scenario. */
import { readdirSync } from "node:fs"
import { type Address, getAddress, isAddress } from "viem"
import {
  type Stored,
  type StoredCall,
  type StoredRevert,
  sharedNames,
  signatureOf,
  storedScenario,
  type Value
} from "./Stored.ts"

export type { Value } from "./Stored.ts"

export interface Revert {
  /** The signature of the error, null where the revert had no data. */
  readonly error: string | null
  readonly args: Value
  /** What another error wraps. */
  readonly reason: Value
}

export interface RecordedLog {
  /** The emitter's name, or its address where it has none. */
  readonly contract: string
  readonly address: Address
  readonly event: string
  readonly args: Readonly<Record<string, Value>>
}

export interface Balance {
  readonly measure: string
  /** What was asked for it; absent where it is the ether of `holder`. */
  readonly asked?: {
    readonly address: Address
    readonly function: string
    readonly args: ReadonlyArray<Value>
  }
  readonly holder?: Address
  readonly before: bigint
  readonly after: bigint
}

interface Place {
  /** From 0, among all steps of the scenario. */
  readonly index: number
  readonly note: string
}

export interface Call extends Place {
  readonly kind: "read" | "simulation" | "transaction"
  readonly contract: string
  readonly address: Address
  readonly from: Address | undefined
  /** Canonical signature. */
  readonly function: string
  readonly args: ReadonlyArray<Value>
  readonly value: bigint
  readonly result: Value | undefined
  readonly revert: Revert | undefined
  readonly blockOffset: number
  readonly timeOffset: number
  readonly logs: ReadonlyArray<RecordedLog>
  readonly balances: ReadonlyArray<Balance>
}

export interface Passed extends Place {
  readonly kind: "time"
  readonly seconds: number
}

export interface Preparation extends Place {
  readonly kind: "preparation"
}

export type Step = Call | Passed | Preparation

export interface Recording {
  readonly scenario: string
  readonly note: string
  readonly operations: ReadonlyArray<string>
  readonly chainId: number
  readonly startTimestamp: number
  readonly names: ReadonlyMap<string, Address>
  readonly steps: ReadonlyArray<Step>
  readonly transactions: ReadonlyArray<Call>
}

export const scenarios: ReadonlyArray<string> = readdirSync("test/observed/recordings")
  .map(file => file.replace(/\.json$/, ""))
  .filter(name => !["names", "signatures"].includes(name))
  .sort()

const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)

type Told = (text: string) => string

const expanded = (value: Value, told: Told): Value => {
  if (typeof value === "string") return told(value)
  if (typeof value !== "object" || value === null) return value
  if (isList(value)) return value.map(member => expanded(member, told))
  return expandedMembers(value, told)
}

const expandedMembers = (value: { readonly [name: string]: Value }, told: Told) =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expanded(member, told)]))

class Reader {
  readonly names: ReadonlyMap<string, Address>

  constructor(names: Readonly<Record<string, string>>) {
    this.names = new Map(Object.entries(names).map(([name, address]) => [name, getAddress(address)]))
  }

  readonly told: Told = text => (text.startsWith("@") ? (this.names.get(text.slice(1)) ?? text) : text)

  address(text: string): Address {
    const found = this.names.get(text.replace(/^@/, "")) ?? text
    if (!isAddress(found)) throw new Error(`no recording names ${text}`)
    return found
  }

  revert({ error, args = {}, reason = null }: StoredRevert): Revert {
    return {
      error: error === null ? null : signatureOf(error),
      args: expanded(args, this.told),
      reason: expanded(reason, this.told)
    }
  }

  balance([measure, of, ...rest]: ReadonlyArray<Value>): Balance {
    const [before, change] = rest.slice(-2).map(amount => BigInt(String(amount)))
    if (before === undefined || change === undefined) throw new Error(`no amounts of ${measure}`)
    const common = { measure: String(measure), before, after: before + change }
    const [args] = rest
    if (args === undefined || !isList(args)) return { ...common, holder: this.address(String(of)) }
    const [contract = "", name = ""] = String(of).split(/\.(?=\w+$)/)
    const asked = args.map(value => expanded(value, this.told))
    return { ...common, asked: { address: this.address(contract), function: name, args: asked } }
  }

  call(stored: StoredCall, index: number): Call {
    const { kind, contract, from, value = "0", result, revert, at, note = "" } = stored
    const [blockOffset, timeOffset] = at.map(Number)
    const { logs = [], balances = [] } = stored.kind === "transaction" ? stored : {}
    return {
      kind,
      index,
      note,
      contract: contract.replace(/^@/, ""),
      address: this.address(contract),
      from: from === undefined ? undefined : this.address(from),
      function: signatureOf(stored.function),
      args: stored.args.map(value => expanded(value, this.told)),
      value: BigInt(value),
      result: result === undefined ? undefined : expanded(result, this.told),
      revert: revert && this.revert(revert),
      blockOffset: blockOffset ?? 0,
      timeOffset: timeOffset ?? 0,
      logs: logs.map(([emitter, event, args]) => ({
        contract: emitter,
        address: this.address(emitter),
        event: signatureOf(event),
        args: expandedMembers(args, this.told)
      })),
      balances: balances.map(balance => this.balance(balance))
    }
  }

  step(stored: Stored, index: number): Step {
    if (stored.kind === "time") {
      return { kind: "time", index, seconds: Number(stored.seconds), note: stored.note ?? "" }
    }
    return stored.kind === "preparation" ? { ...stored, index } : this.call(stored, index)
  }
}

const isTransaction = (step: Step): step is Call => step.kind === "transaction"

export const recordingOf = (scenario: string): Recording => {
  const stored = storedScenario(scenario)
  const reader = new Reader({ ...sharedNames, ...stored.names })
  const steps = stored.steps.map((step, index) => reader.step(step, index))
  return {
    ...stored,
    names: reader.names,
    steps,
    transactions: steps.filter(isTransaction)
  }
}

/** Scenarios in which a terminal pays out. */
export const PAYOUTS = [
  "payout-fee-rounding",
  "payout-held-fees",
  "payout-limits",
  "payout-splits",
  "payout-usdc",
  "cash-out-no-tax"
]
