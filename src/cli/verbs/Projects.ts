import { memoField, textField, type Verb, walletBy } from "./Verb.ts"

const owner = walletBy("owner", "owner", "Who owns the project")
const uri = textField("uri", "<URI>", "projectUri", "Where the project's metadata is.")

export const projectVerbs: ReadonlyArray<Verb> = [
  {
    name: "launch",
    operation: "prepare_launch",
    summary: "Launch a project of core contracts.",
    details:
      "Its file holds {rulesetConfigurations, terminalConfigurations}. The project's id is known when the launch is mined; its events are shown at the end.",
    example: "service launch --input launch.json --uri ipfs://…",
    about: "chain",
    defaults: { composition: "core", projectUri: "" },
    fields: [owner, uri, memoField]
  },
  {
    name: "queue-ruleset",
    operation: "prepare_ruleset_change",
    summary: "Queue rulesets of a project, compared with what is in force.",
    details: "Its file holds {rulesetConfigurations}.",
    example: "service queue-ruleset --project 2 --input rulesets.json",
    about: "project",
    fields: [memoField]
  },
  {
    name: "shop launch",
    operation: "prepare_721_launch",
    summary: "Launch a project with a shop of NFT tiers.",
    details: "Its file holds {deployTiersHookConfig, rulesetConfigurations, terminalConfigurations, salt}.",
    example: "service shop launch --input shop.json",
    about: "chain",
    defaults: { projectUri: "" },
    fields: [owner, uri, memoField]
  },
  {
    name: "revnet deploy",
    operation: "prepare_revnet_deploy",
    summary: "Deploy a revnet, which nobody owns.",
    details: "Its file holds {config, accountingContexts, suckerConfig?, tiered721Config?, allowedPosts?}.",
    example: "service revnet deploy --input revnet.json",
    about: "chain",
    fields: []
  }
]
