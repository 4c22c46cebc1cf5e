import { Refusal } from "../../values/Refusal.ts"

export class No721Shop extends Refusal("NO_721_SHOP") {}
export class NftHookNotInvoked extends Refusal("NFT_HOOK_NOT_INVOKED") {}
export class NftRouterUnsupported extends Refusal("NFT_ROUTER_UNSUPPORTED") {}
export class NftPriceUnavailable extends Refusal("NFT_PRICE_UNAVAILABLE") {}
export class InvalidNftPreview extends Refusal("INVALID_NFT_PREVIEW") {}
export class NftCreditsRestricted extends Refusal("NFT_CREDITS_RESTRICTED") {}
export class NftOverspending extends Refusal("NFT_OVERSPENDING") {}
