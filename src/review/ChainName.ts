/** A chain by its name and number, as the service names it. */
import type { Capabilities } from "../http/api/Capabilities.ts"
import { chainText } from "./PlanReview.ts"

export const chainNames = ({ chains }: Pick<Capabilities, "chains">): ReadonlyMap<number, string> =>
  new Map(chains.map(({ id, name }) => [id, name]))

export const chainTitle = (capabilities: Pick<Capabilities, "chains">, chainId: number): string =>
  chainText(chainNames(capabilities), chainId)
