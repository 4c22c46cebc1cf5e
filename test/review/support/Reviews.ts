/** Contracts as the catalog describes them, and plans of calls to them. */
import { type AbiFunction, encodeFunctionData, parseAbi, toFunctionSelector, toFunctionSignature } from "viem"
import { assert } from "vitest"
import type { ContractDetail, MethodRecord } from "../../../src/catalog/CatalogSchemas.ts"
import { commitmentOf, committedFor } from "../../../src/client/Commitment.ts"
import type { Call, Plan } from "../../../src/plans/Plan.ts"
import type { Tokens } from "../../../src/review/Amounts.ts"
import type { Contracts } from "../../../src/review/ExplainCall.ts"
import { type PlanReview, reviewPlan } from "../../../src/review/PlanReview.ts"
import { type ReviewRow, sentence } from "../../../src/review/Words.ts"
import { planRecord } from "../../client/support/PlanRecords.ts"

export const WALLET = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
export const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
export const TERMINAL = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
export const NATIVE = "0x000000000000000000000000000000000000EEEe"
export const OWN = `eip155:31337:${WALLET.toLowerCase()}`
const ABI_HASH = "aa".repeat(32)

const methodOf = (entry: AbiFunction): MethodRecord => {
  const parameters = (list: AbiFunction["inputs"]) => JSON.parse(JSON.stringify(list))
  return {
    signature: toFunctionSignature(entry),
    selector: toFunctionSelector(entry),
    name: entry.name,
    stateMutability: entry.stateMutability,
    kind: "write",
    inputs: parameters(entry.inputs),
    outputs: [],
    inputJsonSchema: {},
    outputJsonSchema: {}
  }
}

export interface Described {
  readonly detail: ContractDetail
  readonly abi: ReadonlyArray<AbiFunction>
}

export const contract = (
  name: string,
  source: ReadonlyArray<string>,
  over: Partial<ContractDetail> = {}
): Described => {
  const abi = parseAbi<ReadonlyArray<string>>(source).filter(
    (entry): entry is AbiFunction => entry.type === "function"
  )
  const methods = abi.map(methodOf)
  const instance = {
    address: TERMINAL,
    alias: name,
    abiHash: ABI_HASH,
    retired: false,
    generation: "current",
    clone: false,
    source: "sandbox",
    receipt: { transactionHash: `0x${"11".repeat(32)}`, blockNumber: 1 },
    constructorArguments: null,
    runtimeCodeHash: null
  } as const
  const detail: ContractDetail = {
    protocolVersion: 6,
    provenance: { repository: null, commit: null, inventoryHash: ABI_HASH, overlays: [] },
    id: `package:src/${name}.sol:${name}`,
    packageId: "package",
    packageVersion: null,
    sourcePath: `src/${name}.sol`,
    name,
    category: "contract",
    executable: true,
    abi: null,
    abiHash: ABI_HASH,
    methods,
    variants: [
      {
        abiHash: ABI_HASH,
        usage: "published",
        abi: [],
        methods,
        provenance: { origin: "published", packageVersions: [] }
      }
    ],
    deployments: [{ chainId: 31_337, status: "published", instances: [instance] }],
    cloneFamilies: [],
    ...over
  }
  return { detail, abi }
}

/** `shown` is what the plan says of the arguments, in the service's form. */
export const callOf = (
  { detail, abi }: Described,
  args: ReadonlyArray<unknown>,
  shown: ReadonlyArray<unknown>,
  over: Partial<Call> = {}
): Call => {
  const [entry] = abi
  assert.isDefined(entry)
  return {
    chainId: 31_337,
    to: TERMINAL,
    data: encodeFunctionData({ abi: [entry], args }),
    value: "0",
    label: "a label",
    dependsOn: [],
    decoded: { contractId: detail.id, abiHash: ABI_HASH, function: toFunctionSignature(entry), args: shown },
    ...over
  }
}

export const NOW = 1_800_000_100_000

export const planOf = async (calls: ReadonlyArray<Call>, over: Partial<Plan> = {}): Promise<Plan> => {
  const plan = planRecord({
    calls,
    warnings: [],
    steps: calls.map((_, index) => ({ index, state: "ready", blockedBy: [] })),
    ...over
  })
  const commitment = await commitmentOf(plan, { accountId: OWN, principalId: `owner:${OWN}` })
  return { ...plan, commitment: `0x${commitment.slice(2)}` }
}

export interface ReviewOptions {
  /** Further contracts of the plan's calls. */
  readonly others?: ReadonlyArray<Described>
  readonly tokens?: Tokens
  readonly clones?: ReadonlyMap<string, boolean>
  /** As it explains itself where a call creates one. */
  readonly createdWallet?: Contracts["createdWallet"]
  readonly enabledBy?: Contracts["enabledBy"]
  readonly asked?: string
  /** Of the plan that was shown before. */
  readonly commitment?: string
  readonly now?: number
}

export const reviewOf = async (
  plan: Plan,
  described: Described,
  options: ReviewOptions = {}
): Promise<PlanReview> => {
  const {
    others = [],
    createdWallet,
    tokens = new Map(),
    clones = new Map(),
    asked = plan.id,
    now = NOW
  } = options
  const known = new Map([described, ...others].map(({ detail }) => [detail.id, detail]))
  return reviewPlan(plan, {
    asked,
    shownBefore: options.commitment,
    committedFor: await committedFor(plan, OWN, [`owner:${OWN}`]),
    contracts: {
      get: id => known.get(id),
      ...(createdWallet !== undefined && { createdWallet }),
      ...(options.enabledBy !== undefined && { enabledBy: options.enabledBy })
    },
    chains: new Map([[31_337, "Sandbox"]]),
    tokens,
    clones,
    now
  })
}

/** `name (type): value` lines, nested ones by their path. */
export const linesOf = (rows: ReadonlyArray<ReviewRow>, path = ""): ReadonlyArray<string> =>
  rows.flatMap(({ name, type, value, rows: inner = [] }) => {
    const place = path === "" ? name : `${path}.${name}`
    return [`${place}${type === undefined ? "" : ` (${type})`}: ${sentence(value)}`, ...linesOf(inner, place)]
  })
