/** What others may do in the wallet's name, and tokens that change hands. */
import { permissionName } from "../../values/PermissionNames.ts"
import { LIMITLESS } from "../Amounts.ts"
import {
  asset,
  type Clause,
  elementsOf,
  given,
  integer,
  money,
  orItem,
  project,
  said,
  say,
  type Teller,
  type Telling,
  who
} from "./Speech.ts"

export const approve: Teller = telling => {
  const token = telling.explained.call.to
  const spender = who(telling, given(telling, "spender"))
  const units = integer(given(telling, "value"))
  const { self } = telling
  const own = say`${said(self === "you" ? "your" : "its")} ${asset(telling, token)}`
  const item = orItem(telling, token, units)
  if (units === 0n)
    return item.length === 0
      ? say`let ${spender} take none of ${own} any more`
      : say`allow ${spender} to take nothing of ${own}${item}`
  return units >= LIMITLESS
    ? say`allow ${spender} to take all of ${own}, now and later${item}`
    : say`allow ${spender} to take up to ${money(telling, token, units)} from ${said(self)}${item}`
}

const moved = (telling: Telling): Clause => {
  const [token, units] = [telling.explained.call.to, integer(given(telling, "value"))]
  return say`${money(telling, token, units)}${orItem(telling, token, units)}`
}

export const transfer: Teller = telling =>
  say`send ${moved(telling)} to ${who(telling, given(telling, "to"))}`

export const transferFrom: Teller = telling =>
  say`send ${moved(telling)} from ${who(telling, given(telling, "from"))} to ${who(telling, given(telling, "to"))}`

const ROOT = 1

const powers = (ids: ReadonlyArray<number>): string =>
  ids.includes(ROOT)
    ? "whatever the account may do (ROOT)"
    : ids.map(id => permissionName(id) ?? `permission ${id}`).join(", ")

/** The bits of one project are replaced; project 0 stands for every project, beside the others. */
const withdrawn = (telling: Telling, operator: Clause, account: Clause, projectId: unknown): Clause =>
  integer(projectId) === 0n
    ? say`take back what ${operator} was allowed to do for ${account} in every project at once; what it may do in single projects stays`
    : say`take back what ${operator} was allowed to do for ${account} in ${project(telling, projectId)}; what it may do in every project at once stays`

export const permit: Teller = telling => {
  const of = (name: string) => given(telling, "permissionsData", name)
  const ids = elementsOf(of("permissionIds")).map(Number)
  const where = integer(of("projectId")) === 0n ? said("every project") : project(telling, of("projectId"))
  const account = who(telling, given(telling, "account"))
  const operator = who(telling, of("operator"))
  return ids.length === 0
    ? withdrawn(telling, operator, account, of("projectId"))
    : say`allow ${operator} to act for ${account} in ${where}: ${said(powers(ids))}`
}
