/** The cells of the matrix: each fault, of each method, in each phase of a relay. */

export const PHASES = ["prepare", "preflight", "send", "refresh", "recovery"] as const
export type Phase = (typeof PHASES)[number]

export const METHODS = [
  "eth_chainId",
  "eth_getBlockByNumber",
  "eth_getTransactionByHash",
  "eth_getTransactionReceipt",
  "eth_getTransactionCount",
  "eth_getBalance",
  "eth_getCode",
  "eth_getStorageAt",
  "eth_call",
  "eth_estimateGas",
  "eth_simulateV1",
  "eth_sendRawTransaction"
] as const
export type Method = (typeof METHODS)[number]

export const FAULTS = [
  "timeout before forwarding",
  "timeout after forwarding",
  "reset",
  "429",
  "500",
  "truncated",
  "huge",
  "wrong chain",
  "wrong id",
  "lying hash",
  "lying receipt",
  "stale or rewinding head",
  "pending below latest",
  "null block",
  "no finalized tag",
  "already known",
  "nonce too low after success",
  "accept then drop",
  "slow drip",
  "HTML 200"
] as const
export type FaultName = (typeof FAULTS)[number]

/** What the service asks a node for in each phase. */
export const ASKED: Readonly<Record<Phase, readonly [Method, ...Array<Method>]>> = {
  prepare: [
    "eth_getBlockByNumber",
    "eth_getBalance",
    "eth_getCode",
    "eth_call",
    "eth_estimateGas",
    "eth_simulateV1",
    "eth_chainId"
  ],
  preflight: [
    "eth_getBlockByNumber",
    "eth_getTransactionByHash",
    "eth_getTransactionCount",
    "eth_getBalance",
    "eth_call",
    "eth_estimateGas",
    "eth_chainId"
  ],
  send: ["eth_sendRawTransaction", "eth_getTransactionByHash"],
  refresh: ["eth_chainId", "eth_getBlockByNumber", "eth_getTransactionReceipt", "eth_getTransactionByHash"],
  recovery: ["eth_chainId", "eth_getBlockByNumber", "eth_getTransactionReceipt", "eth_getTransactionByHash"]
}

export const CELLS = FAULTS.length * METHODS.length * PHASES.length

export interface Cell {
  readonly index: number
  readonly fault: FaultName
  readonly method: Method
  readonly phase: Phase
}

export const cellAt = (index: number): Cell => {
  const phase = PHASES[Math.floor(index / (FAULTS.length * METHODS.length))]
  const method = METHODS[Math.floor(index / FAULTS.length) % METHODS.length]
  const fault = FAULTS[index % FAULTS.length]
  if (phase === undefined || method === undefined || fault === undefined)
    throw new RangeError(`there is no cell ${index}`)
  return { index, fault, method, phase }
}

export const wordsOf = ({ index, fault, method, phase }: Cell): string =>
  `cell ${index} (${fault}, ${method}, ${phase})`
