import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../catalog/CloneFamilies.ts"
import { Address, ZERO_ADDRESS } from "../values/Scalars.ts"
import { doubted } from "./Judgement.ts"
import type { Scene } from "./Predicate.ts"

const isAddress = Schema.is(Address)

/** All clones have the interface of what they are clones of. */
export const hookAt = ({ published }: Pick<Scene<unknown>, "published">, address: unknown) => {
  const [implementation] = published(TIERS_HOOK)
  return implementation !== undefined && isAddress(address) && address !== ZERO_ADDRESS
    ? Either.right({ address, abi: implementation.abi })
    : doubted("no hook was deployed")
}
