/** Where a person reviews a plan in a browser; what follows the number sign stays in the browser. */

/** `principal` spares a bot's plan the look-up of who prepared it; the commitment proves it either way. */
export const pagePath = (planId: string, accountId: string, principal: string | undefined): string =>
  `/console/plans/${planId}#account=${accountId}${principal?.startsWith("bot:") ? `&by=${principal}` : ""}`

export interface PagePlace {
  readonly planId: string | undefined
  readonly accountId: string | undefined
  readonly principal: string | undefined
}

const PLAN = /^\/console\/plans\/([0-9a-f-]{36})$/
const ACCOUNT = /^eip155:[1-9][0-9]{0,15}:0x[0-9a-f]{40}$/
const BOT = /^bot:[0-9a-f-]{36}$/

const matching = (pattern: RegExp, text: string | null): string | undefined =>
  text !== null && pattern.test(text) ? text : undefined

export const placeOf = ({
  pathname,
  hash
}: {
  readonly pathname: string
  readonly hash: string
}): PagePlace => {
  const hints = new URLSearchParams(hash.slice(1))
  return {
    planId: PLAN.exec(pathname)?.[1],
    accountId: matching(ACCOUNT, hints.get("account")),
    principal: matching(BOT, hints.get("by"))
  }
}
