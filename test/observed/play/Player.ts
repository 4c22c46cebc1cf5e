/** Plays a scenario's steps on the sandbox's contracts and says what came out otherwise. */
import { type Hex, isHex } from "viem"
import type { EncodedLog } from "../RecordedLogs.ts"
import type { Balance, Call, Preparation, Recording, Step } from "../Recording.ts"
import { type Answer, type Chain, type Question, quantity } from "./Chain.ts"
import type { Addresses, Unlike } from "./Compare.ts"
import { callData, numberGetter, resultOf, revertOf } from "./Declarations.ts"
import { unlikeEvents } from "./Events.ts"
import { START, type World } from "./World.ts"

export type Aspect = "status" | "result" | "revert" | "events" | "balance"

export interface Difference extends Unlike {
  readonly step: number
  readonly aspect: Aspect
}

interface Receipt {
  readonly blockNumber: Hex
  readonly logs: ReadonlyArray<EncodedLog>
}

interface Outcome {
  readonly data: Hex
  readonly isReverted: boolean
}

/** What was done outside the protocol, in words; a family does it by its own means. */
export type Prepare = (step: Preparation, chain: Chain, addresses: Addresses) => Promise<void>

interface Stage {
  readonly chain: Chain
  readonly addresses: Addresses
  now: number
}

const GAS = quantity(100_000_000)

const hex = (value: unknown): Hex => (isHex(value) ? value : "0x")

const as =
  (aspect: Aspect) =>
  (unlike: Unlike): Omit<Difference, "step"> => ({ ...unlike, aspect })

type Found = ReadonlyArray<Omit<Difference, "step">>

const unlikeOutcome = ({ addresses }: Stage, call: Call, { data, isReverted }: Outcome): Found => {
  const { revert, result } = call
  const reverted = isReverted ? revertOf(data) : undefined
  if ((revert === undefined) !== (reverted === undefined)) {
    const told = { recorded: revert ?? "success", actual: reverted ?? "success" }
    return [{ aspect: "status", at: "", ...told }]
  }
  if (revert !== undefined && reverted !== undefined) {
    if (revert.error !== reverted.error)
      return [{ aspect: "revert", at: "error", recorded: revert, actual: reverted }]
    return addresses.unlike(revert.args, reverted.args).map(as("revert"))
  }
  if (result === undefined || result === null) return []
  return addresses.unlike(result, resultOf(call.contract, call.function, data)).map(as("result"))
}

const message = ({ addresses }: Stage, { address, from, value, ...call }: Call) => ({
  ...(from === undefined ? {} : { from: addresses.here(from) }),
  to: addresses.here(address),
  value: quantity(value),
  data: callData(
    call.function,
    call.args.map(value => addresses.translated(value))
  ),
  gas: GAS,
  gasPrice: "0x0"
})

const answerOf = ({ result, error }: Answer): Outcome => {
  if (error === undefined) return { data: hex(result), isReverted: false }
  return { data: hex(error.data), isReverted: true }
}

const read = async (stage: Stage, call: Call): Promise<Found> => {
  const [answer = {}] = await stage.chain.tried([
    { method: "eth_call", params: [message(stage, call), "latest"] }
  ])
  return unlikeOutcome(stage, call, answerOf(answer))
}

const balanceAt = ({ addresses }: Stage, { asked, holder }: Balance, block: Hex): Question => {
  if (asked === undefined)
    return { method: "eth_getBalance", params: [addresses.here(holder ?? "0x"), block] }
  const data = callData(
    numberGetter(asked.function, asked.args),
    asked.args.map(value => addresses.translated(value))
  )
  return { method: "eth_call", params: [{ to: addresses.here(asked.address), data }, block] }
}

const amount = (value: unknown): string => String(value === "0x" ? "nothing" : BigInt(hex(value)))

const unlikeBalances = async (stage: Stage, { balances }: Call, block: Hex): Promise<Found> => {
  if (balances.length === 0) return []
  const earlier = quantity(BigInt(block) - 1n)
  const answers = await stage.chain.tried(
    balances.flatMap(balance => [balanceAt(stage, balance, earlier), balanceAt(stage, balance, block)])
  )
  const amounts = answers.map(({ result = "0x" }) => amount(result))
  return balances.flatMap(({ measure, before, after }, index) =>
    stage.addresses
      .unlike([String(before), String(after)], amounts.slice(2 * index, 2 * index + 2), measure)
      .map(as("balance"))
  )
}

interface Traced {
  readonly error?: string
  readonly output?: Hex
}

interface Mined {
  readonly receipt: Receipt
  readonly trace: Traced
}

const mined = async ({ chain }: Stage, hash: unknown): Promise<Mined> => {
  const options = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } }
  const [receipt, trace] = await Promise.all([
    chain.asked([{ method: "eth_getTransactionReceipt", params: [hash] }]),
    chain.asked([{ method: "debug_traceTransaction", params: [hash, options] }])
  ])
  return JSON.parse(JSON.stringify({ receipt: receipt[0], trace: trace[0] }))
}

const transact = async (stage: Stage, call: Call): Promise<Found> => {
  const [hash] = await stage.chain.asked([{ method: "eth_sendTransaction", params: [message(stage, call)] }])
  await pass(stage, START + call.timeOffset - stage.now)
  const { receipt, trace } = await mined(stage, hash)
  const outcome = { data: trace.output ?? "0x", isReverted: trace.error !== undefined }
  const unlike = unlikeOutcome(stage, call, outcome)
  if (unlike.some(({ aspect }) => aspect === "status")) return unlike
  return [
    ...unlike,
    ...unlikeEvents(stage.addresses, call.logs, receipt.logs).map(as("events")),
    ...(await unlikeBalances(stage, call, receipt.blockNumber))
  ]
}

const pass = async (stage: Stage, seconds: number): Promise<void> => {
  stage.now += seconds
  await stage.chain.asked([{ method: "evm_mine", params: [stage.now] }])
}

const playStep = async (stage: Stage, step: Step, prepare: Prepare): Promise<Found> => {
  switch (step.kind) {
    case "time":
      await pass(stage, step.seconds)
      return []
    case "preparation":
      await prepare(step, stage.chain, stage.addresses)
      return []
    case "transaction":
      return transact(stage, step)
    default:
      return read(stage, step)
  }
}

export const play = async (
  world: World,
  recording: Recording,
  prepare: Prepare
): Promise<ReadonlyArray<Difference>> => {
  const stage: Stage = { chain: world.chain, addresses: await world.again(), now: START }
  const found: Array<Difference> = []
  for (const step of recording.steps) {
    const unlike = await playStep(stage, step, prepare)
    found.push(...unlike.map(difference => ({ ...difference, step: step.index })))
  }
  return found
}
