export const NATIVE_CURRENCY = 61_166
export const DAY_SECONDS = 86_400
export const SPLITS_TOTAL = 1_000_000_000
