/** A worker runs many files with the same modules, and `it.layer` leaves its layer and its clock on `it`: each file begins with the plain ones. */
import { makeMethods } from "@effect/vitest"
import { it } from "vitest"

makeMethods(Object.assign(it, { scopedFixtures: it.scoped }))
