/** A plan of one call, as the service shows it. */
import type { Plan, PlanSmartAccount, Step, StoredReceipt } from "../../../src/plans/Plan.ts"

export const planRecord = (over: Partial<Plan> = {}): Plan => ({
  id: "5f0c8a52-0b1c-4f0a-9f53-000000000001",
  operation: "contract_calls",
  account: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  summary: { text: "é" },
  calls: [
    {
      chainId: 31_337,
      to: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
      data: "0x01020304",
      value: "5",
      label: "f",
      dependsOn: [],
      decoded: { contractId: "c", abiHash: "aa", function: "f(uint256)", args: ["2"] }
    }
  ],
  evidence: [],
  warnings: ["w"],
  commitment: `0x${"00".repeat(32)}`,
  createdAt: 1_800_000_000_000,
  expiresAt: 1_800_000_300_000,
  revision: 0,
  status: "prepared",
  steps: [stepRecord()],
  costScope: "",
  confirmationScope: "",
  ...over
})

/** As a plan names the bound wallet whose calls it holds. */
export const plannedWallet = (address: Plan["account"]): PlanSmartAccount => ({
  bindingId: `0x${"b1".repeat(32)}`,
  stateHash: `0x${"5a".repeat(32)}`,
  chainId: 31_337,
  address,
  manifestId: "safe7579-guard-31337",
  manifestRevision: `0x${"e1".repeat(32)}`
})

export const stepRecord = (over: Partial<Step> = {}): Step => ({
  index: 0,
  state: "ready",
  blockedBy: [],
  ...over
})

export const receiptRecord = (over: Partial<StoredReceipt> = {}): StoredReceipt => ({
  transactionHash: `0x${"11".repeat(32)}`,
  blockHash: `0x${"22".repeat(32)}`,
  blockNumber: "7",
  status: "success",
  confirmations: 2,
  finality: "latest",
  canonical: true,
  observedAt: 1_800_000_000_000,
  logs: [],
  logCount: 0,
  logsHash: `0x${"33".repeat(32)}`,
  logsStored: false,
  ...over
})
