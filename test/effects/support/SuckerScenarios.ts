import { SUCKER } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, deployment, type Emission, NATIVE } from "./Receipts.ts"
import { atLeast, type Evented, type Scenario } from "./Scenario.ts"

const CLAIM = "(address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32])"

const beneficiary = `0x${"0".repeat(24)}${BENEFICIARY.slice(2).toLowerCase()}`

const leafAt = (index: string) => ({
  index,
  beneficiary,
  projectTokenCount: "1000",
  terminalTokenAmount: "7",
  metadata: `0x${"4".repeat(64)}`
})

const proof = Array.from({ length: 32 }, (_, depth) => `0x${depth.toString(16).padStart(64, "0")}`)
const claimAt = (index: string) => ({ token: NATIVE, leaf: leafAt(index), proof })

const claimedAt = (index: string, caller: string): Evented => ({
  contractId: SUCKER,
  event: "Claimed",
  role: "proof",
  fields: { ...leafAt(index), token: NATIVE, caller },
  identity: ["token", "index", "caller"],
  free: []
})

const shownAt = (index: string) => ({
  event: "Claimed",
  beneficiary,
  token: NATIVE,
  projectTokenCount: "1000",
  terminalTokenAmount: "7",
  index
})

export const claimOne: Scenario = {
  name: "a bridge claim",
  verifier: "bridge_claim",
  call: callTo(SUCKER, `claim(${CLAIM})`, [claimAt("3")]),
  emissions: [claimedAt("3", ACCOUNT)],
  events: [shownAt("3")]
}

const { address: sucker } = deployment(SUCKER)

export const claimFailed = (index: string): Emission => ({
  contractId: SUCKER,
  event: "ClaimFailed",
  fields: { token: NATIVE, index, caller: ACCOUNT }
})

export const claimEach: Scenario = {
  name: "several bridge claims",
  verifier: "bridge_claims",
  call: callTo(SUCKER, `claim(${CLAIM}[])`, [["3", "8"].map(claimAt)]),
  emissions: ["3", "8"].map(index => claimedAt(index, sucker)),
  events: ["3", "8"].map(shownAt),
  namesNoWallet: true
}

export const claimNone = callTo(SUCKER, `claim(${CLAIM}[])`, [[]])

/** A time in seconds, and how often was told before. */
const SOURCE_TIMESTAMP = String((1_700_000_000n << 128n) | 1n)

export const syncAccounting: Scenario = {
  name: "a sync of accounts",
  verifier: "sync_accounting",
  call: callTo(SUCKER, "syncAccountingData()", [], { value: "1000" }),
  emissions: [
    {
      contractId: SUCKER,
      event: "AccountingDataSynced",
      role: "proof",
      fields: { sourceTimestamp: SOURCE_TIMESTAMP, caller: ACCOUNT },
      identity: ["caller"],
      free: [],
      wrong: { sourceTimestamp: "1700000000" },
      allows: { sourceTimestamp: atLeast(1n << 128n) }
    }
  ],
  events: [{ event: "AccountingDataSynced", sourceTimestamp: SOURCE_TIMESTAMP, sourceTime: "1700000000" }]
}
