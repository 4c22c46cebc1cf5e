/** A provider that is killed at each moment of its work comes back, and executes what was paid once. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { bundleIn, pay, post, publicationOf } from "../provider/support/Provider.ts"
import {
  type Forwarding,
  forwarderNonce,
  signedRequest,
  startForwarding
} from "../sandbox/support/Forwarding.ts"
import { holder } from "../sandbox/support/Sandbox.ts"
import { until } from "../support/Until.ts"
import {
  EXECUTING_MOMENTS,
  type ProviderMoment,
  PUBLISHING_MOMENTS,
  startMortalProvider
} from "./crash/ProviderDeaths.ts"

const world: Forwarding = await startForwarding()
const directory = await mkdtemp(join(tmpdir(), "mortal-"))
const mortal = await startMortalProvider(directory, world.sandbox.url)
const { proxy } = mortal

afterAll(async () => {
  await mortal.stop()
  await world.sandbox.stop()
  await rm(directory, { recursive: true })
})

beforeEach(() => mortal.spare())

const published = async () => {
  const body = publicationOf(world.forwarder, [await signedRequest(world, holder)])
  const answer = await post(`${proxy.url}/v1/bundle/prepaid`, body).catch(() => undefined)
  const { answer: told } = proxy.publications().at(-1) ?? {}
  return { isAnswered: answer?.status === 201, told }
}

const died = (moment: ProviderMoment) =>
  until(
    async () => mortal.deaths[moment] ?? 0,
    deaths => deaths === 1
  )

/** Its requests leave for the provider that came back. */
const executedOnce = async ({ told }: Awaited<ReturnType<typeof published>>, before: bigint) => {
  if (told === undefined) return assert.fail("nothing was kept")
  await mortal.spare()
  await bundleIn(proxy, told.bundle_uuid, ["Success"])
  assert.strictEqual(await forwarderNonce(world, holder), before + 1n)
}

describe("a provider that dies", () => {
  it.each(EXECUTING_MOMENTS)("while it executes (%s) has done so once when it is back", async moment => {
    const before = await forwarderNonce(world, holder)
    const made = await published()
    assert.isTrue(made.isAnswered)
    mortal.doom(moment)
    if (made.told !== undefined) await pay(world, made.told)
    await died(moment)
    await executedOnce(made, before)
  })

  it.each(PUBLISHING_MOMENTS)("while it is published to (%s) keeps all of it or nothing", async moment => {
    const before = await forwarderNonce(world, holder)
    mortal.doom(moment)
    const made = await published()
    await died(moment)
    assert.strictEqual(made.told !== undefined, moment === "stored")
    if (made.told === undefined) return assert.isFalse(made.isAnswered)
    await pay(world, made.told)
    await executedOnce(made, before)
  })

  it("is left alone where nobody awaits it any more", async () => {
    mortal.doom("signed")
    await mortal.spare()
    const before = await forwarderNonce(world, holder)
    const made = await published()
    if (made.told !== undefined) await pay(world, made.told)
    await executedOnce(made, before)
    assert.strictEqual(mortal.deaths.signed, 1)
  })
})
