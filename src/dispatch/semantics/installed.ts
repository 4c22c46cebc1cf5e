import { pay } from "./Pay.ts"
import { type Predicate, verify } from "./Verify.ts"

const predicates: ReadonlyArray<Predicate> = [pay]

export const verifyEffects = verify(predicates)
