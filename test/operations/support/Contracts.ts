/** A chain on which canonical contracts answer what a test says, each call by its name; anything else reverts. */
import { type Context, Effect, Either, Layer, Schema } from "effect"
import { encodeAbiParameters, encodeFunctionData, getAddress } from "viem"
import { Catalog } from "../../../src/catalog/Catalog.ts"
import { laterDeployment } from "../../../src/catalog/LaterRollout.ts"
import type { Operation } from "../../../src/operations/framework/Operation.ts"
import { type ContractNames, contractNames } from "../../../src/protocol/ContractNames.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { pinnedCatalog } from "../../protocol/support/Protocol.ts"
import {
  eachItsOwn,
  HASH,
  type NodeReply,
  noTraffic,
  type Script,
  scriptedChain
} from "../../protocol/support/ScriptedChain.ts"

const CHAIN = 1

export const REVERTED: NodeReply = { error: { code: 3, data: "0x" } }
export const REFUSED: NodeReply = { error: { code: -32_000 } }
/** How a read is cut, and what it is then called. */
export const CUTS = [
  [undefined, "CALL_REVERTED"],
  [REFUSED, "RPC_UNAVAILABLE"]
] as const

interface Told {
  readonly name: string
  readonly reply: NodeReply
}

interface Call {
  readonly contract: string
  readonly function: string
  readonly args?: ReadonlyArray<unknown>
  /** Of the canonical deployment where it is left out. */
  readonly at?: Address
}

export interface Answered {
  readonly answer: unknown
  readonly refused: string | undefined
  /** What the refusal says. */
  readonly detail: string | undefined
  readonly roundTrips: number
  readonly asked: ReadonlyArray<string>
  readonly untold: ReadonlyArray<string>
}

type Otherwise = (name: string, gas?: bigint) => NodeReply | undefined

const keyOf = (to: string, data: string) => `${to.toLowerCase()}:${data}`

export class Contracts {
  readonly #names: ContractNames
  readonly #told = new Map<string, Told>()
  readonly #codes = new Map<string, string>()
  readonly #asked: Array<string> = []
  readonly #untold: Array<string> = []
  #otherwise: Otherwise = () => undefined
  readonly traffic = noTraffic()
  pinned: Context.Tag.Service<PinnedContracts> | undefined
  /** Whether programs of dependent calls are told anything. */
  foresees = true
  /** What the answers of one round trip may have together. */
  mostCharacters: number | undefined
  /** Of the block that a snapshot finds. */
  head = () => HASH

  constructor(names: ContractNames) {
    this.#names = names
  }

  /** `later` is of the rollout after the pinned inventory. */
  at(contract: string, generation = "current"): Address {
    const later = generation === "later" ? laterDeployment(CHAIN, contract) : undefined
    const row =
      later ??
      this.#names
        .deploymentsOf(CHAIN, contract)
        .find(found => found.generation === generation && !found.clone)
    if (row === undefined) throw new Error(`chain ${CHAIN} has no ${contract}`)
    return getAddress(row.address)
  }

  /** One output as itself, several as a list. */
  says(call: Call, value: unknown): this {
    const [, entry] = this.#functionOf(call)
    const values = entry.outputs.length === 1 ? [value] : Object(value)
    return this.tells(call, { result: encodeAbiParameters(entry.outputs, values) })
  }

  tells(call: Call, reply: NodeReply): this {
    const [, entry] = this.#functionOf(call)
    const data = encodeFunctionData({ abi: [entry], functionName: entry.name, args: call.args ?? [] })
    return this.raw(call.at ?? this.at(call.contract), data, reply, `${call.contract}.${entry.name}`)
  }

  /** Of a contract that the catalog does not have. */
  raw(to: Address, data: Hex, reply: NodeReply, name: string): this {
    const label = [...this.#told].some(([key, told]) => told.name === name && key !== keyOf(to, data))
      ? `${name}#${[...this.#told.values()].filter(told => told.name.split("#")[0] === name).length + 1}`
      : name
    const known = this.#told.get(keyOf(to, data))
    this.#told.set(keyOf(to, data), { name: known?.name ?? label, reply })
    return this
  }

  code(address: Address, bytes: string): this {
    this.#codes.set(address.toLowerCase(), bytes)
    return this
  }

  /** What tells something has code. */
  #codeAt(address: string): string {
    const isTold = [...this.#told.keys()].some(key => key.startsWith(address))
    return this.#codes.get(address) ?? (isTold ? "0x6001" : "0x")
  }

  #functionOf({ contract, function: name, at }: Call) {
    return this.#names.functionOf(CHAIN, contract, at ?? this.at(contract), name)
  }

  names(): ReadonlyArray<string> {
    return [...this.#told.values()].map(({ name }) => name)
  }

  /** How the chain answers until `answers` is asked for something else. */
  readonly script: Script = {
    balance: 10n ** 30n,
    hash: () => this.head(),
    mostCharacters: () => this.mostCharacters,
    codes: new Proxy({}, { get: (_, address) => this.#codeAt(String(address).toLowerCase()) }),
    calls: (to, data, _value, gas) => {
      const told = this.#told.get(keyOf(to, data))
      if (told === undefined) {
        this.#untold.push(keyOf(to, data))
        return REVERTED
      }
      this.#asked.push(told.name)
      return this.#otherwise(told.name, gas) ?? told.reply
    },
    ahead: (to, data) => {
      const told = this.foresees ? this.#told.get(keyOf(to, data)) : undefined
      return told === undefined ? REVERTED : (this.#otherwise(told.name) ?? told.reply)
    }
  }

  /** Answers an input, with some calls answered otherwise. */
  answers = Effect.fn("answers")(
    function* (
      this: Contracts,
      operation: Operation<PinnedContracts>,
      input: unknown,
      otherwise: Otherwise = () => undefined
    ) {
      const pinned = yield* Effect.fromNullable(this.pinned)
      this.#otherwise = otherwise
      for (const list of [this.traffic.snapshots, this.traffic.batches, this.#asked, this.#untold])
        list.length = 0
      const answering = yield* operation.prepare(input)
      const result = yield* Effect.either(
        Effect.provideService(answering(undefined), PinnedContracts, pinned)
      )
      const answered: Answered = {
        answer: Either.getOrUndefined(result),
        refused: Either.isLeft(result) ? result.left._tag : undefined,
        detail: Either.isLeft(result) ? result.left.detail : undefined,
        roundTrips: this.traffic.snapshots.length + this.traffic.batches.length,
        asked: [...this.#asked],
        untold: [...this.#untold]
      }
      return answered
    }.bind(this)
  )
}

export const contracts = Effect.gen(function* () {
  const chain = new Contracts(yield* contractNames(yield* Catalog))
  const node = scriptedChain(chain.script, chain.traffic)
  chain.pinned = yield* Effect.provide(PinnedContracts, Layer.provide(PinnedContracts.layer, node))
  return chain
})

export { pinnedCatalog }

const Unknown = Schema.Struct({
  status: Schema.Literal("unknown"),
  error: Schema.Struct({ code: Schema.String })
})

const isUnknown = Schema.is(Unknown)

/** Where an answer differs from the whole one: `path: CODE` for what became unknown, `path changed` for anything else. */
export const differences = (whole: unknown, answer: unknown, path = ""): ReadonlyArray<string> => {
  if (JSON.stringify(whole) === JSON.stringify(answer)) return []
  if (isUnknown(answer)) return [`${path}: ${answer.error.code}`]
  if (typeof whole !== "object" || typeof answer !== "object" || whole === null || answer === null)
    return [`${path} changed`]
  const names = new Set([...Object.keys(whole), ...Object.keys(answer)])
  return [...names].flatMap(name =>
    differences(Object(whole)[name], Object(answer)[name], path === "" ? name : `${path}.${name}`)
  )
}

/** What each call that the operation makes does to its answer when that call alone fails. */
export const cuts = Effect.fn("cuts")(function* (
  chain: Contracts,
  operation: Operation<PinnedContracts>,
  input: unknown,
  reply: NodeReply = REVERTED
) {
  const whole = yield* chain.answers(operation, input)
  const effects: Record<string, string | ReadonlyArray<string>> = {}
  for (const name of new Set(whole.asked)) {
    const { answer, refused } = yield* chain.answers(operation, input, asked =>
      asked === name ? reply : undefined
    )
    effects[name] = refused ?? differences(whole.answer, answer)
  }
  return effects
})

/** How an operation ends when a call reverts in its first looks, each of them at a head that is overtaken. */
export const overtaken = Effect.fn("overtaken")(function* (
  chain: Contracts,
  operation: Operation<PinnedContracts>,
  input: unknown,
  call: string,
  looks: number
) {
  const block = eachItsOwn()
  let found = 0
  chain.head = () => {
    found++
    return block()
  }
  const { refused } = yield* chain.answers(operation, input, asked =>
    asked === call && found <= looks ? REVERTED : undefined
  )
  return refused
})
