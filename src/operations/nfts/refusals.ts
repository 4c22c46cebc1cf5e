import { Refusal } from "../../values/Refusal.ts"

export class No721Shop extends Refusal("NO_721_SHOP") {}
export class NftHookNotInvoked extends Refusal("NFT_HOOK_NOT_INVOKED") {}
export class NftRouterUnsupported extends Refusal("NFT_ROUTER_UNSUPPORTED") {}
export class NftPriceUnavailable extends Refusal("NFT_PRICE_UNAVAILABLE") {}
export class InvalidNftPreview extends Refusal("INVALID_NFT_PREVIEW") {}
export class NftCreditsRestricted extends Refusal("NFT_CREDITS_RESTRICTED") {}
export class NftOverspending extends Refusal("NFT_OVERSPENDING") {}
export class Invalid721Deployer extends Refusal("INVALID_721_DEPLOYER") {}
export class MaxTiersExceeded extends Refusal("MAX_TIERS_EXCEEDED") {}
export class MissingPriceFeed extends Refusal("MISSING_PRICE_FEED") {}
export class NftFlagConflict extends Refusal("NFT_FLAG_CONFLICT") {}
export class NftReserveBeneficiaryRequired extends Refusal("NFT_RESERVE_BENEFICIARY_REQUIRED") {}
export class NftTierNotRemovable extends Refusal("NFT_TIER_NOT_REMOVABLE") {}
export class TokenDecimalsMismatch extends Refusal("TOKEN_DECIMALS_MISMATCH") {}
