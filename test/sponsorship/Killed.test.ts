/** A provider's own process that is killed amid a publication or a bundle, and comes back with what it had kept, or never. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { arm, type ProviderProcess, spawnProvider } from "../provider/support/Provider.ts"
import { until } from "../support/Until.ts"
import {
  comesTo,
  confirm,
  execute,
  fund,
  look,
  publication,
  startExecutingBench
} from "./support/Executing.ts"
import { lookAnew } from "./support/Quoted.ts"

const bench = await startExecutingBench()
const directory = await mkdtemp(join(tmpdir(), "killed-"))

afterAll(async () => {
  await bench.stop()
  await rm(directory, { recursive: true })
})

/** With what was kept in the file of this name. */
const providerOf = async (name: string): Promise<ProviderProcess> => {
  const provider = await spawnProvider(bench.chain.url, join(directory, name))
  bench.provider.follow(provider.url)
  return provider
}

const LATE = { lie: "wire-late", path: "publication", millis: 10_000 } as const

describe("a provider that is killed", () => {
  it("before it answers leaves the publication unknown, and nothing is published again", async () => {
    const provider = await providerOf("unanswered")
    await arm(provider, LATE)
    const before = bench.provider.publications().length
    const publishing = publication(bench)
    await until(
      async () => bench.provider.publications().length,
      count => count > before
    )
    await provider.end("SIGKILL")
    const made = await publishing
    assert.strictEqual((await look(bench, made)).sponsorship.state, "submission_unknown")
    const again = await providerOf("unanswered")
    assert.strictEqual((await lookAnew(bench, made.owner, made.sponsorship)).state, "submission_unknown")
    await execute(bench, made)
    await confirm(bench)
    await comesTo(bench, made, "completed")
    assert.strictEqual(bench.provider.publications().length, before + 1)
    await again.end("SIGTERM")
  })

  it("after it stored the bundle has it again, is paid and executes it once", async () => {
    const provider = await providerOf("stored")
    const made = await publication(bench)
    await provider.end("SIGKILL")
    await fund(bench)
    const again = await providerOf("stored")
    await until(
      async () => {
        await confirm(bench)
        return lookAnew(bench, made.owner, made.sponsorship)
      },
      ({ state }) => state === "completed"
    )
    await again.end("SIGTERM")
  })

  it("after it executed is missed by nobody, and executes nothing again when it is back", async () => {
    const provider = await providerOf("executed")
    const made = await publication(bench)
    await fund(bench)
    await until(
      () => lookAnew(bench, made.owner, made.sponsorship),
      ({ observations: [observed] }) => observed?.proof !== undefined
    )
    await provider.end("SIGKILL")
    await confirm(bench)
    const { observations } = await comesTo(bench, made, "completed")
    const again = await providerOf("executed")
    await confirm(bench)
    assert.deepStrictEqual((await look(bench, made)).sponsorship.observations[0]?.hash, observations[0]?.hash)
    await again.end("SIGTERM")
  })
})
