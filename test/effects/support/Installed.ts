import { Either } from "effect"
import { verifierOf } from "../../../src/effects/Verify.ts"
import { allPredicates } from "../../../src/main/AllPredicates.ts"
import { ownOperations } from "../../../src/operations/framework/OwnOperations.ts"

export const predicates = allPredicates(ownOperations)

export const verifyEffects = Either.getOrThrow(verifierOf(predicates))
