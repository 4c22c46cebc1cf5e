/** Projects, their rules and their shops. */
import { instantText } from "../Times.ts"
import { exact } from "../Words.ts"
import {
  type Clause,
  carried,
  counted,
  elementsOf,
  given,
  integer,
  named,
  project,
  said,
  say,
  type Teller,
  type Telling,
  who
} from "./Speech.ts"

const counting = (telling: Telling, what: string, ...path: ReadonlyArray<string>): Clause =>
  said(counted(elementsOf(given(telling, ...path)).length, what))

const earliest = (telling: Telling): Clause => {
  const start = integer(given(telling, "rulesetConfigurations", "0", "mustStartAtOrAfter"))
  return start === 0n ? [] : said(`, not before ${instantText(Number(start) * 1000)}`)
}

export const queueRulesets: Teller = telling =>
  say`queue ${counting(telling, "ruleset", "rulesetConfigurations")} for ${project(telling, given(telling, "projectId"))}, to start once the ruleset before it lets it${earliest(telling)}`

const owned = (telling: Telling): Clause => say`owned by ${who(telling, given(telling, "owner"))}`

export const launchProject: Teller = telling =>
  say`launch a project ${owned(telling)}, with ${counting(telling, "ruleset", "rulesetConfigurations")} and ${counting(telling, "terminal", "terminalConfigurations")}${carried(telling, ", for ")}`

export const launchShop: Teller = telling => {
  const rulesets = counting(telling, "ruleset", "launchProjectConfig", "rulesetConfigurations")
  const items = counting(telling, "tier", "deployTiersHookConfig", "tiersConfig", "tiers")
  const shop = named(given(telling, "deployTiersHookConfig", "name"))
  return say`launch a project ${owned(telling)}, with ${rulesets} and a shop ${shop} of ${items}${carried(telling, ", for ")}`
}

export const deployRevnet: Teller = telling => {
  const id = given(telling, "revnetId")
  const of = (...path: ReadonlyArray<string>) => given(telling, "configuration", ...path)
  const made =
    integer(id) === 0n
      ? said("deploy the revnet")
      : say`turn ${project(telling, id)} for good into the revnet`
  const title = say`${named(of("description", "name"))} with the token ${named(of("description", "ticker"))}`
  const stages = counting(telling, "stage", "configuration", "stageConfigurations")
  return say`${made} ${title} and ${stages}, operated by ${who(telling, of("operator"))}${carried(telling, ", for ")}`
}

export const autoIssue: Teller = telling =>
  say`have ${project(telling, given(telling, "revnetId"))} issue what its stage ${[exact(given(telling, "stageId"))]} sets aside for ${who(telling, given(telling, "beneficiary"))}, an amount decided when it runs`

const adding = (telling: Telling, shop: Clause): Clause =>
  say`add ${counting(telling, "tier", "tiersToAdd")} to ${shop}`

export const adjustTiers: Teller = telling => {
  const shop = say`the shop ${[exact(telling.explained.call.to)]}`
  const removed = elementsOf(given(telling, "tierIdsToRemove")).map(String)
  if (removed.length === 0) return adding(telling, shop)
  const tiers = said(`tier${removed.length === 1 ? "" : "s"} ${removed.join(", ")}`)
  return elementsOf(given(telling, "tiersToAdd")).length === 0
    ? say`remove ${tiers} from ${shop}`
    : say`${adding(telling, shop)} and remove ${tiers} from it`
}
