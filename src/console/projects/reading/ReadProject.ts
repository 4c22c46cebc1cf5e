/** What the page of a project asks for, part by part; each may be refused by itself. */
import type { EntityQuery } from "../../../client/Indexer.ts"
import type { ProjectRow } from "../../../projects/IndexedSchemas.ts"
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import type { Observed } from "../../../values/Observed.ts"
import { turnsOf } from "../../app/Turns.ts"
import { EVENT_FIELDS } from "../words/Events.ts"
import type { Holding } from "../words/Positions.ts"
import { projectsInSplits } from "../words/Project.ts"
import { type History, type IndexedPlace, readHistory } from "./History.ts"
import { type Listed, listMore, type Reader } from "./Listed.ts"
import { partly } from "./Partly.ts"
import { MOST_INDEXED } from "./Search.ts"

export interface ProjectParts {
  readonly view?: Observed<ProjectView>
  /** Of the wallet at the page. */
  readonly holding?: Observed<Holding>
  readonly indexed?: Observed<ProjectRow | null>
  /** As the projects of the splits call themselves; none where that could not be read. */
  readonly names?: ReadonlyMap<string, string>
  readonly history?: Observed<History>
  readonly events?: Observed<Listed<"activityEvent">>
}

interface WalletReader extends Reader {
  readonly wallet: string
}

const readView = async (reader: Reader, { chainId, projectId }: IndexedPlace): Promise<ProjectView> => {
  const answer = await reader.client.projects.get({ chainId, projectId, source: "onchain" })
  if (answer.source === "onchain") return answer.onchain
  throw new Error("The service answered from another source than was asked.")
}

const readHolding = (reader: WalletReader, { chainId, projectId }: IndexedPlace): Promise<Holding> =>
  reader.client.operations.run("get_position", {
    project: { chainId, projectId, version: 6 },
    account: reader.wallet
  })

const askIndexed = async (reader: Reader, { chainId, projectId }: IndexedPlace) => {
  const answer = await reader.client.projects.get({ chainId, projectId, source: "indexer" })
  if (answer.source === "indexer") return answer.indexed
  throw new Error("The service answered from another source than was asked.")
}

const readIndexed = async (
  reader: Reader,
  place: IndexedPlace
): Promise<NonNullable<ProjectParts["indexed"]>> => {
  const asked = await partly(askIndexed(reader, place))
  return asked.status === "known" ? asked.value : asked
}

const MOST_NAMES = 20

const readNames = async (
  reader: Reader,
  { network, chainId }: IndexedPlace,
  ids: ReadonlyArray<string>
): Promise<ReadonlyMap<string, string>> => {
  const asked = ids.filter(id => BigInt(id) <= MOST_INDEXED).slice(0, MOST_NAMES)
  if (asked.length === 0) return new Map()
  const query = { network, chainId, fields: ["name"], filters: { projectId_in: asked.map(Number) } }
  const { items } = await listMore(reader, "project", query)
  return new Map(
    items.flatMap(({ projectId, name }) => (projectId && name ? [[projectId, name] as const] : []))
  )
}

const EVENTS = 20

/** Of a project, or what the filters ask for; the latest, or those behind what is there. */
export const readEvents = (
  reader: Reader,
  where: Omit<EntityQuery, "fields" | "orderBy">,
  before?: Listed<"activityEvent">
): Promise<Listed<"activityEvent">> => {
  const orderBy = { field: "timestamp", direction: "desc" } as const
  return listMore(reader, "activityEvent", { ...where, fields: EVENT_FIELDS, orderBy, limit: EVENTS }, before)
}

type Tell = (parts: ProjectParts) => void

const readFirst = (reader: Reader, place: IndexedPlace, found: Tell) => {
  const turn = turnsOf(reader)
  return Promise.all([
    turn(async () => {
      const view = await partly(readView(reader, place))
      found({ view })
      return view
    }),
    turn(async () => {
      const indexed = await readIndexed(reader, place)
      found({ indexed })
      return indexed
    })
  ])
}

/** First what the project is, then the rest of whichever source knows it. */
export const readProjectParts = async (
  reader: WalletReader,
  place: IndexedPlace,
  found: Tell
): Promise<void> => {
  const [view, indexed] = await readFirst(reader, place, found)
  const ids = view.status === "known" ? projectsInSplits(view.value) : []
  const names = async () => {
    const told = await partly(readNames(reader, place, ids))
    found({ names: told.status === "known" ? told.value : new Map() })
  }
  const ofChain = [async () => found({ holding: await partly(readHolding(reader, place)) })]
  const ofIndex = [
    names,
    async () => found({ history: await partly(readHistory(reader, place)) }),
    async () => found({ events: await partly(readEvents(reader, place)) })
  ]
  if (indexed.status === "unknown") found({ history: indexed, events: indexed, names: new Map() })
  const turn = turnsOf(reader)
  const rest = [...(view.status === "known" ? ofChain : []), ...(indexed.status === "known" ? ofIndex : [])]
  await Promise.all(rest.map(work => turn(work)))
}
