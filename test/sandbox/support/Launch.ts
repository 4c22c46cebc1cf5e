/** Launches a project with the differences a test cares about. */
import { type Address, type ContractFunctionArgs, parseEther, zeroAddress } from "viem"
import { NATIVE_TOKEN } from "../../../sandbox/calls.ts"
import type { protocolAbi } from "../../../sandbox/protocolAbi.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"
import { type Acting, owner } from "./Sandbox.ts"
import { NATIVE_CURRENCY, SPLITS_TOTAL } from "./Units.ts"

type LaunchArguments = ContractFunctionArgs<typeof protocolAbi, "payable", "launchProjectFor">
export type RulesetConfig = LaunchArguments[2][number]
type Metadata = RulesetConfig["metadata"]
type Split = RulesetConfig["splitGroups"][number]["splits"][number]

const plainMetadata: Metadata = {
  reservedPercent: 0,
  cashOutTaxRate: 0,
  baseCurrency: NATIVE_CURRENCY,
  ...NO_RULESET_FLAGS,
  dataHook: zeroAddress,
  metadata: 0
}

export const rulesetOf = (
  changes: Partial<RulesetConfig> = {},
  metadata: Partial<Metadata> = {}
): RulesetConfig => ({
  mustStartAtOrAfter: 0,
  duration: 0,
  weight: parseEther("1000"),
  weightCutPercent: 0,
  approvalHook: zeroAddress,
  splitGroups: [],
  fundAccessLimitGroups: [],
  ...changes,
  metadata: { ...plainMetadata, ...metadata }
})

export const splitOf = (changes: Partial<Split>): Split => ({
  percent: SPLITS_TOTAL,
  projectId: 0n,
  beneficiary: zeroAddress,
  preferAddToBalance: false,
  lockedUntil: 0,
  hook: zeroAddress,
  ...changes
})

export const nativeLimits = (sandbox: Acting, payout: bigint, allowance: bigint) => ({
  terminal: sandbox.at("JBMultiTerminal"),
  token: NATIVE_TOKEN,
  payoutLimits: payout === 0n ? [] : [{ amount: payout, currency: NATIVE_CURRENCY }],
  surplusAllowances: allowance === 0n ? [] : [{ amount: allowance, currency: NATIVE_CURRENCY }]
})

export const launch = async (
  sandbox: Acting,
  rulesets: ReadonlyArray<RulesetConfig>,
  token: Address = NATIVE_TOKEN
): Promise<bigint> => {
  const currency = token === NATIVE_TOKEN ? NATIVE_CURRENCY : Number(BigInt(token) & 0xffffffffn)
  const terminal = sandbox.at("JBMultiTerminal")
  const terminals = [{ terminal, accountingContextsToAccept: [{ token, decimals: 18, currency }] }]
  await sandbox.mined(
    sandbox.client.writeContract({
      ...sandbox.contract("JBController"),
      account: owner,
      functionName: "launchProjectFor",
      args: [owner.address, "ipfs://project", rulesets, terminals, ""]
    })
  )
  return sandbox.client.readContract({ ...sandbox.contract("JBProjects"), functionName: "count" })
}

export const payNative = (sandbox: Acting, projectId: bigint, value: bigint, to: Address) =>
  sandbox.mined(
    sandbox.client.writeContract({
      ...sandbox.contract("JBMultiTerminal"),
      account: owner,
      functionName: "pay",
      args: [projectId, NATIVE_TOKEN, value, to, 0n, "", "0x"],
      value
    })
  )
