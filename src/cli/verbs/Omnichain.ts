import { address, amountField, textField, type Verb, walletBy } from "./Verb.ts"

const sucker = address("sucker", "sucker", "The project's bridge contract on this chain.", { needed: true })

export const omnichainVerbs: ReadonlyArray<Verb> = [
  {
    name: "claim",
    operation: "prepare_bridge_claim",
    summary: "Claim project tokens that were bridged to this chain.",
    details: "Its file holds {claim: {token, leaf, proof}}.",
    example: "service claim --project 5 --sucker 0x… --input claim.json",
    about: "project",
    fields: [sucker]
  },
  {
    name: "sync",
    operation: "prepare_accounting_sync",
    summary: "Send a project's accounting to its peer on another chain.",
    example: "service sync --project 5 --sucker 0x… --max-transport 0.01ether",
    about: "project",
    defaults: { maxTransportValue: "0" },
    fields: [
      sucker,
      amountField(
        "max-transport",
        "maxTransportValue",
        "ether",
        "What the transport may cost; 0 by default",
        {}
      )
    ]
  },
  {
    name: "auto-issue",
    operation: "prepare_auto_issue",
    summary: "Issue a revnet's tokens that a stage set aside for a beneficiary.",
    example: "service auto-issue --project 4 --stage 1700000000",
    about: "project",
    fields: [
      textField("stage", "<id>", "stageId", "The stage: the id of its ruleset.", { needed: true }),
      walletBy("beneficiary", "beneficiary", "For whom they were set aside")
    ]
  }
]
