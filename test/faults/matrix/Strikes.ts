/** Lets the fault of a cell strike in its phase alone. */
import type { Question } from "../../support/RecordingProxy.ts"
import { rpc } from "../../support/Rpc.ts"
import type { Chance } from "../crash/Chance.ts"
import { ASKED, type Cell, type Method, type Phase } from "./Cells.ts"
import { strikeOf } from "./Faults.ts"
import type { Stand } from "./Stand.ts"

const OLDER_BLOCKS = 4
const LASTING = 1_000_000

export interface Target extends Cell {
  /** The cell's method where its phase asks it, else another that the phase does ask. */
  readonly aimed: Method
  readonly direct: boolean
}

export const targetOf = (cell: Cell, chance: Chance): Target => {
  const asked = ASKED[cell.phase]
  const direct = asked.includes(cell.method)
  return { ...cell, direct, aimed: direct ? cell.method : chance.pick(asked) }
}

export interface Strikes {
  readonly lift: () => void
  readonly count: () => number
}

const isSend = (calls: ReadonlyArray<Question>) =>
  calls.some(({ method }) => method === "eth_sendRawTransaction")
const isLookUp = (calls: ReadonlyArray<Question>) =>
  calls.length === 1 && calls[0]?.method === "eth_getTransactionByHash"

const belongsTo = (phase: Phase, calls: ReadonlyArray<Question>): boolean => {
  const isOfSending = isSend(calls) || isLookUp(calls)
  if (phase === "send") return isOfSending
  return phase !== "preflight" || !isOfSending
}

const olderBlock = async ({ bench }: Stand) => {
  const head = Number(await rpc(bench.chain.url, "eth_blockNumber"))
  const number = `0x${Math.max(0, head - OLDER_BLOCKS).toString(16)}`
  return rpc(bench.chain.url, "eth_getBlockByNumber", [number, false])
}

/** Once where the phase asks the method itself, else as long as the phase lasts. */
export const aim = async (stand: Stand, target: Target, chance: Chance): Promise<Strikes> => {
  const { proxy } = stand.bench
  const { aimed: method, direct, phase, fault } = target
  const older = await olderBlock(stand)
  let struck = 0
  const within = (calls: ReadonlyArray<Question>) => {
    const fits = belongsTo(phase, calls)
    if (fits) struck++
    return fits
  }
  const strike = strikeOf(fault, method, { chance, older })
  proxy.fault({ method, within, times: direct ? 1 : LASTING, ...strike })
  return { lift: proxy.clearFaults, count: () => struck }
}

/** An endpoint that has just failed must prove its chain id before it serves again. */
export const unsettle = async (
  { bench }: Stand,
  { aimed }: Target,
  request: () => Promise<Response>
): Promise<void> => {
  if (aimed !== "eth_chainId") return
  bench.proxy.fault({ method: "eth_getBlockByNumber", phase: "before", act: { kind: "reset" } })
  await request()
  bench.proxy.clearFaults()
}
