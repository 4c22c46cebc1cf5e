import { Layer, ManagedRuntime } from "effect"
import { afterAll, assert, it } from "vitest"
import { Indexer } from "../../src/indexer/Indexer.ts"
import { showIndexedOmnichain } from "../../src/projects/IndexedOmnichain.ts"
import { CursorSigner } from "../../src/settings/CursorSigner.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { indexedSettings } from "../support/Settings.ts"

const OWNER = "0x00000000000000000000000000000000000000aa"
const GROUP = "a large group"
const BLANKS: Readonly<Record<string, unknown>> = { Int: 0, BigInt: "0", Boolean: false, String: "" }

const worldOf = (url: string) =>
  ManagedRuntime.make(
    Indexer.layer({ directory: "schema/indexer", localChains: [] }).pipe(
      Layer.provide(CursorSigner.layer),
      Layer.provide(indexedSettings({ mainnet: url }))
    )
  )

const project = (projectId: number) => {
  const columns = [...(source.model.get("project")?.columns.values() ?? [])]
  const blank = columns.map(({ hex, list, name, nullable, type }) => {
    if (nullable) return [name, null] as const
    return [name, list ? [] : hex ? OWNER : (BLANKS[type] ?? null)] as const
  })
  return {
    ...Object.fromEntries(blank),
    id: `1-${projectId}`,
    chainId: 1,
    projectId,
    version: 6,
    suckerGroupId: GROUP
  }
}

const source = await startIndexedSource()
await source.insert(
  "project",
  Array.from({ length: 53 }, (_, index) => project(index + 1))
)
const world = worldOf(source.url)

afterAll(async () => {
  await world.dispose()
  await source.stop()
})

it("a group larger than one page is told by how many the source counts", async () => {
  for (const projectId of ["1", "53"]) {
    const { group } = await world.runPromise(showIndexedOmnichain({ chainId: 1, projectId, maxMembers: 8 }))
    assert.deepInclude(group, { membersFound: { status: "known", value: 53 }, truncated: true })
  }
})
