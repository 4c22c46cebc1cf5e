/** Who follows a record's next action to the letter, and knows nothing else, comes to the end of its way: the owner, or a bot whose wallet's owners sign. */
import type { PrivateKeyAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { payment } from "../support/PlannedCalls.ts"
import { mine, newRelayBot } from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import {
  type BoundTestWallet,
  bindWallet,
  boundWallet,
  preparedOperation,
  type ShownOperation,
  sendOperation,
  shownOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"
import { signedBy } from "./support/Signed.ts"
import { addOwner } from "./support/WalletChanges.ts"

const bench = await startOperatingBench()
const { service, chain } = bench

afterAll(() => bench.stop())

const MOST_STEPS = 400

interface Following {
  readonly bound: BoundTestWallet
  /** Who asks for everything, and sees its own alone. */
  readonly by: Party
  /** Before the signed operation is sent. */
  readonly meanwhile?: (operation: ShownOperation) => Promise<void>
}

/** As the owners see what they sign in the record. */
const signedIn = ({ signing }: ShownOperation, owners: ReadonlyArray<PrivateKeyAccount>) =>
  signedBy(signing.digest, signing, owners.slice(0, signing.threshold))

const sends = async ({ bound, by }: Following, operation: ShownOperation) => {
  const answer = await sendOperation(service, by, operation, await signedIn(operation, bound.owners))
  const told: ShownOperation = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(told))
  return told
}

/** A new plan of what is left, where the record says that it takes one. */
const preparedAgain = async ({ bound, by }: Following, { planId, nextAction }: ShownOperation) => {
  const isOfItsPlan = nextAction.reason?.includes("from its plan") === true
  if (!isOfItsPlan) assert.include(nextAction.reason, "a new plan")
  return preparedOperation(service, by, isOfItsPlan ? { id: planId } : await walletPlan(bench, bound, { by }))
}

/** Each kind once for as long as it is told; the chain goes on while there is nothing but to wait. */
const follow = async (following: Following, first: ShownOperation) => {
  const kinds: Array<string> = []
  const all = [first]
  let told = first
  for (let step = 0; step < MOST_STEPS; step++) {
    const { kind, retryAfterMs } = told.nextAction
    if (kinds.at(-1) !== kind) kinds.push(kind)
    if (kind === "none") return { told, kinds, all }
    if (kind === "sign") {
      await following.meanwhile?.(told)
      told = await shownOperation(service, following.by, told)
      if (told.nextAction.kind === "sign") told = await sends(following, told)
    } else if (kind === "prepare-again") {
      told = await preparedAgain(following, told)
      all.push(told)
    } else {
      assert.strictEqual(kind, "wait")
      assert.isAbove(retryAfterMs ?? 0, 0)
      await mine(bench, 1)
      told = await shownOperation(service, following.by, told)
    }
  }
  return assert.fail(`no end: ${kinds} ${JSON.stringify(told)}`)
}

const isVerified = async (by: Party, { id }: ShownOperation) => {
  const { state, observation } = await shownOperation(service, by, { id })
  assert.deepStrictEqual([state, observation?.reason], ["confirmed", undefined])
}

const roles = [
  ["an owner", async ({ owner }: BoundTestWallet) => owner],
  ["a bot, whose wallet's owners sign", async ({ owner }: BoundTestWallet) => newRelayBot(bench, owner)]
] as const

describe.each(roles)("by %s", (_, partyOf) => {
  const following = async (): Promise<Following> => {
    const bound = await boundWallet(bench)
    return { bound, by: await partyOf(bound) }
  }

  it("an operation is signed, sent and waited for", async () => {
    const own = await following()
    const plan = await walletPlan(bench, own.bound, { by: own.by })
    const { told, kinds } = await follow(own, await preparedOperation(service, own.by, plan))
    assert.deepStrictEqual(kinds, ["sign", "wait", "none"])
    await isVerified(own.by, told)
    assert.strictEqual(timesSent(bench, told), 1)
  })

  it("one whose time was over before it was sent is prepared again from its plan", async () => {
    const own = await following()
    const plan = await walletPlan(bench, own.bound, { by: own.by })
    const late = await preparedOperation(service, own.by, plan)
    const meanwhile = async ({ id }: ShownOperation) => {
      if (id === late.id)
        await sqlOn(
          service.databaseUrl,
          "UPDATE user_operations SET expires_at = unix_millis() WHERE id = $1",
          [id]
        )
    }
    const { told, kinds, all } = await follow({ ...own, meanwhile }, late)
    assert.deepStrictEqual(kinds, ["sign", "prepare-again", "sign", "wait", "none"])
    assert.deepStrictEqual(
      all.map(({ planId }) => planId),
      [plan.id, plan.id]
    )
    await isVerified(own.by, told)
  })

  it("one whose wallet was bound in another state since is followed by one of a new plan", async () => {
    const own = await following()
    const { owner, owners, wallet } = own.bound
    const plan = await walletPlan(bench, own.bound, { by: own.by })
    const former = await preparedOperation(service, own.by, plan)
    const meanwhile = async ({ id }: ShownOperation) => {
      if (id !== former.id) return
      await addOwner(bench, own.bound)
      await bindWallet(service, owner, owners, wallet.address)
    }
    const { told, kinds } = await follow({ ...own, meanwhile }, former)
    assert.deepStrictEqual(kinds, ["sign", "prepare-again", "sign", "wait", "none"])
    assert.notStrictEqual(told.planId, plan.id)
    await isVerified(own.by, told)
    assert.strictEqual(timesSent(bench, told), 1)
  })

  it("one whose step left with another asks for nothing, and that one goes on", async () => {
    const own = await following()
    const plan = await walletPlan(bench, own.bound, { by: own.by })
    const [left, other] = [
      await preparedOperation(service, own.by, plan),
      await preparedOperation(service, own.by, plan)
    ]
    const sent = await sends(own, other)
    const { told, kinds } = await follow(own, left)
    assert.deepStrictEqual([kinds, told.state], [["sign", "none"], "prepared"])
    assert.include(told.nextAction.reason, "their plan says which")
    await isVerified(own.by, (await follow(own, sent)).told)
  })

  it("one whose calls failed for good is followed by one of a new plan", async () => {
    const own = await following()
    const { address } = own.bound.wallet
    const wei = String(5n * 10n ** 18n)
    const args = ["2", "0x000000000000000000000000000000000000EEEe", wei, address, "0", "", "0x"]
    const calls = [payment(bench, address, { args, value: wei })]
    const plan = await walletPlan(bench, own.bound, { by: own.by, calls })
    const failing = await preparedOperation(service, own.by, plan)
    const { reached, letGo } = holdAnswer(bench, "eth_simulateV1")
    const sending = sends(own, failing)
    await reached
    await rpc(chain.url, "anvil_setBalance", [address, `0x${(10n ** 18n).toString(16)}`])
    letGo()
    const { told, kinds, all } = await follow(own, await sending)
    assert.deepStrictEqual(kinds, ["wait", "prepare-again", "sign", "wait", "none"])
    assert.strictEqual((await shownOperation(service, own.by, failing)).state, "reverted")
    assert.strictEqual(new Set(all.map(({ planId }) => planId)).size, 2)
    await isVerified(own.by, told)
  })
})
