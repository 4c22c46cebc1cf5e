/** Plans for wallets that are bound to an account: what they name, and what refuses them, over HTTP and the real contracts. */
import { createHash } from "node:crypto"
import { encodeFunctionData } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { committedText } from "../../src/plans/CommittedText.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { askSponsorship, sponsoring } from "../sponsorship/support/Sponsored.ts"
import { newBot } from "../support/Bots.ts"
import { callOf, contractCalls, payment, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import type { RunningService } from "../support/Service.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { submit } from "../support/Submissions.ts"
import { askWalletPlan, bind, bound, prepareBinding, shown, unlink, walletPlan } from "./support/Bindings.ts"
import { changed, controlAbi, manifest, ownersDo, withCode } from "./support/Inspections.ts"
import { startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet, type Wallet } from "./support/Wallets.ts"

let bench: WalletBench
let wallet: Wallet
let id: string
let salt = 60_000n

const ownershipOnly = changed({ id: "ownership-only", mode: "ownership-only" })

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })
const newWallet = () => createWallet(sandbox(), { saltNonce: ++salt })

beforeAll(async () => {
  bench = await startWalletBench([manifest, ownershipOnly], { sponsorship: sponsoring() })
  wallet = await newWallet()
  id = (await bound(bench, wallet)).id
})
afterAll(() => bench.stop())

const calls = (over: Readonly<Record<string, unknown>> = {}, account: string = wallet.address) => ({
  operation: "contract_calls",
  input: { account, calls: [payment(bench, account, over)] }
})

const pay = (account: string = wallet.address) => ({
  operation: "prepare_pay",
  input: {
    project: { chainId: 31_337, projectId: "2" },
    account,
    beneficiary: account,
    token: NATIVE_TOKEN,
    amount: "1000"
  }
})

const ask = (body: unknown, party?: Party) => askWalletPlan(bench, id, body, party)

const commitmentOf = (plan: Plan): string => {
  const { accountId } = bench.owner
  const text = committedText(plan, { accountId, principalId: `owner:${accountId}` })
  return `0x${createHash("sha256").update(text).digest("hex")}`
}

describe("a plan for a wallet", () => {
  it.each([
    ["of a caller's calls", calls],
    ["of an operation", pay]
  ])("%s names the wallet and the state that it is in, and commits to both", async (_, body) => {
    const answer = await ask(body())
    const plan: Plan = await answer.json()
    assert.strictEqual(answer.status, 201, JSON.stringify(plan))
    assert.equal(answer.headers.get("location"), `/api/v1/plans/${plan.id}`)
    assert.equal(plan.account, wallet.address)
    const { stateHash } = await (await shown(bench, id)).json()
    assert.deepEqual(plan.smartAccount, {
      bindingId: `0x${id.slice(2)}`,
      stateHash,
      chainId: 31_337,
      address: wallet.address,
      manifestId: manifest.id,
      manifestRevision: manifest.revision
    })
    assert.equal(plan.commitment, commitmentOf(plan))
    const { smartAccount: _smart, ...without } = plan
    assert.notEqual(plan.commitment, commitmentOf(without))
  })

  it("is shown and listed as it was prepared, also by the wallet's address", async () => {
    const plan = await walletPlan(bench, id, pay())
    const get = async (target: string) =>
      (await signedFetch(bench.service, bench.owner, "GET", target)).json()
    assert.deepEqual(await get(`/api/v1/plans/${plan.id}`), plan)
    const { items } = await get(`/api/v1/plans?account=${wallet.address}&limit=1`)
    assert.deepEqual(items, [plan])
  })

  it("is stored once for its key, and told again although the wallet is linked no more", async () => {
    const other = await newWallet()
    const { id: otherId } = await bound(bench, other)
    const idempotencyKey = freshNonce()
    const asking = (body: unknown) => askWalletPlan(bench, otherId, body, bench.owner, { idempotencyKey })
    const plan = await (await asking(pay(other.address))).json()
    await unlink(bench, otherId)
    const before = bench.proxy.roundTrips()
    const again = await asking(pay(other.address))
    assert.equal(again.headers.get("idempotent-replayed"), "true")
    assert.deepEqual(await again.json(), plan)
    assert.equal(bench.proxy.roundTrips(), before)
    await assertProblem(await asking(calls({}, other.address)), "IDEMPOTENCY_CONFLICT")
    await assertProblem(await askWalletPlan(bench, otherId, pay(other.address)), "BINDING_NOT_FOUND")
  })

  it("is prepared by a bot that may plan, and is that bot's", async () => {
    const bot = await newBot(bench.service, bench.owner, { scopes: ["read", "plan"] })
    const reader = await newBot(bench.service, bench.owner)
    const plan: Plan = await (await ask(pay(), bot)).json()
    const text = committedText(plan, { accountId: bot.accountId, principalId: `bot:${bot.grantId}` })
    assert.equal(plan.commitment, `0x${createHash("sha256").update(text).digest("hex")}`)
    await assertProblem(await ask(pay(), reader), "FORBIDDEN")
  })

  it("is of a wallet that is only bound, too", async () => {
    const other = await newWallet()
    const { body } = await prepareBinding(bench, other, { manifestId: ownershipOnly.id })
    const binding = await (await bind(bench, body)).json()
    const plan = await walletPlan(bench, binding.id, pay(other.address))
    assert.equal(plan.smartAccount?.manifestId, ownershipOnly.id)
  })

  it("is archived with its member", async () => {
    const plan = await walletPlan(bench, id, pay())
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT terms FROM plans WHERE id = $1", [plan.id])
    assert.deepEqual(Object(row?.terms).smartAccount, plan.smartAccount)
  })

  it.each([
    ["of calls", calls, contractCalls],
    ["of an operation", pay, undefined]
  ])("%s takes one round trip more than one for the owner's own wallet", async (_, body, own) => {
    const owns =
      own === undefined ? pay(bench.owner.key.address) : own(bench.owner, [payment(bench, wallet.address)])
    await sandbox().client.setBalance({ address: bench.owner.key.address, value: 10n ** 20n })
    const spent = async (work: (service: RunningService) => Promise<Response>) => {
      const replica = await bench.replica()
      try {
        await signedFetch(replica, bench.owner, "GET", "/api/v1/smart-accounts/capabilities")
        const before = bench.proxy.roundTrips()
        const answer = await work(replica)
        assert.equal(answer.status, 201, await answer.text())
        return bench.proxy.roundTrips() - before
      } finally {
        await replica.stop()
      }
    }
    const ofOwner = await spent(service => requestPlan(service, bench.owner, owns))
    const ofWallet = await spent(service => askWalletPlan({ ...bench, service }, id, body()))
    assert.isAtMost(ofWallet, ofOwner + 1)
  })
})

describe("a plan for a wallet is refused", () => {
  it.each([
    ["a caller's calls", () => calls({}, bench.owner.key.address)],
    ["an operation", () => pay(bench.owner.key.address)]
  ])("where the input of %s is for another account", async (_, body) => {
    const { context } = await assertProblem(await ask(body()), "PLAN_ACCOUNT_MISMATCH")
    assert.deepEqual(context, { wallet: wallet.address })
  })

  it("where a call is on another chain", async () => {
    const own = payment(bench, wallet.address)
    const mixed = {
      operation: "contract_calls",
      input: { account: wallet.address, calls: [own, { ...own, chainId: 1 }] }
    }
    const { context } = await assertProblem(await ask(mixed), "CALL_CHAIN_MISMATCH")
    assert.deepEqual(context, { call: 1, chainId: 1, wallet: 31_337 })
    const { operation, input } = pay()
    const elsewhere = { operation, input: { ...input, project: { chainId: 1, projectId: "2" } } }
    await assertProblem(await ask(elsewhere), "CALL_CHAIN_MISMATCH")
  })

  it("of a binding that is not there, or another account's", async () => {
    await assertProblem(await askWalletPlan(bench, freshNonce(), pay()), "BINDING_NOT_FOUND")
    const other = newOwner()
    await signedFetch(bench.service, other, "POST", "/api/v1/accounts/enroll", { body: {} })
    await assertProblem(await ask(pay(), other), "BINDING_NOT_FOUND")
  })

  it("once the wallet is not as it was bound, or fails a check", async () => {
    const other = await newWallet()
    const { id: otherId } = await bound(bench, other)
    const asking = () => askWalletPlan(bench, otherId, pay(other.address))
    const answer = await withCode(sandbox(), manifest.pins.adapter.address, "0x00", asking)
    assert.deepEqual((await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")).context, {
      check: "pin:adapter"
    })
    assert.equal((await asking()).status, 201)
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "addOwnerWithThreshold",
      args: [newOwner().key.address, 2n]
    })
    await ownersDo(sandbox(), other, data)
    await assertProblem(await asking(), "SMART_ACCOUNT_CHANGED")
  })

  it("for the same as any other plan", async () => {
    await assertProblem(await ask({ operation: "prepare_nothing", input: {} }), "INVALID_INPUT")
    await assertProblem(await ask({ ...calls(), more: 1 }), "INVALID_INPUT")
    const { operation, input } = pay()
    const { context } = await assertProblem(
      await ask({ operation, input: { ...input, amount: 1 } }),
      "INVALID_INPUT"
    )
    assert.equal(context?.path, "input.amount")
    const poor = { operation, input: { ...input, amount: (10n ** 24n).toString() } }
    await assertProblem(await ask(poor), "INSUFFICIENT_BALANCE")
    const unkeyed = await askWalletPlan(bench, id, pay(), bench.owner, { idempotencyKey: "" })
    await assertProblem(unkeyed, "IDEMPOTENCY_REQUIRED")
  })

  it("by the owner's own route, where no wallet but the owner's is planned for", async () => {
    await assertProblem(await requestPlan(bench.service, bench.owner, calls()), "PLAN_ACCOUNT_MISMATCH")
    await assertProblem(await requestPlan(bench.service, bench.owner, pay()), "PLAN_ACCOUNT_MISMATCH")
  })
})

describe("a wallet's plan leaves neither", () => {
  it("as a transaction of the owner's, and says which way to go", async () => {
    const plan = await walletPlan(bench, id, calls())
    await sandbox().client.setBalance({ address: bench.owner.key.address, value: 10n ** 20n })
    const rawSignedTransaction = await signCall(bench, bench.owner, callOf(plan))
    const refused = await submit(bench.service, bench.owner, plan, { rawSignedTransaction })
    const { detail, context } = await assertProblem(refused, "SIGNED_PLAN_MISMATCH")
    assert.include(detail, "/api/v1/user-operations")
    assert.deepEqual(context, { members: ["sender"], wallet: wallet.address })
    assert.isEmpty(bench.proxy.sent())
  })

  it("nor by a forwarder, and says which way to go", async () => {
    const { id: planId } = await walletPlan(bench, id, calls())
    const refused = await askSponsorship(bench.service, bench.owner, { planId })
    const { detail, context } = await assertProblem(refused, "PLAN_ACCOUNT_MISMATCH")
    assert.include(detail, "/api/v1/user-operations")
    assert.deepEqual(context, { wallet: wallet.address })
  })
})
