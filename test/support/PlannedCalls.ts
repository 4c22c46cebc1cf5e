/** Plans of contract calls, most of them of payments, and their parts. */
import { assert } from "vitest"
import type { Call, Plan } from "../../src/plans/Plan.ts"
import type { RelayBench } from "./RelayBench.ts"
import { contractId, NATIVE_TOKEN } from "./Sandbox.ts"
import type { RunningService } from "./Service.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "./SignedFetch.ts"

export type CallInput = Readonly<Record<string, unknown>>

export const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

export const payment = (
  { manifest }: Pick<RelayBench, "manifest">,
  beneficiary: string,
  over: CallInput = {}
): CallInput => ({
  chainId: 31337,
  contractId: contractId(manifest, "JBMultiTerminal"),
  function: PAY,
  args: ["2", NATIVE_TOKEN, "1000", beneficiary, "0", "thanks", "0x"],
  value: "1000",
  ...over
})

/** It insists on more tokens than there are, and reverts. */
export const hopelessPayment = (bench: Pick<RelayBench, "manifest">, beneficiary: string): CallInput =>
  payment(bench, beneficiary, {
    args: ["2", NATIVE_TOKEN, "1000", beneficiary, `1${"0".repeat(40)}`, "", "0x"]
  })

export const contractCalls = (owner: Party, calls: ReadonlyArray<CallInput>) => ({
  operation: "contract_calls",
  input: { account: owner.key.address, calls }
})

type Service = Pick<RunningService, "url" | "audience">

export const requestPlan = (service: Service, party: Party, body: unknown, options: RequestOptions = {}) =>
  signedFetch(service, party, "POST", "/api/v1/plans", { body, idempotencyKey: freshNonce(), ...options })

/** A stored plan of these calls; one payment when none are given. */
export const planned = async (
  bench: Pick<RelayBench, "service" | "manifest">,
  owner: Party,
  options: { readonly by?: Party; readonly calls?: ReadonlyArray<CallInput> } = {}
): Promise<Plan> => {
  const calls = options.calls ?? [payment(bench, owner.key.address)]
  const answer = await requestPlan(bench.service, options.by ?? owner, contractCalls(owner, calls))
  const plan = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(plan))
  return plan
}

export const callOf = (plan: Plan, step = 0): Call => plan.calls[step] ?? assert.fail("no such call")
export const stepOf = (plan: Plan, step = 0) => plan.steps[step] ?? assert.fail("no such step")
