/** What is not prepared, with its reason, whatever the bundler and the paymaster answer. */
import { Redacted } from "effect"
import { encodeFunctionData } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { SettingsShape } from "../../src/settings/Settings.ts"
import { controlAbi } from "../smartaccounts/support/Inspections.ts"
import { bindToOperations } from "../support/BoundOperation.ts"
import { hopelessPayment, planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { type ProxyFault, startRecordingProxy } from "../support/RecordingProxy.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { askOperation, boundWallet, startOperatingBench, walletPlan } from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service, bundler, bundling, chain } = bench
const paying = await startRecordingProxy({ upstream: bundler.paymasterUrl })

const CHAIN_ID = 31_337
const ESTIMATE = "eth_estimateUserOperationGas"
const FEES = "pimlico_getUserOperationGasPrice"
const STUB = "pm_getPaymasterStubData"
const DATA = "pm_getPaymasterData"

const operating = (over: Partial<SettingsShape["userOperations"]> = {}) => ({
  userOperations: {
    ...testSettings().userOperations,
    bundlers: [{ chainId: CHAIN_ID, urls: [Redacted.make(bundling.url)] }],
    ...over
  }
})

const sponsoring = await bench.replica(
  operating({
    paymasters: [{ chainId: CHAIN_ID, url: Redacted.make(paying.url), context: Redacted.make({}) }]
  })
)

afterAll(async () => {
  await sponsoring.stop()
  await paying.stop()
  await bench.stop()
})

const wallet = async (calls?: Parameters<typeof walletPlan>[2]) => {
  const bound = await boundWallet(bench)
  return { ...bound, plan: await walletPlan(bench, bound, calls) }
}

type Planned = Awaited<ReturnType<typeof wallet>>

const asked = ({ owner, plan }: Planned, by: Pick<typeof service, "url" | "audience"> = service) =>
  askOperation(by, owner, { planId: plan.id, stepIndexes: [0] })

const refused = async (planned: Planned, code: string, by = service) => {
  const { context } = await assertProblem(await asked(planned, by), code)
  const rows = await sqlOn(service.databaseUrl, "SELECT 1 FROM user_operations WHERE plan = $1", [
    planned.plan.id
  ])
  assert.deepStrictEqual(rows, [], "nothing is stored")
  return context
}

/** Of a service of these settings alone. */
const refusedWith = async (settings: Partial<SettingsShape>, code: string) => {
  const replica = await bench.replica(settings)
  try {
    return await refused(await wallet(), code, replica)
  } finally {
    await replica.stop()
  }
}

const answers = (method: string, result: unknown): ProxyFault => ({
  method,
  phase: "before",
  act: { kind: "result", result }
})

describe("of a plan", () => {
  it("that is no wallet's", async () => {
    const { owner } = await boundWallet(bench)
    const context = await refused(
      { ...(await wallet()), owner, plan: await planned(bench, owner) },
      "USER_OPERATION_PLAN_UNSUITABLE"
    )
    assert.deepStrictEqual(context, { reason: "wallet" })
  })

  it("whose wallet is unlinked", async () => {
    const own = await wallet()
    const path = `/api/v1/smart-accounts/bindings/${own.binding.id}`
    assert.strictEqual((await signedFetch(service, own.owner, "DELETE", path)).status, 200)
    await refused(own, "BINDING_NOT_FOUND")
  })

  it("with a step that it does not have, or that has left", async () => {
    const own = await wallet()
    const beyond = { planId: own.plan.id, stepIndexes: [7] }
    await assertProblem(await askOperation(service, own.owner, beyond), "STEP_NOT_FOUND")
    await sqlOn(
      service.databaseUrl,
      `INSERT INTO transport_bindings (plan, step, transport, binding_id, bound_at)
       VALUES ($1, 0, 'forwarder-prepaid-erc2771', gen_random_uuid(), 1)`,
      [own.plan.id]
    )
    await bindToOperations(service.databaseUrl, own.plan.id)
    await assertProblem(await asked(own), "STEP_ALREADY_BOUND")
  })

  it("that is over", async () => {
    const own = await wallet()
    await sqlOn(service.databaseUrl, "UPDATE plans SET created_at = 1, expires_at = 2 WHERE id = $1", [
      own.plan.id
    ])
    await refused(own, "PLAN_EXPIRED")
  })

  it.each([false, true])("whose calls do not come through, simulated unreadably: %s", async isSpoilt => {
    const spoilt = { ...answers("eth_simulateV1", [{ calls: [{}] }]), phase: "after" } as const
    if (isSpoilt) bench.proxy.fault(spoilt)
    const bound = await boundWallet(bench)
    const calls = [hopelessPayment(bench, bound.wallet.address)]
    const plan = await walletPlan(bench, bound, { calls })
    const context = await refused({ ...bound, plan }, "SIMULATION_REVERTED")
    assert.match(JSON.stringify(context), /"revert":\{"selector":"0x6b2bb382","name":"\w+"/)
  })
})

describe("of a wallet", () => {
  it("that was changed since it was bound", async () => {
    const own = await wallet()
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "addOwnerWithThreshold",
      args: ["0x00000000000000000000000000000000000abcde", 2n]
    })
    await rpc(chain.url, "anvil_impersonateAccount", [own.wallet.address])
    const receipt = await rpc(chain.url, "eth_sendTransactionSync", [
      { from: own.wallet.address, to: own.wallet.address, data, gas: "0x100000" }
    ])
    assert.strictEqual(receipt.status, "0x1")
    await refused(own, "SMART_ACCOUNT_CHANGED")
  })
})

describe("by a service", () => {
  it("without bundlers, or without one of the chain", async () => {
    await refusedWith({ userOperations: { ...testSettings().userOperations } }, "USER_OPERATIONS_UNAVAILABLE")
    const elsewhere = [{ chainId: 1, urls: [Redacted.make(bundling.url)] }]
    const context = await refusedWith(operating({ bundlers: elsewhere }), "USER_OPERATION_CHAIN_UNAVAILABLE")
    assert.deepStrictEqual(context, { chainId: CHAIN_ID })
  })

  it("that allows less gas, fee or cost", async () => {
    const { plans, userOperations } = testSettings()
    const maximumGas = { ...userOperations.maximumGas, verification: 1_000n }
    const gas = await refusedWith(operating({ maximumGas }), "USER_OPERATION_GAS_BOUND")
    assert.deepInclude(gas, { kind: "verification", maximum: "1000" })
    const fee = { ...operating(), plans: { ...plans, maximumFeePerGas: 1n } }
    assert.deepInclude(await refusedWith(fee, "USER_OPERATION_FEE_BOUND"), { maximum: "1" })
    const cost = { ...operating(), plans: { ...plans, maximumTransactionCost: 1_000n } }
    assert.deepInclude(await refusedWith(cost, "USER_OPERATION_COST_BOUND"), { maximum: "1000" })
  })
})

const GAS = { callGasLimit: "0x30d40", verificationGasLimit: "0x30d40", preVerificationGas: "0x30d40" }
const INVALID = "BUNDLER_INVALID_RESPONSE"

const estimates = (over: object) => answers(ESTIMATE, { ...GAS, ...over })
const bids = (maxFeePerGas: string) =>
  answers(FEES, { standard: { maxFeePerGas, maxPriorityFeePerGas: "0x1" } })
/** Twice, for what may be for want of funds is asked about again. */
const errs = (code: number, message: string): ProxyFault => ({
  ...{ method: ESTIMATE, phase: "before", times: 2 },
  act: { kind: "error", code, message }
})

describe("a bundler's answer", () => {
  it.each([
    ["an estimate of nothing", estimates({ callGasLimit: "0x0" }), INVALID],
    ["of 2^128", estimates({ verificationGasLimit: `0x1${"0".repeat(32)}` }), INVALID],
    ["of a fraction", estimates({ preVerificationGas: 1.5 }), INVALID],
    ["of a decimal", estimates({ preVerificationGas: "50000" }), INVALID],
    ["of no gas at all", answers(ESTIMATE, null), INVALID],
    ["a fee of 10^30", bids(`0x${(10n ** 30n).toString(16)}`), "USER_OPERATION_FEE_BOUND"],
    ["another's error", errs(-32_603, "no"), "BUNDLER_UNAVAILABLE"],
    ["a code of the entry point's", errs(-32_500, "AA23 reverted"), "USER_OPERATION_REFUSED"],
    ["no code, of calls that come through", errs(-32_502, "a banned opcode"), "USER_OPERATION_REFUSED"]
  ] satisfies ReadonlyArray<readonly [string, ProxyFault, string]>)("%s", async (_, fault, code) => {
    const own = await wallet()
    bundling.fault(fault)
    await refused(own, code)
    bundling.clearFaults()
  })

  it("names the entry point's code and nothing else of an error", async () => {
    const own = await wallet()
    const message = "AA24 signature error <script>"
    bundling.fault({ method: ESTIMATE, phase: "before", act: { kind: "error", code: -32_507, message } })
    assert.deepStrictEqual(await refused(own, "USER_OPERATION_REFUSED"), { reason: "AA24", revert: "0x" })
  })

  it("is read where it writes whole bytes, or upper-case digits", async () => {
    bundling.fault(estimates({ callGasLimit: "0x030d4f", preVerificationGas: "0x030D4F" }))
    const answer = await asked(await wallet())
    const { operation } = await answer.json()
    assert.deepStrictEqual([answer.status, operation.preVerificationGas], [201, "0x30d4f"])
  })

  it("of another chain or entry point makes it none of ours", async () => {
    const replica = await bench.replica(operating())
    const own = await wallet()
    bundling.fault(answers("eth_chainId", "0x1"))
    assert.deepInclude(await refused(own, "BUNDLER_INVALID_RESPONSE", replica), { check: "chain" })
    bundling.fault(answers("eth_supportedEntryPoints", [own.wallet.address]))
    assert.deepInclude(await refused(own, "BUNDLER_INVALID_RESPONSE", replica), { check: "entry-point" })
    assert.strictEqual((await asked(own, replica)).status, 201)
    await replica.stop()
  })

  it("is asked of the next where one is not there", async () => {
    const urls = [Redacted.make("http://127.0.0.1:9"), Redacted.make(bundling.url)]
    const replica = await bench.replica(operating({ bundlers: [{ chainId: CHAIN_ID, urls }] }))
    assert.strictEqual((await asked(await wallet(), replica)).status, 201)
    await replica.stop()
  })
})

const OTHER = "0x00000000000000000000000000000000000abcde"

describe("a paymaster's answer", () => {
  const stubbed = async (own: Planned) => {
    paying.fault(answers(STUB, { paymaster: OTHER, paymasterData: "0x" }))
    return refused(own, "PAYMASTER_CHANGED", sponsoring)
  }

  it("of an address that no manifest pins", async () => {
    assert.deepStrictEqual(await stubbed(await wallet()), { check: "pin" })
  })

  it.each([
    ["another address", (last: object) => ({ ...last, paymaster: OTHER }), "address"],
    [
      "other gas, again and again",
      (last: object, count: number) => ({
        ...last,
        paymasterPostOpGasLimit: `0x${(count + 9).toString(16)}`
      }),
      "gas"
    ],
    [
      "longer data, again and again",
      (last: object, count: number) => ({ ...last, paymasterData: `0x${"00".repeat(80 + count)}` }),
      "length"
    ]
  ])("%s at last", async (_, changed, check) => {
    let count = 0
    paying.fault({
      method: DATA,
      phase: "after",
      times: 9,
      act: { kind: "rewrite", rewrite: (_, result) => changed(Object(result), ++count) }
    })
    assert.deepStrictEqual(await refused(await wallet(), "PAYMASTER_CHANGED", sponsoring), { check })
    assert.strictEqual(count, check === "address" ? 1 : 4)
    paying.clearFaults()
  })

  it("once other gas, is asked about anew", async () => {
    paying.fault({
      method: DATA,
      phase: "after",
      act: {
        kind: "rewrite",
        rewrite: (_, result) => ({ ...Object(result), paymasterPostOpGasLimit: "0x9" })
      }
    })
    const answer = await asked(await wallet(), sponsoring)
    const { operation } = await answer.json()
    assert.deepStrictEqual([answer.status, operation.paymasterPostOpGasLimit], [201, "0x9"])
  })

  it("of no, or none at all", async () => {
    paying.fault({ method: STUB, phase: "before", act: { kind: "error", code: -32_001, message: "no" } })
    assert.deepStrictEqual(await refused(await wallet(), "PAYMASTER_REFUSED", sponsoring), {
      rpcCode: -32_001
    })
    paying.fault(answers(DATA, { paymaster: 5 }))
    await refused(await wallet(), "PAYMASTER_UNAVAILABLE", sponsoring)
  })

  it.each([-32_603, -32_005])("of an error of its own, %i", async code => {
    paying.fault({ method: STUB, phase: "before", act: { kind: "error", code, message: "no" } })
    const context = await refused(await wallet(), "PAYMASTER_UNAVAILABLE", sponsoring)
    assert.deepStrictEqual(context, { rpcCode: code })
  })
})
