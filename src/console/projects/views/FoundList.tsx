/** The projects that were found. */
import type { Capabilities } from "../../../http/api/Capabilities.ts"
import type { EntityRow } from "../../../indexer/Entities.ts"
import { exact, type Piece, words } from "../../../review/Words.ts"
import { Pieces } from "../../app/Pieces.tsx"
import { chainName, type Listed, leftOut } from "../reading/Listed.ts"
import { type Asset, assetPieces } from "../words/Assets.ts"
import { soleAsset } from "../words/Events.ts"
import { foreignName } from "../words/Project.ts"
import { projectPath } from "./EventList.tsx"
import { LostView } from "./PartView.tsx"
import { LocalTime } from "./WordView.tsx"

interface FoundItemProps {
  readonly project: EntityRow<"project">
  readonly capabilities: Capabilities
}

/** A sum over several tokens is no amount of any. */
const balancePieces = (
  { balance, tokens }: EntityRow<"project">,
  asset: Asset | undefined
): ReadonlyArray<Piece> => {
  if (balance === undefined) return [words("balance not known")]
  if (asset === undefined && (tokens?.length ?? 0) > 1) return [words(`balances in ${tokens?.length} tokens`)]
  return [words("balance "), ...assetPieces(balance, asset)]
}

const FoundItem = ({ project, capabilities }: FoundItemProps) => {
  const { chainId, projectId, name, owner, createdAt } = project
  return (
    <li>
      <p class="happened">
        <a
          href={projectPath(chainId, projectId)}
        >{`Project ${projectId} on ${chainName(capabilities, chainId)}`}</a>{" "}
        <Pieces pieces={[foreignName(name ?? null, "without a name")]} />
      </p>
      <p class="muted facts">
        <span>
          <Pieces pieces={balancePieces(project, soleAsset(project))} />
        </span>
        {createdAt !== undefined && (
          <span>
            {"created "}
            <LocalTime seconds={createdAt} />
          </span>
        )}
        {owner !== undefined && (
          <span>
            <Pieces pieces={[words("owner "), exact(owner)]} />
          </span>
        )}
      </p>
    </li>
  )
}

interface FoundListProps {
  readonly found: Listed<"project">
  readonly capabilities: Capabilities
}

export const FoundList = ({ found, capabilities }: FoundListProps) => {
  const lost = leftOut(found).length
  return (
    <>
      {found.items.length === 0 ? (
        <p>The index has no such project.</p>
      ) : (
        <ol class="events">
          {found.items.map(project => (
            <FoundItem
              key={`${project.chainId}-${project.projectId}`}
              project={project}
              capabilities={capabilities}
            />
          ))}
        </ol>
      )}
      <LostView lost={lost} />
    </>
  )
}
