export const CLONE_FAMILY = {
  implementation: "i",
  factory: "f",
  getter: "g",
  standard: "erc1167",
  association: "a",
  proofs: []
} as const
