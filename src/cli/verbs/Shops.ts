import { amountField, flagged, integers, slippage, token, type Verb, walletBy } from "./Verb.ts"

export const shops: ReadonlyArray<Verb> = [
  {
    name: "shop pay",
    operation: "prepare_721_pay",
    summary: "Pay a project for NFTs of its tiers.",
    example: "service shop pay --project 3 --tier 1 --tier 1 --amount 0.02ether",
    about: "project",
    fields: [
      integers("tier", "<id>", "tierIds", "A tier, as often as it is bought.", { needed: true }),
      token("token", "What is paid"),
      amountField("amount", "amount", "ether", "How much"),
      walletBy("beneficiary", "beneficiary", "Who gets the NFTs"),
      slippage,
      flagged("allow-overspending", "allowOverspending", "Let what is paid beyond the prices become credits.")
    ]
  },
  {
    name: "shop adjust",
    operation: "prepare_adjust_tiers",
    summary: "Add tiers to a project's shop and remove others.",
    details: "Its file holds {tiersToAdd}, ordered by category.",
    example: "service shop adjust --project 3 --remove 2 --input tiers.json",
    about: "project",
    defaults: { tiersToAdd: [], tierIdsToRemove: [] },
    fields: [integers("remove", "<tier id>", "tierIdsToRemove", "A tier to remove; may be repeated.")]
  }
]
