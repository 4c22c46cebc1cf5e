/** Projects found by name, owner or number. */
import { useState } from "preact/hooks"
import type { Observed } from "../../values/Observed.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { partly } from "./reading/Partly.ts"
import {
  type FoundProjects,
  findProjects,
  isProjectNumber,
  placeOn,
  type SearchPlace
} from "./reading/Search.ts"
import { projectPath } from "./views/EventList.tsx"
import { FoundList } from "./views/FoundList.tsx"
import { MoreView, PartView } from "./views/PartView.tsx"
import { ReadFirst } from "./views/ReadFirst.tsx"
import { SearchForm } from "./views/SearchForm.tsx"

type Found = Observed<FoundProjects>

const useSearch = (seat: Seat, text: string, place: SearchPlace) => {
  const [found, setFound] = useState<Found>()
  const ask = (before?: FoundProjects) =>
    seat.run("Searching…", async () => setFound(await partly(findProjects(seat.desk, text, place, before))))
  return { found, ask }
}

/** Needs no index. */
const Straight = ({ text, chainId }: { readonly text: string; readonly chainId: number | undefined }) =>
  chainId === undefined || !isProjectNumber(text) ? null : (
    <p>
      <a href={projectPath(chainId, text)}>{`Open project ${text} of this chain`}</a>
    </p>
  )

export const SearchPage = ({ seat, query }: PageProps) => {
  const text = (query.get("q") ?? "").trim()
  const place = placeOn(query.get("on"), seat.capabilities)
  const { found, ask } = useSearch(seat, text, place)
  return (
    <div class="project">
      <SearchForm seat={seat} text={text} place={place} />
      <Straight text={text} chainId={place.chainId} />
      {found !== undefined && (
        <PartView part={found}>
          {value => (
            <>
              {value.isCased && <p>This index tells upper and lower case apart.</p>}
              <FoundList found={value} capabilities={seat.capabilities} />
              <MoreView cursor={value.cursor} what="projects" more={() => ask(value)} />
            </>
          )}
        </PartView>
      )}
      <ReadFirst desk={seat.desk} what="the list" read={() => ask()} begun={found !== undefined} />
    </div>
  )
}
