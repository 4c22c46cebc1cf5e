import { Schema } from "effect"

/** What a hook is that may act on a payment or a cash out. */
export const HookKind = Schema.Literal("revnet", "omnichain", "buybackRegistry", "buyback", "nft")
