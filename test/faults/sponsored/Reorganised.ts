/** A published request whose execution a reorganisation takes away, puts elsewhere, or has happen in another shape. */
import { toHex } from "viem"
import { assert } from "vitest"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { askPublication } from "../../sponsorship/support/Signing.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { until } from "../../support/Until.ts"
import type { Chance } from "../crash/Chance.ts"
import { endsOf, isExecuted } from "./Ends.ts"
import { type Executed, slotOf } from "./Executions.ts"
import { payFor } from "./Funder.ts"
import { carry, carrying, SHAPES, type Shape } from "./Shapes.ts"
import {
  executionsOf,
  lookAt,
  publicationsOf,
  type Ready,
  readyToPublish,
  type SponsoredStand
} from "./Stand.ts"

export const CONFIRMATIONS = 2
const PROVIDED = 0.3

export type ReorgKind = "gone" | "again" | "in another shape"

interface Truth {
  readonly executed: Executed | undefined
  readonly confirmations: number
}

const truthOf = async (stand: SponsoredStand, { sponsorship }: Ready): Promise<Truth> => {
  const { url } = stand.bench.chain
  const [first] = sponsorship.authorizations
  const slot = slotOf(first?.message.from ?? "", first?.message.nonce ?? "")
  const executed = (await executionsOf(stand)).get(slot)?.at(-1)
  if (executed === undefined) return { executed, confirmations: 0 }
  const receipt = await rpc(url, "eth_getTransactionReceipt", [executed.hash])
  const head = Number(await rpc(url, "eth_blockNumber", []))
  return { executed, confirmations: head - Number(receipt?.blockNumber) + 1 }
}

/** The look that finds an execution gone, or failing now, leaves it to the next to find another. */
export type Moment = "anytime" | "just reorganised"

const assertTold = (
  { observations, state }: Sponsorship,
  { executed, confirmations }: Truth,
  moment: Moment
) => {
  const [told] = observations
  if (executed === undefined) {
    assert.notInclude(["completed", "execution_verified", "executing", "failed"], state)
    assert.notInclude(["confirming", "confirmed"], told?.state)
    return
  }
  if (moment === "just reorganised" && told?.hash !== executed.hash) {
    assert.include(["reorged", "confirming", "reverted"], told?.state)
    return
  }
  assert.strictEqual(told?.state, confirmations < CONFIRMATIONS ? "confirming" : "confirmed")
  assert.strictEqual(told?.hash, executed.hash)
}

/** What is told is so; what the chain did while it was looked at is looked at again. */
const look = async (stand: SponsoredStand, ready: Ready, moment: Moment = "anytime"): Promise<void> => {
  for (;;) {
    const before = await truthOf(stand, ready)
    const told = await lookAt(stand, ready)
    const after = await truthOf(stand, ready)
    if (JSON.stringify(before) !== JSON.stringify(after)) continue
    assertTold(told, after, moment)
    assert.isAtMost(publicationsOf(stand, ready).length, 1)
    return
  }
}

export const begin = async (stand: SponsoredStand, depth: number): Promise<Ready> => {
  const ready = await readyToPublish(stand, { blocks: depth + 2 })
  const { owner, sponsorship, signatures } = ready
  const answer = await askPublication(stand.bench.service, owner, sponsorship, { signatures })
  assert.strictEqual(answer.status, 202)
  return ready
}

/** By the provider, who is paid and may well do it again, or by anybody. */
const execute = async (stand: SponsoredStand, ready: Ready, shape: Shape, chance: Chance) => {
  const { answer } = publicationsOf(stand, ready)[0] ?? {}
  if (answer !== undefined && chance.happens(PROVIDED)) await payFor(stand.bench.chain.url, answer)
  else await carry(stand.bench.chain.url, ready, shape)
  await until(
    () => executionsOf(stand),
    executions => isExecuted(executions, ready.sponsorship)
  )
}

const reorganise = async (
  { bench }: SponsoredStand,
  ready: Ready,
  { depth, shape }: { readonly depth: number; readonly shape: Shape },
  chance: Chance
): Promise<ReorgKind> => {
  const { url } = bench.chain
  const back = chance.pick<ReorgKind>(["gone", "again", "in another shape", "in another shape"])
  const others = SHAPES.filter(other => other !== shape)
  const into = back === "again" ? shape : (others[chance.below(others.length)] ?? shape)
  const pairs = back === "gone" ? [] : [[carrying(ready, into), chance.below(depth)]]
  await rpc(url, "anvil_reorg", [depth, pairs])
  return back
}

/** Executed at last, or not: whatever it is, it is told. */
const finish = async (stand: SponsoredStand, ready: Ready, chance: Chance) => {
  const isThere = isExecuted(await executionsOf(stand), ready.sponsorship)
  if (!isThere && chance.happens(0.8)) {
    await carry(stand.bench.chain.url, ready, chance.pick(SHAPES))
    await mine(stand.bench)
    await look(stand, ready)
  }
}

export const runSponsoredReorg = async (
  stand: SponsoredStand,
  depth: number,
  chance: Chance
): Promise<{ readonly kind: ReorgKind; readonly ready: Ready }> => {
  const ready = await begin(stand, depth)
  const shape = chance.pick(SHAPES)
  await look(stand, ready)
  await execute(stand, ready, shape, chance)
  await rpc(stand.bench.chain.url, "anvil_mine", [toHex(chance.below(depth))])
  await look(stand, ready)
  const kind = await reorganise(stand, ready, { depth, shape }, chance)
  await look(stand, ready, "just reorganised")
  await mine(stand.bench, 1 + chance.below(3))
  await look(stand, ready)
  await finish(stand, ready, chance)
  return { kind, ready }
}

/** Once its time is over. */
export const assertEnded = async (stand: SponsoredStand, ready: Ready): Promise<void> => {
  const ends: ReadonlyArray<string> = endsOf(await executionsOf(stand), ready.sponsorship)
  await until(
    () => lookAt(stand, ready),
    ({ state }) => ends.includes(state)
  )
}
