/** For each predicate a call, the receipt that proves it, and what each field of each event is to the proof. */
import { canonicalSignature, functionsOf } from "../../../../src/catalog/Abi.ts"
import type { Call } from "../../../../src/plans/Plan.ts"
import { keccak256Utf8 } from "../../../../src/values/Keccak.ts"
import {
  ACCOUNT,
  abiOf,
  BENEFICIARY,
  BUYBACK,
  CONTROLLER,
  callTo,
  deployment,
  type Emission,
  type Fields,
  HOLDER,
  NATIVE,
  OTHER,
  PERMISSIONS,
  PROJECTS,
  RULESETS,
  TERMINAL,
  TOKEN
} from "./Receipts.ts"

/**
 * Without it: a `proof` leaves the effect unknown, the others do not.
 * Twice: all but a `row` leave it unknown.
 */
type Role = "proof" | "strengthening" | "row"

export interface Evented extends Emission {
  readonly role: Role
  /** Another value of these makes the event one about something else. */
  readonly identity: ReadonlyArray<string>
  /** Another value of these is no matter. */
  readonly free: ReadonlyArray<string>
  /** Another value where not any will do, and whether a value contradicts nothing after all. */
  readonly wrong?: Fields
  readonly allows?: Readonly<Record<string, (value: string) => boolean>>
}

export interface Scenario {
  readonly name: string
  readonly call: Call
  readonly verifier: string
  readonly emissions: ReadonlyArray<Evented>
  readonly events: ReadonlyArray<Fields>
}

const terminalAddress = deployment(TERMINAL).address
const controllerAddress = deployment(CONTROLLER).address
const cycle = { rulesetId: "1700000000", rulesetCycleNumber: "3" }
const CYCLE = ["rulesetId", "rulesetCycleNumber"]
const atLeast = (least: bigint) => (value: string) => BigInt(value) >= least
const upTo = (most: bigint) => (value: string) => BigInt(value) > 0n && BigInt(value) <= most

const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

const payment = (amount: string, over: Partial<Evented> = {}): Evented => ({
  contractId: TERMINAL,
  event: "Pay",
  role: "proof",
  fields: {
    ...cycle,
    projectId: "2",
    payer: ACCOUNT,
    beneficiary: BENEFICIARY,
    amount,
    newlyIssuedTokenCount: "5",
    memo: "thänks",
    metadata: "0xab",
    caller: ACCOUNT
  },
  identity: ["projectId", "payer", "caller"],
  free: [...CYCLE, "newlyIssuedTokenCount"],
  ...over
})

const paymentShown = (amount: string) => [
  { event: "Pay", projectId: "2", beneficiary: BENEFICIARY, amount, newlyIssuedTokenCount: "5" }
]

export const payNative: Scenario = {
  name: "a payment in the native token",
  verifier: "pay",
  call: callTo(TERMINAL, PAY, ["2", NATIVE, "7", BENEFICIARY, "0", "thänks", "0xab"], { value: "1000" }),
  emissions: [payment("1000")],
  events: paymentShown("1000")
}

const payToken: Scenario = {
  name: "a payment in a token that charges for its transfer",
  verifier: "pay",
  call: callTo(TERMINAL, PAY, ["2", OTHER, "1000", BENEFICIARY, "0", "thänks", "0xab"]),
  emissions: [payment("990", { wrong: { amount: "1001" }, allows: { amount: upTo(1000n) } })],
  events: paymentShown("990")
}

const ADD = "addToBalanceOf(uint256,address,uint256,bool,string,bytes)"

const addToBalance: Scenario = {
  name: "money added to a balance",
  verifier: "add_to_balance",
  call: callTo(TERMINAL, ADD, ["2", NATIVE, "0", true, "more", "0x01"], { value: "40" }),
  emissions: [
    {
      contractId: TERMINAL,
      event: "AddToBalance",
      role: "proof",
      fields: {
        projectId: "2",
        amount: "40",
        returnedFees: "1",
        memo: "more",
        metadata: "0x01",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: ["returnedFees"]
    }
  ],
  events: [{ event: "AddToBalance", projectId: "2", amount: "40", returnedFees: "1" }]
}

const CASH_OUT = "cashOutTokensOf(address,uint256,uint256,address,uint256,address,bytes)"

const cashedOut = (reclaimAmount: string, metadata: string, minimum: bigint): Evented => ({
  contractId: TERMINAL,
  event: "CashOutTokens",
  role: "proof",
  fields: {
    ...cycle,
    projectId: "2",
    holder: HOLDER,
    beneficiary: BENEFICIARY,
    cashOutCount: "500",
    cashOutTaxRate: "5000",
    reclaimAmount,
    metadata,
    caller: ACCOUNT
  },
  identity: ["projectId", "holder", "caller"],
  free: [...CYCLE, "cashOutTaxRate", ...(minimum === 0n ? ["reclaimAmount"] : [])],
  ...(minimum === 0n ? {} : { wrong: { reclaimAmount: String(minimum - 1n) } }),
  allows: { reclaimAmount: atLeast(minimum) }
})

const cashOutShown = (reclaimAmount: string) => ({
  event: "CashOutTokens",
  projectId: "2",
  holder: HOLDER,
  beneficiary: BENEFICIARY,
  cashOutCount: "500",
  reclaimAmount
})

export const cashOut: Scenario = {
  name: "a cash-out from the treasury",
  verifier: "cash_out",
  call: callTo(TERMINAL, CASH_OUT, [HOLDER, "2", "500", NATIVE, "90", BENEFICIARY, "0x"]),
  emissions: [
    {
      contractId: CONTROLLER,
      event: "BurnTokens",
      role: "strengthening",
      fields: { holder: HOLDER, projectId: "2", tokenCount: "500", memo: "", caller: terminalAddress },
      identity: [],
      free: ["holder", "projectId", "caller", "memo"]
    },
    cashedOut("95", "0x", 90n)
  ],
  events: [cashOutShown("95"), { event: "BurnTokens", tokenCount: "500" }]
}

const word = (value: bigint) => value.toString(16).padStart(64, "0")

/** One entry for the target: a reserved word, its id and offset in words, then the minimum and whether to skip. */
export const quoted = (target: string, minimum: bigint, skip: boolean): `0x${string}` => {
  const bits = BigInt(target.slice(0, 10)) ^ BigInt(keccak256Utf8("cashOut").slice(0, 10))
  const id = bits.toString(16).padStart(8, "0")
  return `0x${word(0n)}${`${id}02`.padEnd(64, "0")}${word(minimum)}${word(skip ? 1n : 0n)}`
}

const swapMetadata = quoted(deployment(BUYBACK).address, 80n, false)

export const cashOutSwap: Scenario = {
  name: "a cash-out by a swap",
  verifier: "cash_out",
  call: callTo(TERMINAL, CASH_OUT, [HOLDER, "2", "500", NATIVE, "0", BENEFICIARY, swapMetadata]),
  emissions: [
    cashedOut("0", swapMetadata, 0n),
    {
      contractId: BUYBACK,
      event: "CashOutSwap",
      role: "proof",
      fields: {
        projectId: "2",
        cashOutCount: "500",
        poolId: `0x${"77".repeat(32)}`,
        amountReceived: "81",
        caller: terminalAddress
      },
      identity: ["projectId"],
      free: ["cashOutCount", "poolId", "caller"],
      wrong: { amountReceived: "79" },
      allows: { amountReceived: atLeast(80n) }
    }
  ],
  events: [
    cashOutShown("0"),
    { event: "CashOutSwap", projectId: "2", cashOutCount: "500", amountReceived: "81" }
  ]
}

const SEND = "sendPayoutsOf(uint256,address,uint256,uint256,uint256)"

export const split = {
  percent: "500000000",
  projectId: "0",
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: `0x${"0".repeat(40)}`
}

export const sendPayouts: Scenario = {
  name: "payouts",
  verifier: "send_payouts",
  call: callTo(TERMINAL, SEND, ["2", NATIVE, "1000", "61166", "990"]),
  emissions: [
    {
      contractId: TERMINAL,
      event: "SendPayoutToSplit",
      role: "row",
      fields: {
        projectId: "2",
        rulesetId: cycle.rulesetId,
        group: String(BigInt(NATIVE)),
        split,
        amount: "500",
        netAmount: "488",
        caller: ACCOUNT
      },
      identity: [],
      free: ["projectId", "rulesetId", "group", "split", "amount", "netAmount", "caller"]
    },
    {
      contractId: TERMINAL,
      event: "SendPayouts",
      role: "proof",
      fields: {
        ...cycle,
        projectId: "2",
        projectOwner: HOLDER,
        amount: "1000",
        amountPaidOut: "1000",
        fee: "25",
        netLeftoverPayoutAmount: "487",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: [...CYCLE, "projectOwner", "fee", "netLeftoverPayoutAmount"],
      wrong: { amountPaidOut: "989" },
      allows: { amountPaidOut: atLeast(990n) }
    }
  ],
  events: [
    {
      event: "SendPayouts",
      projectId: "2",
      amount: "1000",
      amountPaidOut: "1000",
      fee: "25",
      netLeftoverPayoutAmount: "487"
    },
    { event: "SendPayoutToSplit", split, amount: "500", netAmount: "488" }
  ]
}

const ALLOWANCE = "useAllowanceOf(uint256,address,uint256,uint256,uint256,address,address,string)"

const useAllowance: Scenario = {
  name: "a draw on the surplus allowance",
  verifier: "use_allowance",
  call: callTo(TERMINAL, ALLOWANCE, ["2", NATIVE, "100", "1", "90", BENEFICIARY, HOLDER, "for tools"]),
  emissions: [
    {
      contractId: TERMINAL,
      event: "UseAllowance",
      role: "proof",
      fields: {
        ...cycle,
        projectId: "2",
        beneficiary: BENEFICIARY,
        feeBeneficiary: HOLDER,
        amount: "100",
        amountPaidOut: "100",
        netAmountPaidOut: "98",
        memo: "for tools",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: [...CYCLE, "amountPaidOut"],
      wrong: { netAmountPaidOut: "89" },
      allows: { netAmountPaidOut: atLeast(90n) }
    }
  ],
  events: [
    {
      event: "UseAllowance",
      projectId: "2",
      beneficiary: BENEFICIARY,
      amount: "100",
      amountPaidOut: "100",
      netAmountPaidOut: "98"
    }
  ]
}

/** Too long to spell out for the configurations of rulesets. */
const signatureOf = (contractId: string, name: string): string => {
  const entry = functionsOf(abiOf(deployment(contractId).abiHash)).find(found => found.name === name)
  return entry === undefined ? name : canonicalSignature(entry)
}

const metadata = {
  reservedPercent: "2000",
  cashOutTaxRate: "10000",
  baseCurrency: "61166",
  pausePay: true,
  pauseCreditTransfers: false,
  allowOwnerMinting: false,
  allowSetCustomToken: false,
  allowTerminalMigration: false,
  allowSetTerminals: false,
  allowSetController: false,
  allowAddAccountingContext: false,
  allowAddPriceFeed: false,
  ownerMustSendPayouts: false,
  holdFees: true,
  scopeCashOutsToLocalBalances: false,
  useDataHookForPay: false,
  useDataHookForCashOut: true,
  dataHook: HOLDER,
  metadata: "16383"
}

const configuration = {
  mustStartAtOrAfter: "0",
  duration: "604800",
  weight: "1",
  weightCutPercent: "50000000",
  approvalHook: BENEFICIARY,
  metadata,
  splitGroups: [],
  fundAccessLimitGroups: []
}

const VERSION = 1n

const packed =
  VERSION |
  (2_000n << 4n) |
  (10_000n << 20n) |
  (61_166n << 36n) |
  (1n << 68n) |
  (1n << 78n) |
  (1n << 81n) |
  (BigInt(HOLDER) << 82n) |
  (16_383n << 242n)

const queued = (rulesetId: string, mustStartAtOrAfter: string, over: Partial<Evented>): Evented => ({
  contractId: RULESETS,
  event: "RulesetQueued",
  role: "proof",
  fields: {
    rulesetId,
    projectId: "2",
    duration: "604800",
    weight: "1",
    weightCutPercent: "50000000",
    approvalHook: BENEFICIARY,
    metadata: String(packed),
    mustStartAtOrAfter,
    caller: controllerAddress
  },
  identity: ["projectId", "caller"],
  free: [],
  ...over,
  wrong: { metadata: String(packed ^ (1n << 80n)), ...over.wrong },
  allows: { metadata: value => BigInt(value) >> 4n === packed >> 4n, ...over.allows }
})

const LATER = "1800000000"

/** As many rulesets as asked for, each queued a second later. */
export const manyQueued = (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => String(1_700_000_000 + index))
  const signature = signatureOf(CONTROLLER, "queueRulesetsOf")
  const queueing = queueRulesets.emissions.at(-1)
  return {
    call: callTo(CONTROLLER, signature, ["2", ids.map(() => configuration), "next"]),
    emissions: [
      ...ids.map(id => queued(id, "1700000000", {})),
      ...(queueing === undefined
        ? []
        : [{ ...queueing, fields: { ...queueing.fields, rulesetId: ids.at(-1) } }])
    ]
  }
}

export const queueRulesets: Scenario = {
  name: "two queued rulesets",
  verifier: "queue_rulesets",
  call: callTo(CONTROLLER, signatureOf(CONTROLLER, "queueRulesetsOf"), [
    "2",
    [configuration, { ...configuration, mustStartAtOrAfter: LATER }],
    "next"
  ]),
  emissions: [
    queued("1700000001", "1700000000", {
      free: ["rulesetId"],
      wrong: { mustStartAtOrAfter: "1700000002" },
      allows: { mustStartAtOrAfter: upTo(1_700_000_001n) }
    }),
    queued("1700000002", LATER, {}),
    {
      contractId: CONTROLLER,
      event: "QueueRulesets",
      role: "proof",
      fields: { rulesetId: "1700000002", projectId: "2", memo: "next", caller: ACCOUNT },
      identity: ["projectId", "caller"],
      free: []
    }
  ],
  events: [
    { event: "QueueRulesets", projectId: "2", rulesetId: "1700000002" },
    { event: "RulesetQueued", rulesetId: "1700000001", mustStartAtOrAfter: "1700000000" },
    { event: "RulesetQueued", rulesetId: "1700000002", mustStartAtOrAfter: LATER }
  ]
}

const launchProject: Scenario = {
  name: "a launched project",
  verifier: "launch_project",
  call: callTo(CONTROLLER, signatureOf(CONTROLLER, "launchProjectFor"), [
    HOLDER,
    "ipfs://project",
    [configuration],
    [],
    "hello"
  ]),
  emissions: [
    {
      contractId: PROJECTS,
      event: "Create",
      role: "proof",
      fields: { projectId: "9", owner: HOLDER, caller: controllerAddress },
      identity: ["projectId", "caller"],
      free: []
    },
    {
      contractId: CONTROLLER,
      event: "LaunchProject",
      role: "proof",
      fields: {
        rulesetId: "1700000000",
        projectId: "9",
        projectUri: "ipfs://project",
        memo: "hello",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: ["rulesetId"]
    }
  ],
  events: [
    { event: "Create", projectId: "9", owner: HOLDER },
    { event: "LaunchProject", projectId: "9", rulesetId: "1700000000" }
  ]
}

const PERMIT = "setPermissionsFor(address,(address,uint64,uint8[]))"

const permissionIds = ["1", "5", "255"]

const setPermissions: Scenario = {
  name: "permissions",
  verifier: "set_permissions",
  call: callTo(PERMISSIONS, PERMIT, [HOLDER, { operator: OTHER, projectId: "2", permissionIds }]),
  emissions: [
    {
      contractId: PERMISSIONS,
      event: "OperatorPermissionsSet",
      role: "proof",
      fields: {
        operator: OTHER,
        account: HOLDER,
        projectId: "2",
        permissionIds,
        packed: String(permissionIds.reduce((bits, id) => bits | (1n << BigInt(id)), 0n)),
        caller: ACCOUNT
      },
      identity: ["operator", "account", "projectId"],
      free: []
    }
  ],
  events: [
    { event: "OperatorPermissionsSet", operator: OTHER, account: HOLDER, projectId: "2", permissionIds }
  ]
}

export const approval = (value: string): Emission => ({
  contractId: TOKEN,
  event: "Approval",
  fields: { owner: ACCOUNT, spender: BENEFICIARY, value }
})

const approve: Scenario = {
  name: "an allowance",
  verifier: "approve",
  call: callTo(TOKEN, "approve(address,uint256)", [BENEFICIARY, "1000"]),
  emissions: [{ ...approval("1000"), role: "proof", identity: ["owner", "spender"], free: [] }],
  events: [{ event: "Approval", owner: ACCOUNT, spender: BENEFICIARY, value: "1000" }]
}

export const scenarios: ReadonlyArray<Scenario> = [
  payNative,
  payToken,
  addToBalance,
  cashOut,
  cashOutSwap,
  sendPayouts,
  useAllowance,
  queueRulesets,
  launchProject,
  setPermissions,
  approve
]
