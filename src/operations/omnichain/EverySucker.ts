import { SUCKER, SUCKERS } from "../../effects/Contracts.ts"

/** All suckers do the same and tell it by the same events. */
export const everySucker = { contractId: SUCKER, kin: SUCKERS, target: "planned" } as const
