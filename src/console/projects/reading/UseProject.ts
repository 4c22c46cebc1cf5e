/** What was read of a project so far, and how more is read. */
import { useState } from "preact/hooks"
import type { Observed } from "../../../values/Observed.ts"
import type { Seat } from "../../app/Seat.ts"
import { type IndexedPlace, readHistory } from "./History.ts"
import { partly } from "./Partly.ts"
import { type ProjectParts, readEvents, readProjectParts } from "./ReadProject.ts"

const valueOf = <A>(part: Observed<A> | undefined): A | undefined =>
  part?.status === "known" ? part.value : undefined

export const useProject = (seat: Seat, place: IndexedPlace) => {
  const [parts, setParts] = useState<ProjectParts>({})
  const [isWhole, setWhole] = useState(false)
  const found = (more: ProjectParts) => setParts(before => ({ ...before, ...more }))
  const all = async () => {
    setWhole(false)
    await readProjectParts(seat.desk, place, found).finally(() => setWhole(true))
  }
  return {
    parts,
    /** More is read only once all that is shown first was. */
    isWhole,
    read: () => seat.run("Reading the project…", all),
    earlier: () =>
      seat.run("Reading what was before…", async () =>
        found({ history: await partly(readHistory(seat.desk, place, valueOf(parts.history))) })
      ),
    moreEvents: () =>
      seat.run("Reading more…", async () =>
        found({ events: await partly(readEvents(seat.desk, place, valueOf(parts.events))) })
      )
  }
}
