import { Either } from "effect"
import { predicates } from "../../../src/effects/installed.ts"
import { verify } from "../../../src/effects/Verify.ts"

export const verifyEffects = Either.getOrThrow(verify(predicates))
