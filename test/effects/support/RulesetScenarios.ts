import { canonicalSignature, functionsOf } from "../../../src/catalog/Abi.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"
import { CONTROLLER, RULESETS } from "./ContractIds.ts"
import { ACCOUNT, abiOf, BENEFICIARY, callTo, deployment, HOLDER } from "./Receipts.ts"
import { controllerAddress, type Evented, projectCreated, type Scenario, upTo } from "./Scenario.ts"

/** Too long to spell out for the configurations of rulesets. */
const signatureOf = (contractId: string, name: string): string => {
  const entry = functionsOf(abiOf(deployment(contractId).abiHash)).find(found => found.name === name)
  return entry === undefined ? name : canonicalSignature(entry)
}

const metadata = {
  reservedPercent: "2000",
  cashOutTaxRate: "10000",
  baseCurrency: "61166",
  ...NO_RULESET_FLAGS,
  pausePay: true,
  holdFees: true,
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
  wrong: { metadata: String(packed ^ (1n << 80n)), ...over.wrong }
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

export const launchProject: Scenario = {
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
    { ...projectCreated(HOLDER, controllerAddress), identity: ["projectId", "owner", "caller"] },
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
