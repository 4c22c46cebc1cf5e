/** What a wallet holds, project by project. */
import type { Capabilities } from "../../../http/api/Capabilities.ts"
import { Pieces } from "../../app/Pieces.tsx"
import { chainName, type Listed, leftOut } from "../reading/Listed.ts"
import { positionPieces } from "../words/Positions.ts"
import { foreignName } from "../words/Project.ts"
import { projectPath } from "./EventList.tsx"
import { LostView } from "./PartView.tsx"

interface PositionListProps {
  readonly positions: Listed<"participant">
  readonly capabilities: Capabilities
}

export const PositionList = ({ positions, capabilities }: PositionListProps) => {
  const lost = leftOut(positions).length
  return (
    <>
      {positions.items.length === 0 ? (
        <p>The index counts no tokens of any project.</p>
      ) : (
        <ol class="events">
          {positions.items.map(position => (
            <li key={`${position.chainId}-${position.projectId}`}>
              <p class="happened">
                <a href={projectPath(position.chainId, position.projectId)}>
                  {`Project ${position.projectId} on ${chainName(capabilities, position.chainId)}`}
                </a>{" "}
                <Pieces pieces={[foreignName(position.project?.name ?? null, "without a name")]} />
              </p>
              <p>
                <Pieces pieces={positionPieces(position)} />
              </p>
            </li>
          ))}
        </ol>
      )}
      <LostView lost={lost} />
    </>
  )
}
