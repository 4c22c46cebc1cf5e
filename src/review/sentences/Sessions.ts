/** Keys that act for a wallet, within what its owners enable. */
import type { Enabling } from "../../sessions/Enabling.ts"
import { decodePolicy } from "../../sessions/Policy.ts"
import { enablingOf } from "../EnabledPolicy.ts"
import { instantText } from "../Times.ts"
import { exact } from "../Words.ts"
import { type Clause, counted, given, said, say, type Teller, type Telling, who } from "./Speech.ts"

const letting = ({ self }: Telling, enabling: Enabling | undefined): Clause => {
  const policy = enabling && decodePolicy(enabling.encoded)
  if (policy === undefined) return said("enable a session that is not explained")
  const { sessionKey, actions, maximumCalls, validAfter, validUntil } = policy
  const [from, until] = [validAfter, validUntil].map(seconds => instantText(seconds * 1000))
  return say`let the key ${[exact(sessionKey)]} act for ${said(self)} within a policy of ${said(counted(actions.length, "right"))}, by ${said(counted(maximumCalls, "call"))} at most, from ${said(`${from} until ${until}`)}`
}

export const enablePolicy: Teller = telling => letting(telling, enablingOf(telling.explained))

export const endPermission: Teller = telling =>
  say`end for good what a session's key may do for ${said(telling.self)}, by its permission ${[exact(given(telling, "permissionId"))]}`

export const installModule: Teller = telling =>
  say`get the guard ${who(telling, given(telling, "module"))} and ${letting(telling, enablingOf(telling.explained))}`
