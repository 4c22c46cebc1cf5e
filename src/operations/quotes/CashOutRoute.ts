/** Whether a cash out is paid by the treasury or by a swap of the buyback hook. */
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import { UnsupportedConfiguration } from "../../projects/refusals.ts"
import { metadataOf } from "../../protocol/MetadataEntry.ts"
import type { Address, Hex } from "../../values/Scalars.ts"
import { type BuybackCashOut, buybackCashOutOf } from "../context/BuybackWords.ts"
import type { DataHooks } from "../context/DataHooks.ts"
import { slippageFloor } from "../economics/Slippage.ts"
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

/** Every hook that would act has to be one whose effect is known. */
export const buybackOf = Effect.fnUntraced(function* (
  { hookSpecifications }: CashOutPreview,
  hooks: DataHooks
) {
  let buyback: Buyback | undefined
  for (const spec of hookSpecifications.filter(isActive)) {
    if (takesOwnFee(spec, hooks)) continue
    const words = spec.hook === hooks.buyback ? buybackCashOutOf(spec.metadata) : undefined
    if (words === undefined || buyback !== undefined) return yield* unsupported(spec)
    buyback = { spec, words }
  }
  return buyback
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

/** The swap that a preview foresees, before its hook is known to be the project's. */
export const foreseenSwap = (
  { hookSpecifications }: CashOutPreview,
  isBuybackHook: (hook: Address) => boolean,
  slippageBps: number
): Hex | undefined => {
  for (const spec of hookSpecifications.filter(isActive)) {
    const words = isBuybackHook(spec.hook) ? buybackCashOutOf(spec.metadata) : undefined
    const minimum = words === undefined ? undefined : swapMinimum({ spec, words }, slippageBps)
    if (minimum !== undefined) return swapMetadata(spec.hook, minimum)
  }
  return undefined
}
