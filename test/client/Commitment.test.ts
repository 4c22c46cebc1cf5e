import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { checkCommitment } from "../../src/client/Commitment.ts"
import { planRecord } from "./support/PlanRecords.ts"

const own = {
  accountId: "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  principalId: "owner:eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
}

/** Written out by hand: keys in order, no member for the absent project and smart account. */
const terms =
  `{"account":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","accountId":"${own.accountId}",` +
  '"calls":[{"chainId":31337,"data":"0x01020304","decoded":{"abiHash":"aa","args":["2"],"contractId":"c","function":"f(uint256)"},' +
  '"dependsOn":[],"label":"f","to":"0x5FbDB2315678afecb367f032d93F642f64180aa3","value":"5"}],' +
  '"evidence":[],"expiresAt":1800000300000,"operation":"contract_calls",' +
  `"principalId":"${own.principalId}","summary":{"text":"é"},"warnings":["w"]}`

const commitment = `0x${createHash("sha256").update(terms).digest("hex")}` as const
const plan = { ...planRecord(), commitment }

describe("a plan's commitment", () => {
  it("is the SHA-256 of the canonical JSON of its terms", async () => {
    assert.isTrue(await checkCommitment(plan, own))
  })

  it("covers every term, the account and the principal", async () => {
    const [call] = plan.calls
    assert.isDefined(call)
    const changed = [
      { ...plan, calls: [{ ...call, value: "6" }] },
      { ...plan, calls: [{ ...call, data: "0x01020305" as const }] },
      { ...plan, expiresAt: plan.expiresAt + 1 },
      { ...plan, warnings: [] },
      { ...plan, summary: {} },
      { ...plan, project: { chainId: 31_337, projectId: "2", version: 6 as const } }
    ]
    for (const other of changed) assert.isFalse(await checkCommitment(other, own))
    assert.isFalse(await checkCommitment(plan, { ...own, principalId: "bot:x" }))
    assert.isFalse(await checkCommitment(plan, { ...own, accountId: "eip155:1:0x" }))
  })

  it("does not cover what becomes of the plan", async () => {
    assert.isTrue(await checkCommitment({ ...plan, revision: 9, status: "blocked", steps: [] }, own))
  })
})
