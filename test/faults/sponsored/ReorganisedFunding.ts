/** The owner's payment for a bundle, which a reorganisation takes away or puts elsewhere, alone or with the executions that it brought. */
import { type Hex, toHex } from "viem"
import { assert } from "vitest"
import type { Plan, StepState } from "../../../src/plans/Plan.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { arm } from "../../provider/support/Provider.ts"
import { callOf } from "../../support/PlannedCalls.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { hashOf, signCall } from "../../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../../support/SignedFetch.ts"
import { submit } from "../../support/Submissions.ts"
import { until } from "../../support/Until.ts"
import type { Chance } from "../crash/Chance.ts"
import { begin, CONFIRMATIONS, type Moment } from "./Reorganised.ts"
import { lookAt, type Ready, type SponsoredStand } from "./Stand.ts"

const NEVER_EXECUTED = 0.5

export type FundingReorgKind = "payment gone" | "payment again"

interface Paid extends Ready {
  readonly plan: Plan
  readonly raw: Hex
}

const chainOf = ({ bench }: SponsoredStand): string => bench.chain.url

/** Zero where the payment is not there. */
const confirmationsOf = async (stand: SponsoredStand, { raw }: Paid): Promise<number> => {
  const receipt = await rpc(chainOf(stand), "eth_getTransactionReceipt", [hashOf(raw)])
  const head = Number(await rpc(chainOf(stand), "eth_blockNumber", []))
  return receipt === null ? 0 : head - Number(receipt.blockNumber) + 1
}

const assertTold = ({ funding }: Sponsorship, plan: Plan, confirmations: number, moment: Moment): void => {
  const state: StepState | undefined = funding?.state
  assert.strictEqual(funding?.planId, plan.id)
  if (confirmations === 0) assert.notInclude(["confirming", "confirmed"], state)
  else if (moment === "anytime" || state !== "reorged")
    assert.strictEqual(state, confirmations < CONFIRMATIONS ? "confirming" : "confirmed")
}

/** Of a payment that another one cannot take the place of, whatever its chain does. */
const look = async (stand: SponsoredStand, paid: Paid, moment: Moment = "anytime"): Promise<void> => {
  for (;;) {
    const before = await confirmationsOf(stand, paid)
    const told = await lookAt(stand, paid)
    const after = await confirmationsOf(stand, paid)
    if (before !== after) continue
    assertTold(told, paid.plan, after, moment)
    const again = await askFunding(stand, paid)
    assert.include([409, 422], again.status)
    return
  }
}

const askFunding = ({ bench }: SponsoredStand, { owner, sponsorship }: Ready) =>
  signedFetch(bench.service, owner, "POST", `/api/v1/sponsorships/${sponsorship.id}/funding-plans`, {
    body: { chainId: 31337, payer: owner.key.address },
    idempotencyKey: freshNonce()
  })

const pay = async (stand: SponsoredStand, ready: Ready): Promise<Paid> => {
  await until(
    () => lookAt(stand, ready),
    ({ state }) => state === "funding_quote_available"
  )
  const answer = await askFunding(stand, ready)
  assert.strictEqual(answer.status, 201, await answer.clone().text())
  const plan: Plan = await answer.json()
  const raw = await signCall(stand.bench, ready.owner, callOf(plan))
  const sent = await submit(stand.bench.service, ready.owner, plan, { rawSignedTransaction: raw })
  assert.strictEqual(sent.status, 202, await sent.clone().text())
  const paid = { ...ready, plan, raw }
  await until(
    () => confirmationsOf(stand, paid),
    confirmations => confirmations > 0
  )
  return paid
}

/** Whoever has the bytes may send them again; nothing else pays. */
const payAgain = async (stand: SponsoredStand, paid: Paid): Promise<void> => {
  await rpc(chainOf(stand), "eth_sendRawTransaction", [paid.raw])
  await until(
    () => confirmationsOf(stand, paid),
    confirmations => confirmations > 0
  )
  await mine(stand.bench, CONFIRMATIONS)
  await look(stand, paid)
}

export const runFundingReorg = async (
  stand: SponsoredStand,
  depth: number,
  chance: Chance
): Promise<{ readonly kind: FundingReorgKind; readonly ready: Ready }> => {
  if (chance.happens(NEVER_EXECUTED)) await arm(stand.lying, { lie: "executes-never", path: "publication" })
  const ready = await begin(stand, depth)
  const paid = await pay(stand, ready)
  await look(stand, paid)
  await rpc(chainOf(stand), "anvil_mine", [toHex(chance.below(depth))])
  await look(stand, paid)
  const kind = chance.pick<FundingReorgKind>(["payment gone", "payment again"])
  const blocks = await confirmationsOf(stand, paid)
  const pairs = kind === "payment gone" ? [] : [[paid.raw, chance.below(blocks)]]
  await rpc(chainOf(stand), "anvil_reorg", [blocks, pairs])
  await look(stand, paid, "just reorganised")
  await mine(stand.bench, 1 + chance.below(3))
  await look(stand, paid)
  if ((await confirmationsOf(stand, paid)) === 0) await payAgain(stand, paid)
  return { kind, ready }
}
