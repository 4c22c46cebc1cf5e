/** A call, the receipt that proves it, and what each field of each event is to the proof. */
import type { Call } from "../../../src/plans/Plan.ts"
import { CONTROLLER, PROJECTS, TERMINAL } from "./ContractIds.ts"
import { deployment, type Emission, type Fields } from "./Receipts.ts"

/**
 * Without it: a `proof` leaves the effect unknown, the others do not.
 * Twice: all but a `row` leave it unknown.
 */
type Role = "proof" | "strengthening" | "row"

export interface Evented extends Emission {
  readonly role: Role
  /** Others of its kind beside it are no matter, whatever they say. */
  readonly repeats?: true
  /** Another value of these makes the event one about something else. */
  readonly identity: ReadonlyArray<string>
  /** Another value of these is no matter. */
  readonly free: ReadonlyArray<string>
  /** Another value where not any will do, and whether a value contradicts nothing after all. */
  readonly wrong?: Fields
  readonly allows?: Readonly<Record<string, (value: string) => boolean>>
}

export interface Scenario {
  readonly name: string
  readonly call: Call
  readonly verifier: string
  readonly emissions: ReadonlyArray<Evented>
  readonly events: ReadonlyArray<Fields>
  /** Who sent it is known by the transaction alone. */
  readonly namesNoWallet?: true
}

export const terminalAddress = deployment(TERMINAL).address
export const controllerAddress = deployment(CONTROLLER).address
export const cycle = { rulesetId: "1700000000", rulesetCycleNumber: "3" }
export const CYCLE = ["rulesetId", "rulesetCycleNumber"]
export const atLeast = (least: bigint) => (value: string) => BigInt(value) >= least
export const upTo = (most: bigint) => (value: string) => BigInt(value) > 0n && BigInt(value) <= most

export const projectCreated = (owner: string, caller: string): Evented => ({
  contractId: PROJECTS,
  event: "Create",
  role: "proof",
  fields: { projectId: "9", owner, caller },
  identity: ["projectId", "caller"],
  free: []
})
