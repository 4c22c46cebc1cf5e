/** Keys that act for a wallet, within what its owners enable. */
import { exact } from "../Words.ts"
import { type Clause, given, said, say, type Teller, type Telling, who } from "./Speech.ts"

const letting = ({ self, explained }: Telling): Clause =>
  explained.enabled?.clauseFor(self) ?? said("enable a session that is not explained")

export const enablePolicy: Teller = letting

export const endPermission: Teller = telling =>
  say`end for good what a session's key may do for ${said(telling.self)}, by its permission ${[exact(given(telling, "permissionId"))]}`

export const installModule: Teller = telling =>
  say`get the guard ${who(telling, given(telling, "module"))} and ${letting(telling)}`
