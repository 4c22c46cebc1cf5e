/** How much of an account's storage a principal may fill: what bots fill never keeps the owner out. */
import type { Actor } from "../accounts/Principal.ts"

const PLANS_PER_ACCOUNT = 10_000
const KEYS_PER_ACCOUNT = 10_000
const OWNERS_SHARE = 320

const boundFor =
  (limit: number) =>
  ({ kind }: Pick<Actor, "kind">): number =>
    kind === "owner" ? limit : limit - OWNERS_SHARE

export const plansFor = boundFor(PLANS_PER_ACCOUNT)
export const keysFor = boundFor(KEYS_PER_ACCOUNT)
