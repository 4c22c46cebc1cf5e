/** A project launched with a shop: made by its deployer, whose hook sells the configured tiers, and handed over. */

import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../../../catalog/CloneFamilies.ts"
import { addedTiers } from "../../../effects/AddedTiers.ts"
import { CONTROLLER, HOOK_DEPLOYER, PROJECTS, SHOP_DEPLOYER } from "../../../effects/Contracts.ts"
import { hookAt } from "../../../effects/HookAt.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, type Scene, sole } from "../../../effects/Predicate.ts"
import { LAUNCH_SHOP } from "../../../protocol/ShopFunctions.ts"

const Args = Schema.Struct({
  owner: Schema.String,
  deployTiersHookConfig: Schema.Struct({
    tiersConfig: Schema.Struct({ tiers: Schema.Array(Schema.Unknown) })
  }),
  launchProjectConfig: Schema.Struct({ projectUri: Schema.String, memo: Schema.String })
})

type Launching = Scene<typeof Args.Type>

const handedOver = ({ args, logs, target, published }: Launching) =>
  Either.gen(function* () {
    const projects = yield* sole(published(PROJECTS), PROJECTS)
    const transferred = yield* exactlyOne(logs, {
      emitter: projects,
      event: "Transfer",
      about: { from: target.address, to: args.owner },
      says: {},
      shows: ["to", "tokenId"]
    })
    const created = yield* exactlyOne(logs, {
      emitter: projects,
      event: "Create",
      about: { projectId: transferred.tokenId, caller: target.address },
      says: { owner: is(target.address) },
      shows: ["projectId"]
    })
    return [created, transferred] as const
  })

const judge = (scene: Launching) =>
  Either.gen(function* () {
    const { args, logs, target, published } = scene
    const { projectUri, memo } = args.launchProjectConfig
    const [created, transferred] = yield* handedOver(scene)
    const about = { projectId: created.projectId, caller: target.address }
    const deployed = yield* exactlyOne(logs, {
      emitter: yield* sole(published(HOOK_DEPLOYER), HOOK_DEPLOYER),
      event: "HookDeployed",
      about,
      says: {},
      shows: ["hook"]
    })
    const launched = yield* exactlyOne(logs, {
      emitter: yield* sole(published(CONTROLLER), CONTROLLER),
      event: "LaunchRulesets",
      about,
      says: { projectUri: is(projectUri), memo: is(memo) },
      shows: ["projectId", "rulesetId"]
    })
    const tiers = yield* addedTiers({
      logs,
      hook: yield* hookAt(scene, deployed.hook),
      about: {},
      tiers: args.deployTiersHookConfig.tiersConfig.tiers,
      firstId: 1n
    })
    return [created, deployed, launched, transferred, ...tiers]
  })

const launchShop = predicate({
  name: "launch_721_project",
  contractId: SHOP_DEPLOYER,
  signature: LAUNCH_SHOP,
  witnesses: [PROJECTS, HOOK_DEPLOYER, CONTROLLER, TIERS_HOOK],
  args: Args,
  judge
})

const LAUNCH = `JB721TiersHookProjectDeployer.${LAUNCH_SHOP}` as const

export const prepare721LaunchEffects = planEffects({
  [LAUNCH]: launchShop
})
