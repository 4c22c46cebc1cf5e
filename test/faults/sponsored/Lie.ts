/** A sponsorship whose provider lies once, from its publication to what its chain has of it. */
import { assert } from "vitest"
import { LIES, type Lie, type Path } from "../../../sandbox/provider/Faults.ts"
import type { Send } from "../../../sandbox/provider/Sends.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { arm, disarm } from "../../provider/support/Provider.ts"
import { askPublication } from "../../sponsorship/support/Signing.ts"
import { problemIn } from "../../support/Problem.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { until } from "../../support/Until.ts"
import type { Chance } from "../crash/Chance.ts"
import { honestPrice, isSettled } from "./Bundles.ts"
import { payFor } from "./Funder.ts"
import { bundleOf, lookAt, publicationsOf, type Ready, readyToPublish, type SponsoredStand } from "./Stand.ts"

export interface LieCase {
  readonly path: Path
  readonly lie: Lie
}

const casesOf = (path: Path): ReadonlyArray<LieCase> => LIES[path].map(lie => ({ path, lie }))

export const LIE_CASES: ReadonlyArray<LieCase> = [...casesOf("publication"), ...casesOf("bundle")]

/** Longer than the service waits for an answer while its clock is hurried. */
export const PACE = 10
const LATE_MILLIS = 6_000

/** From the next look on, until they are disarmed. */
const LOOKS = 1_000

const PAID = 0.8
const LARGEST_FUNDING = 10n ** 18n

const publishes = [
  "submitting",
  "submission_unknown",
  "quote_unverified",
  "funding_quote_available",
  "executing"
]
const DONE = ["completed", "execution_verified"]

const post = async ({ bench }: SponsoredStand, { owner, sponsorship, signatures }: Ready) => {
  const answer = await askPublication(bench.service, owner, sponsorship, { signatures })
  if (answer.status !== 202) assert.fail(JSON.stringify(await problemIn(answer)))
}

/** E12: what is shown to be paid is this bundle's, at the contract where the provider is paid. */
const assertPayable = (stand: SponsoredStand, ready: Ready, told: Sponsorship) => {
  const bundle = bundleOf(stand, ready)
  const shown: ReadonlyArray<{ to: string; data: string; value: string }> = told.quote?.payments ?? []
  for (const { to, data, value } of shown) {
    assert.isDefined(bundle)
    if (bundle === undefined) return
    const [honest] = honestPrice(bundle, stand.lying.payments).payment_info
    assert.strictEqual(to, honest?.target)
    assert.strictEqual(data, honest?.calldata)
    assert.isTrue(BigInt(value) > 0n && BigInt(value) <= LARGEST_FUNDING, value)
  }
}

const look = async (stand: SponsoredStand, ready: Ready): Promise<Sponsorship> => {
  const told = await lookAt(stand, ready)
  assertPayable(stand, ready, told)
  assert.include([...publishes, ...DONE, "failed", "lapsed", "quote_expired"], told.state)
  assert.isAtMost(publicationsOf(stand, ready).length, 1)
  return told
}

/** Whoever knows the price pays it, and the provider does what it does; whether somebody paid. */
const executed = async (stand: SponsoredStand, ready: Ready, chance: Chance): Promise<boolean> => {
  const bundle = bundleOf(stand, ready)
  if (bundle === undefined || !chance.happens(PAID)) return false
  await payFor(stand.bench.chain.url, honestPrice(bundle, stand.lying.payments))
  await until(
    async () => bundleOf(stand, ready),
    kept => kept !== undefined && (isSettled(kept) || kept.conduct === "executes-reorged")
  )
  return true
}

const isGone = async (url: string, { hash }: Send): Promise<boolean> =>
  hash !== undefined && (await rpc(url, "eth_getTransactionReceipt", [hash])) === null

/** What came behind the blocks that a provider takes back goes with them: the next one begins after that. */
const takenBack = (stand: SponsoredStand, ready: Ready) =>
  until(
    async () => {
      const bundle = bundleOf(stand, ready)
      if (bundle === undefined || bundle.conduct !== "executes-reorged") return true
      const gone = await Promise.all(bundle.sends.map(send => isGone(stand.bench.chain.url, send)))
      return isSettled(bundle) && gone.every(Boolean)
    },
    is => is
  )

export const runLie = async (
  stand: SponsoredStand,
  { path, lie }: LieCase,
  chance: Chance
): Promise<Ready> => {
  const ready = await readyToPublish(stand, { calls: 1 + chance.below(2) })
  const times = path === "bundle" ? LOOKS : 1
  const isEarly = path === "publication" || chance.happens(0.5)
  const telling = () => arm(stand.lying, { lie, path, times, millis: LATE_MILLIS })
  if (isEarly) await telling()
  await post(stand, ready)
  await look(stand, ready)
  if (!isEarly) await telling()
  await look(stand, ready)
  if (lie === "code-replaced") await disarm(stand.lying)
  const isPaid = await executed(stand, ready, chance)
  await mine(stand.bench)
  await look(stand, ready)
  await disarm(stand.lying)
  if (isPaid) await takenBack(stand, ready)
  return ready
}
