import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { createClient } from "../../../src/client/Client.ts"
import { readHistory } from "../../../src/console/projects/reading/History.ts"
import { overTime } from "../../../src/console/projects/series/FromHistory.ts"
import { startHistory } from "../../sandbox/index/History.ts"
import { launch, payNative, rulesetOf } from "../../sandbox/support/Launch.ts"
import { stranger } from "../../sandbox/support/Sandbox.ts"
import { enroll } from "../../support/Bots.ts"
import { chainSettings } from "../../support/Sandbox.ts"
import { startService } from "../../support/Service.ts"
import { newOwner } from "../../support/SignedFetch.ts"

const HOUR = 3600
const CHAIN = 31_337

const history = await startHistory()
const directory = await mkdtemp(join(tmpdir(), "over-time-"))
const overlay = join(directory, "deployments.json")
await writeFile(overlay, JSON.stringify(history.sandbox.manifest))
const service = await startService({
  overlays: [overlay],
  settings: {
    chains: chainSettings(history.sandbox.url),
    indexer: {
      mainnetUrl: undefined,
      testnetUrl: Redacted.make(history.index().url),
      headers: Redacted.make({})
    }
  }
})
const owner = newOwner()
await enroll(service, owner)
const client = createClient({
  baseUrl: service.url,
  account: owner.accountId,
  signer: owner.key,
  audience: service.audience
})

afterAll(async () => {
  await service.stop()
  await history.stop()
  await rm(directory, { recursive: true })
})

describe("the past of a project of the local chain", () => {
  it("is drawn from its index as the chain itself tells it at each block", async () => {
    const { sandbox } = history
    const first = { duration: HOUR, weightCutPercent: 100_000_000, weight: parseEther("1000") }
    const projectId = await launch(sandbox, [rulesetOf(first)])
    await sandbox.pass(60)
    await payNative(sandbox, projectId, parseEther("3"), stranger.address)
    await sandbox.pass(3 * HOUR)
    await payNative(sandbox, projectId, parseEther("2"), stranger.address)
    await history.index().catchUp()
    const place = { network: "testnet", chainId: CHAIN, projectId: String(projectId) } as const
    const told = await client.projects.get({ ...place, source: "onchain" })
    const current = told.source === "onchain" ? told.onchain.rulesets.current : assert.fail("another source")
    const ruleset = current.status === "known" ? current.value?.ruleset : assert.fail("not known")
    const { id, start, weight } = ruleset ?? assert.fail("no ruleset")
    const inForce = { id, start: Number(start), weight: BigInt(weight) }
    const time = overTime(await readHistory({ client }, place), inForce) ?? assert.fail("nothing")
    assert.deepStrictEqual(
      time.balance.map(({ value }) => value),
      [0n, parseEther("3"), parseEther("5")]
    )
    assert.deepStrictEqual(
      time.issuance.map(({ value }) => value),
      ["1000", "900", "810", "729"].map(tokens => parseEther(tokens))
    )
    assert.deepInclude(time.issuance.at(-1), {
      from: inForce.start,
      value: inForce.weight,
      until: time.span.until
    })
    assert.strictEqual(time.balance.at(-1)?.until, time.span.until)
  })
})
