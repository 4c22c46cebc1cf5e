import { Either } from "effect"
import { verifierOf } from "../../../src/effects/Verify.ts"
import { ownOperations } from "../../../src/operations/framework/OwnOperations.ts"
import { installedPredicates } from "../../../src/operations/plans/InstalledPredicates.ts"

export const predicates = installedPredicates(ownOperations)

export const verifyEffects = Either.getOrThrow(verifierOf(predicates))
