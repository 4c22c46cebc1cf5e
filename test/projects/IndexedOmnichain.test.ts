import { Layer, ManagedRuntime } from "effect"
import { afterAll, assert, it } from "vitest"
import { Indexer } from "../../src/indexer/Indexer.ts"
import { showIndexedOmnichain } from "../../src/projects/IndexedOmnichain.ts"
import { membersOf } from "../../src/projects/IndexedProjects.ts"
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

const project = (projectId: number, over: object = {}) => {
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
    suckerGroupId: GROUP,
    ...over
  }
}

const source = await startIndexedSource()
await source.insert(
  "project",
  Array.from({ length: 53 }, (_, index) => project(index + 1))
)
const placed = (chainId: number, projectId: number, suckerGroupId: string, texts: object = {}) =>
  project(projectId, { id: `${chainId}-${projectId}`, chainId, suckerGroupId, ...texts })
const LONG = "t".repeat(60_000)
/** So many of them that no answer of the source holds eight such rows. */
const TEXTS = { name: LONG, handle: LONG, description: LONG, projectTagline: LONG, logoUri: LONG }
await source.insert("project", [
  ...Array.from({ length: 103 }, (_, index) => placed(10, index + 1, "a larger group")),
  ...Array.from({ length: 8 }, (_, index) => placed(8453, index + 1, "a wide group", TEXTS))
])
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

it("a group of which one page holds a part is told whole", async () => {
  const query = { chainId: 8453, projectId: "1", maxMembers: 8 }
  const view = await world.runPromise(showIndexedOmnichain(query))
  const members = view.source === "indexer" && view.members.status === "known" ? view.members.value : []
  assert.deepEqual(
    members.map(({ projectId }) => projectId),
    ["1", "2", "3", "4", "5", "6", "7", "8"]
  )
  assert.deepInclude(view.group, { membersFound: { status: "known", value: 8 }, truncated: false })
  const { items } = await world.runPromise(membersOf("mainnet", GROUP))
  assert.lengthOf(items, 53)
})

it("of a group larger than is told the page says that there are more", async () => {
  const { items, totalCount, pageInfo } = await world.runPromise(membersOf("mainnet", "a larger group"))
  assert.deepEqual([items.length, totalCount, pageInfo.hasNextPage], [100, 103, true])
})

it("a group of which a row is left out is not told to be whole", async () => {
  await source.query(`UPDATE ${source.table("project")} SET owner = '0xab' WHERE id = '8453-8'`)
  const query = { chainId: 8453, projectId: "1", maxMembers: 8 }
  const view = await world.runPromise(showIndexedOmnichain(query))
  const members = view.source === "indexer" && view.members.status === "known" ? view.members.value : []
  assert.lengthOf(members, 7)
  assert.deepInclude(view.group, { membersFound: { status: "known", value: 8 }, truncated: true })
})
