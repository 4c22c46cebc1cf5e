import type { ServiceOperation } from "./Declaration.ts"

/** What the service does beyond its operations. */
export const serviceOperations: ReadonlyArray<ServiceOperation> = [
  { method: "POST", path: "/api/v1/plans", description: "Prepare a plan of exact catalogued calls." },
  { method: "GET", path: "/api/v1/plans/{id}", description: "Show or refresh a plan." },
  {
    method: "GET",
    path: "/api/v1/plans/{id}/steps/{step}/simulation",
    description: "Simulate a step of a plan."
  },
  {
    method: "POST",
    path: "/api/v1/plans/{id}/steps/{step}/submissions",
    description: "Relay a step exactly as its wallet signed it."
  },
  { method: "GET", path: "/api/v1/protocol/resolve", description: "Prove where a contract is." },
  { method: "GET", path: "/api/v1/protocol/read", description: "Read a proved contract." }
]
