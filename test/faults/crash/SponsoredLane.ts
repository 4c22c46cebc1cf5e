/** Leads processes to their deaths while they prepare and publish sponsorships, each of a wallet of its own: a nonce of the forwarder that may have left is taken for long. */
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { payFor } from "../sponsored/Funder.ts"
import type { Plot } from "./Blows.ts"
import type { Chance } from "./Chance.ts"
import type { Replica } from "./Fleet.ts"
import type { Holds } from "./Holds.ts"
import type { Surroundings } from "./Party.ts"
import { EXECUTING_MOMENTS, type ProviderMoment, PUBLISHING_MOMENTS } from "./ProviderDeaths.ts"
import { newKey } from "./Speaker.ts"
import { newSponsor, publicationOf, type Signed, type Sponsor } from "./Sponsor.ts"
import { isCarriedOut } from "./SponsoredEnd.ts"
import { arm, strike } from "./Strike.ts"

const TWINS = 0.3
const BY_BOTS = 0.3
const REVOKED = 0.25
const PROVIDER_DIES = 0.15
const REVOKED_WITHIN_MILLIS = 60
const PAID = 0.7
const LOOKS = 20
const LOOK_MILLIS = 150

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

/** A sponsorship that a run has brought about. */
export interface Brought extends Signed {
  /** After a look at its chain. */
  readonly look: (to?: string) => Promise<Sponsorship>
  isPaid: boolean
}

export interface SponsoredStage {
  readonly around: Surroundings
  readonly chance: Chance
  readonly holds: Holds
  readonly brought: Array<Brought>
}

interface Deed {
  readonly victim: Replica
  readonly plot: Plot
}

const led = async (
  { around, chance, holds }: SponsoredStage,
  { victim, plot: { blow } }: Deed,
  request: () => Promise<unknown>,
  rival: () => Promise<unknown>
) => {
  await arm(victim, blow, (phase, millis) =>
    around.world.provider.fault({ phase, act: { kind: "delay", millis } })
  )
  const asking = request()
  await Promise.all([strike({ victim, blow, chance, holds, rival }, asking), asking])
}

/** Of the provider itself, now and then. */
const doomProvider = (
  { around, chance }: SponsoredStage,
  moments: readonly [ProviderMoment, ...Array<ProviderMoment>]
) => {
  if (chance.happens(PROVIDER_DIES)) around.world.mortal.doom(chance.pick(moments))
}

const published = async (stage: SponsoredStage, sponsor: Sponsor, signed: Signed, deed: Deed) => {
  const { chance } = stage
  const key = newKey()
  const otherKey = () => (chance.happens(0.5) ? key : newKey())
  const request = async () => {
    const twins = chance.happens(TWINS) ? [sponsor.publish(signed, otherKey())] : []
    const revocations = chance.happens(REVOKED)
      ? [sleep(chance.below(REVOKED_WITHIN_MILLIS)).then(sponsor.revoke)]
      : []
    await Promise.all([sponsor.publish(signed, key, deed.victim.url), ...twins, ...revocations])
  }
  doomProvider(stage, PUBLISHING_MOMENTS)
  await led(stage, deed, request, () => sponsor.publish(signed, otherKey()))
  await sponsor.seeToIt(signed, key)
}

/** Whoever was told the price may pay it; the service needs not have heard it. */
const pay = async (stage: SponsoredStage, brought: Brought) => {
  const { provider, chainUrl } = stage.around.world
  const { answer } = publicationOf(provider.publications(), brought) ?? {}
  if (answer === undefined) return
  doomProvider(stage, EXECUTING_MOMENTS)
  await payFor(chainUrl, answer)
  brought.isPaid = true
}

/** The local chain forgets its states soon, and what was executed is proved by the state of its block. */
const follow = async ({ around }: SponsoredStage, brought: Brought) => {
  if (!brought.isPaid || !(await isCarriedOut(around.world, brought))) return
  for (let looks = 0; looks < LOOKS && (await brought.look()).state === "executing"; looks++)
    await sleep(LOOK_MILLIS)
}

/** Paid and executed before anybody looks, so that it is the victim who finds it. */
const watched = async (stage: SponsoredStage, sponsor: Sponsor, brought: Brought, deed: Deed) => {
  await sponsor.seeToIt(brought, newKey())
  await pay(stage, brought)
  if (brought.isPaid) await isCarriedOut(stage.around.world, brought)
  const look = (to?: string) => sponsor.watch(brought.sponsorship, to)
  await led(stage, deed, () => look(deed.victim.url), look)
}

/** Whether what the provider asks for is proved in time; it never is where another's victim published it and died. */
const isPayable = async (sponsor: Sponsor, { sponsorship }: Brought): Promise<boolean> => {
  for (let looks = 0; looks < LOOKS; looks++) {
    if ((await sponsor.watch(sponsorship)).state === "funding_quote_available") return true
    await sleep(LOOK_MILLIS)
  }
  return false
}

/** Paid by the owner, with a plan of the service's own. */
const funded = async (stage: SponsoredStage, sponsor: Sponsor, brought: Brought, deed: Deed) => {
  const { party } = sponsor
  await sponsor.seeToIt(brought, newKey())
  if (!(await isPayable(sponsor, brought))) return
  const draft = sponsor.funding(brought.sponsorship)
  const ask = (to?: string) => party.create(party.self, draft, to)
  await led(stage, deed, () => ask(deed.victim.url), ask)
  const work = await party.sign(await ask(), 0, 0)
  for (const signed of work.candidates) await party.submit(work, signed, party.self)
  brought.isPaid = true
  await party.finish(work, party.self)
}

export const performSponsored = async (stage: SponsoredStage, deed: Deed): Promise<void> => {
  const { target } = deed.plot
  const isByBot = target !== "fund" && stage.chance.happens(BY_BOTS)
  const sponsor = await newSponsor(stage.around, isByBot ? "bot" : "owner")
  const plan = await sponsor.create()
  const key = newKey()
  const ask = () => sponsor.prepare(plan, key, deed.victim.url)
  if (target === "sponsor") await led(stage, deed, ask, () => sponsor.prepare(plan, key))
  const signed = await sponsor.prepare(plan, key)
  const brought = { ...signed, look: (to?: string) => sponsor.watch(signed.sponsorship, to), isPaid: false }
  stage.brought.push(brought)
  if (target === "fund") await funded(stage, sponsor, brought, deed)
  else if (target === "watch") await watched(stage, sponsor, brought, deed)
  else {
    if (target === "sponsor") await sponsor.seeToIt(signed, newKey())
    else await published(stage, sponsor, signed, deed)
    if (stage.chance.happens(PAID)) await pay(stage, brought)
  }
  await follow(stage, brought)
}
