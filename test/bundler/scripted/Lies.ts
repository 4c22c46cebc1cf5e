/** What the scripted bundler and paymaster can be told to say and to do in place of the truth, once or as often as it is told. */
import type { Hex } from "viem"
import type { WireFault } from "../../support/WireFaults.ts"

/** What becomes of an operation that was sent. */
export type Conduct =
  | "alone"
  | "dropped"
  | "twice"
  | "among-others"
  | "nested"
  | "altered-signature"
  | "drained"

type Answered = Readonly<Record<string, unknown>>

/** What is told in place of a result, or the error that is. */
export interface Lie {
  readonly name: string
  readonly conduct?: Conduct
  readonly told?: (result: unknown) => unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly wire?: WireFault
}

export type Method =
  | "eth_supportedEntryPoints"
  | "pimlico_getUserOperationGasPrice"
  | "eth_estimateUserOperationGas"
  | "pm_getPaymasterStubData"
  | "pm_getPaymasterData"
  | "eth_sendUserOperation"
  | "eth_getUserOperationReceipt"

const OTHER_HASH: Hex = `0x${"ab".repeat(32)}`
const OTHER: Hex = `0x${"bb".repeat(20)}`
const OTHER_ENTRY_POINT = "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"
const WORD = 1n << 128n
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

const members =
  (change: (answer: Answered) => Answered) =>
  (result: unknown): unknown => ({ ...Object(result), ...change(Object(result)) })

const wire = (name: string, fault: WireFault): Lie => ({ name, wire: fault })

/** As everybody on the way can do to any answer. */
const ON_THE_WIRE: ReadonlyArray<Lie> = [
  wire("silence", { kind: "hang" }),
  wire("reset", { kind: "reset" }),
  wire("500", { kind: "status", status: 500 }),
  wire("429", { kind: "status", status: 429 }),
  wire("redirect", { kind: "redirect", status: 302, location: "/" }),
  wire("html", { kind: "html" }),
  wire("foreign-id", { kind: "wrongId" }),
  wire("truncated", { kind: "truncated" }),
  wire("cut", { kind: "cutJson" }),
  wire("ten-megabytes", { kind: "huge", bytes: 10_000_000 })
]

const gas = (name: string, value: unknown): Lie => ({
  name,
  told: members(() => ({ callGasLimit: value, verificationGasLimit: value }))
})

const price = (name: string, value: bigint): Lie => ({
  name,
  told: () => ({ standard: { maxFeePerGas: quantity(value), maxPriorityFeePerGas: quantity(value) } })
})

/** Another operation's, another chain's, or this one's with something else in it. */
const receipt = (name: string, change: (answer: Answered) => Answered): Lie => ({
  name,
  told: result => (result === null ? { ...NO_RECEIPT, ...change(NO_RECEIPT) } : members(change)(result))
})

const NO_RECEIPT = {
  userOpHash: OTHER_HASH,
  success: true,
  logs: [],
  receipt: { transactionHash: OTHER_HASH }
}

/** Of the data: until when (6 bytes), from when (6), and the signature. */
const untilThen = (data: string, seconds: number): string =>
  `0x${seconds.toString(16).padStart(12, "0")}${data.slice(14)}`

const data = (name: string, change: (given: string) => string): Lie => ({
  name,
  told: members(({ paymasterData }) => ({ paymasterData: change(String(paymasterData)) }))
})

const sent = (name: string, conduct: Conduct, told: Omit<Lie, "name" | "conduct"> = {}): Lie => ({
  name,
  conduct,
  ...told
})

const error = (code: number, message: string) => ({ error: { code, message } })

const OF_METHODS: Readonly<Record<Method, ReadonlyArray<Lie>>> = {
  eth_supportedEntryPoints: [{ name: "other-entry-points", told: () => [OTHER_ENTRY_POINT] }],
  pimlico_getUserOperationGasPrice: [price("price-zero", 0n), price("price-huge", 10n ** 30n)],
  eth_estimateUserOperationGas: [
    gas("estimate-zero", "0x0"),
    gas("estimate-too-wide", quantity(WORD)),
    gas("estimate-huge", quantity(WORD - 1n)),
    gas("estimate-small", "0x1"),
    gas("estimate-fraction", "1.5"),
    { name: "estimate-refused", ...error(-32_500, "AA23 reverted") }
  ],
  pm_getPaymasterStubData: [
    { name: "stub-of-another", told: members(() => ({ paymaster: OTHER })) },
    { name: "stub-refused", ...error(-32_602, "not this one") }
  ],
  pm_getPaymasterData: [
    { name: "other-paymaster", told: members(() => ({ paymaster: OTHER })) },
    data("longer-data", given => `${given}00`),
    data("shorter-data", given => given.slice(0, -2)),
    data("past-validity", given => untilThen(given, 1)),
    data("others-signature", given => `${given.slice(0, 26)}${"11".repeat(64)}1b`),
    {
      name: "less-gas",
      told: members(() => ({ paymasterVerificationGasLimit: "0x1", paymasterPostOpGasLimit: "0x0" }))
    },
    { name: "drained", conduct: "drained" },
    { name: "data-refused", ...error(-32_602, "no more") }
  ],
  eth_sendUserOperation: [
    sent("another-hash", "alone", { told: () => OTHER_HASH }),
    sent("no-hash", "alone", { told: () => "0x" }),
    sent("dropped", "dropped"),
    sent("carried-twice", "twice"),
    sent("among-others", "among-others"),
    sent("nested", "nested"),
    sent("altered-signature", "altered-signature"),
    sent("error-after", "alone", error(-32_603, "internal error")),
    sent("already-known", "alone", error(-32_602, "already known")),
    sent("aa25-after", "alone", error(-32_500, "AA25 invalid account nonce")),
    sent("refused", "dropped", error(-32_500, "AA24 signature error"))
  ],
  eth_getUserOperationReceipt: [
    receipt("receipt-of-another", () => ({ userOpHash: OTHER_HASH })),
    receipt("receipt-elsewhere", () => ({ receipt: { transactionHash: OTHER_HASH } })),
    receipt("receipt-success", () => ({ success: true })),
    receipt("receipt-failure", () => ({ success: false, reason: "0x" })),
    receipt("receipt-without-logs", () => ({ logs: [] })),
    { name: "receipt-none", told: () => null }
  ]
}

export interface LieCase {
  readonly method: Method
  readonly lie: Lie
}

const named = Object.entries(OF_METHODS).flatMap(([method, lies]) => lies.map(lie => [method, lie] as const))

const isMethod = (text: string): text is Method => text in OF_METHODS

export const LIE_CASES: ReadonlyArray<LieCase> = [
  ...named.flatMap(([method, lie]) => (isMethod(method) ? [{ method, lie }] : [])),
  ...Object.keys(OF_METHODS).flatMap(method =>
    isMethod(method) && method !== "eth_supportedEntryPoints" ? ON_THE_WIRE.map(lie => ({ method, lie })) : []
  )
]
