import { Either } from "effect"
import { verify } from "../../../src/effects/Verify.ts"
import { predicates } from "../../../src/operations/plans/InstalledPredicates.ts"

export const verifyEffects = Either.getOrThrow(verify(predicates))
