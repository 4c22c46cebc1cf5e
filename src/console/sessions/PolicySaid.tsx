/** What a session lets its key do, one sentence a right, from the bytes that its wallet's owners enable. */
import { type PolicyNames, policySentences } from "../../sessions/PolicyWords.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import type { Hex } from "../../values/Scalars.ts"
import type { OfferedWallet } from "../wallets/WalletWords.ts"

type Asked = Pick<PublicSession, "allocations">

/** As the wallet's manifest and the request name assets and limits. */
export const namesFor = (
  manifest: OfferedWallet["manifest"] | undefined,
  { allocations }: Asked
): PolicyNames => ({
  assets: manifest?.reviewed.assets ?? [],
  allocationIds: allocations.flatMap(group => group.allocations.map(({ id }) => id))
})

export const PolicySaid = ({ encoded, names }: { readonly encoded: Hex; readonly names: PolicyNames }) => (
  <ul class="rights">
    {policySentences(encoded, names)?.map(({ text, isDoubtful }) => (
      <li key={text} class={isDoubtful ? "doubtful" : undefined}>
        {isDoubtful ? <strong>Beware: </strong> : undefined}
        {text}
      </li>
    ))}
  </ul>
)
