/** A worker runs many files with the same modules, and `it.layer` leaves its layer and its clock on `it`: each file begins with the plain ones. */
import { makeMethods } from "@effect/vitest"
import { afterEach, it } from "vitest"

makeMethods(Object.assign(it, { scopedFixtures: it.scoped }))

/** Tests that never wait would keep the worker from hearing the runner for as long as their file lasts. */
afterEach(() => new Promise<void>(resolve => setImmediate(resolve)))
