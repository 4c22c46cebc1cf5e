/** Which project it is, as it calls itself, and what may be done with it. */
import type { Capabilities } from "../../../http/api/Capabilities.ts"
import { quoted } from "../../../review/Words.ts"
import { Pieces } from "../../app/Pieces.tsx"
import type { IndexedPlace } from "../reading/History.ts"
import { chainName } from "../reading/Listed.ts"
import type { ProjectParts } from "../reading/ReadProject.ts"
import { foreignName } from "../words/Project.ts"

const WAYS = [
  ["prepare_pay", "Pay"],
  ["prepare_cash_out", "Cash out"],
  ["prepare_payout", "Send payouts"]
] as const

const LONGEST_TAGLINE = 200

const doPath = (operation: string, { chainId, projectId }: IndexedPlace): string =>
  `/console/do/${operation}?chainId=${chainId}&projectId=${projectId}`

interface ProjectHeadProps {
  readonly place: IndexedPlace
  readonly capabilities: Capabilities
  readonly indexed: ProjectParts["indexed"]
}

export const ProjectHead = ({ place, capabilities, indexed }: ProjectHeadProps) => {
  const row = indexed?.status === "known" ? indexed.value : undefined
  const tagline = row?.projectTagline ?? ""
  return (
    <>
      <p class="first">
        {`Project ${place.projectId} on ${chainName(capabilities, place.chainId)}`}
        {row === null && ", of which the index knows nothing"}
        {row && (
          <>
            {(row.name ?? "") === "" ? " " : " calls itself "}
            <Pieces pieces={[foreignName(row.name ?? null, "without a name")]} />
          </>
        )}
      </p>
      {tagline !== "" && (
        <p>
          <Pieces pieces={[quoted(tagline, LONGEST_TAGLINE)]} />
        </p>
      )}
      <ul class="deeds">
        {WAYS.map(([operation, name]) => (
          <li key={operation}>
            <a class="way" href={doPath(operation, place)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
