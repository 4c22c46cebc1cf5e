/** What is wrong with what was typed of a session, field by field. */
import { addressOf } from "../../client/SignRequest.ts"
import { NATIVE_ASSET } from "../../sessions/KnownRights.ts"
import type { Address } from "../../values/Scalars.ts"
import { unitsOf } from "../doing/fields/Exactly.ts"

/** By the id of the field. */
export type Faults = Readonly<Record<string, string>>

/** Notes each fault at its field and goes on, so that all of them are told at once. */
export class FieldReading {
  readonly faults: Record<string, string> = {}

  fault(field: string, text: string): void {
    this.faults[field] ??= text
  }

  /** A positive amount of so many decimals, in the smallest unit; 0 where it is none. */
  amount(field: string, text: string, decimals: number): bigint {
    const units = unitsOf(text, decimals)
    if (units === undefined)
      this.fault(field, decimals === 0 ? "A whole number." : `A number with at most ${decimals} decimals.`)
    else if (units === "0") this.fault(field, "More than nothing.")
    return BigInt(units ?? 0)
  }

  whole(field: string, text: string, [least, most]: readonly [number, number]): number {
    const isWithin = /^(?:0|[1-9][0-9]{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most
    if (!isWithin) this.fault(field, `A whole number from ${least} to ${most}.`)
    return isWithin ? Number(text) : least
  }

  address(field: string, text: string): Address {
    const isAddress = /^0x[0-9a-fA-F]{40}$/.test(text)
    if (!isAddress) this.fault(field, "0x and 40 hexadecimal digits.")
    return isAddress ? addressOf(text) : NATIVE_ASSET
  }
}
