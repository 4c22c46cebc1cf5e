/** Whether a cash out is paid by the treasury or by a swap of the buyback hook. */
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import { UnsupportedConfiguration } from "../../projects/refusals.ts"
import { metadataOf } from "../../protocol/MetadataEntry.ts"
import type { Address, Hex } from "../../values/Scalars.ts"
import { type BuybackCashOut, buybackCashOutOf } from "../shared/context/BuybackWords.ts"
import type { DataHooks } from "../shared/context/DataHooks.ts"
import { slippageFloor } from "../shared/economics/Slippage.ts"
import type { CashOutPreview, HookSpecification } from "./Previews.ts"

const USER_QUOTE = [{ type: "uint256" }, { type: "bool" }] as const
const DO_NOT_SKIP = false

const unsupported = ({ hook }: HookSpecification) =>
  new UnsupportedConfiguration({
    detail: `The hook ${hook} would act on the cash out in a way that the service cannot judge.`,
    context: { hook }
  })

export interface Buyback {
  readonly spec: HookSpecification
  readonly words: BuybackCashOut
}

const isActive = ({ noop }: HookSpecification): boolean => !noop

/** A revnet's owner contract takes its own fee, which the preview has counted. */
const takesOwnFee = ({ hook }: HookSpecification, { chain }: DataHooks): boolean =>
  chain.some(acting => acting.kind === "revnet" && acting.hook === hook)

/** The buyback that a preview foresees, which need not be the project's yet. */
export const foreseenBuyback = (
  { hookSpecifications }: CashOutPreview,
  hooks: ReadonlyArray<Address>
): Buyback | undefined => {
  const spec = hookSpecifications.filter(isActive).find(({ hook }) => hooks.includes(hook))
  const words = spec === undefined ? undefined : buybackCashOutOf(spec.metadata)
  return spec === undefined || words === undefined ? undefined : { spec, words }
}

/** Every hook that would act has to be one whose effect is known: the revnet's own, or the project's buyback. */
export const requireKnown = Effect.fnUntraced(function* (
  { hookSpecifications }: CashOutPreview,
  hooks: DataHooks,
  buyback: HookSpecification | undefined
) {
  for (const spec of hookSpecifications.filter(isActive)) {
    const isProjects = spec === buyback && spec.hook === hooks.buyback
    if (!isProjects && !takesOwnFee(spec, hooks)) return yield* unsupported(spec)
  }
})

/** The least that the hook's swap has to give; undefined where the treasury gives as much. */
export const swapMinimum = ({ words }: Buyback, slippageBps: number): bigint | undefined => {
  const minimum = slippageFloor(words.minimumSwapAmountOut, slippageBps)
  return minimum > words.netDirectCashOutAmount ? minimum : undefined
}

export const swapMetadata = (hook: Address, minimum: bigint): Hex => {
  const encoded = encodeAbiParameters(USER_QUOTE, [minimum, DO_NOT_SKIP])
  return metadataOf({ purpose: "cashOut", target: hook }, `0x${encoded.slice(2)}`)
}
