/** What addresses are called: those of every scenario, and those that one alone has. */
import { zeroAddress } from "viem"

export type Value = string | boolean | null | ReadonlyArray<Value> | { readonly [name: string]: Value }

export interface SourceLog {
  readonly contract: string
  readonly address?: string
  readonly event: string
  readonly args: Value
}

export interface SourceBalance {
  readonly measure: string
  readonly of?: string
  readonly address?: string
  readonly contract?: string
  readonly function?: string
  readonly args?: Value
  readonly before: string
  readonly change: string
}

export interface SourceRevert {
  readonly error: string | null
  readonly args?: Value
  readonly reason?: Value
  readonly note?: string
}

export interface SourceStep {
  readonly kind: "transaction" | "read" | "simulation" | "time" | "preparation"
  readonly contract?: string
  readonly address?: string
  readonly to?: string
  readonly from?: string
  readonly function?: string
  readonly args?: Value
  readonly value?: string
  readonly result?: Value
  readonly revert?: SourceRevert
  readonly logs?: ReadonlyArray<SourceLog>
  readonly balances?: ReadonlyArray<SourceBalance>
  readonly blockOffset?: number
  readonly timeOffset?: number
  readonly seconds?: string
  readonly note?: string
}

export interface Source {
  readonly scenario: string
  readonly chainId: number
  readonly startTimestamp: string
  readonly note: string
  readonly operations: ReadonlyArray<string>
  readonly names: Readonly<Record<string, string>>
  readonly steps: ReadonlyArray<SourceStep>
}

interface Index {
  readonly legend: Readonly<Record<string, string>>
  readonly contracts: Readonly<Record<string, string>>
}

type Addresses = Readonly<Record<string, string>>

export interface Names {
  readonly all: Addresses
  readonly scenario: (source: Source) => Addresses
}

const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text)

/** Names of emitters and targets, as steps use them. */
const usedIn = ({ steps }: Source): ReadonlyArray<readonly [string, string]> =>
  steps
    .flatMap(step => [{ contract: step.contract, address: step.address ?? step.to }, ...(step.logs ?? [])])
    .flatMap(({ contract, address }) =>
      contract === undefined || address === undefined || isAddress(contract)
        ? []
        : [[contract, address] as const]
    )

export const namesOf = ({ legend, contracts }: Index, sources: ReadonlyArray<Source>): Names => {
  const published = new Set(Object.values({ ...legend, ...contracts }))
  const used = sources.flatMap(usedIn).filter(([, address]) => published.has(address))
  const called = new Set([...used, ...Object.entries(contracts)].map(([, address]) => address))
  const others = Object.entries(legend).filter(([, address]) => !called.has(address))
  const all = { zero: zeroAddress, ...Object.fromEntries(others), ...contracts, ...Object.fromEntries(used) }
  const scenario = (source: Source): Addresses => {
    const own = [
      ...Object.entries(source.names).map(([address, name]) => [name, address] as const),
      ...usedIn(source)
    ]
    return Object.fromEntries(own.filter(([, address]) => !published.has(address)))
  }
  return { all, scenario }
}

export type Brief = (value: Value) => Value

/** Addresses that have a name become it, after an `@`. */
export const brief = (names: Addresses): Brief => {
  const byAddress = new Map(
    Object.entries(names).map(([name, address]) => [address.toLowerCase(), `@${name}`])
  )
  const told = (value: Value): Value => {
    if (typeof value === "string")
      return isAddress(value) ? (byAddress.get(value.toLowerCase()) ?? value) : value
    if (typeof value !== "object" || value === null) return value
    if (isList(value)) return value.map(told)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, told(member)]))
  }
  return told
}

const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)
