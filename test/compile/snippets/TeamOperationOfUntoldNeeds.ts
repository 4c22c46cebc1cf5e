import { serviceLayer } from "../../../src/service/main.ts"
import { greet } from "../../service/support.ts"

/** Whoever adds this operation has to give the greeting. */
export const service = serviceLayer({ operations: [greet] })
