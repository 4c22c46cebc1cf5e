/** A new revnet as configured, which its deployer gave to the owner of all revnets. Free: its rulesets. */

import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../../../catalog/CloneFamilies.ts"
import { addedTiers } from "../../../effects/AddedTiers.ts"
import {
  HOOK_DEPLOYER,
  PROJECTS,
  REVNET_DEPLOYER,
  REVNET_OWNER,
  SUCKER_REGISTRY
} from "../../../effects/Contracts.ts"
import type { Emitter, EventFields } from "../../../effects/Events.ts"
import { hookAt } from "../../../effects/HookAt.ts"
import { atMostOne, doubted, eventsAbout, exactlyOne, is, type Verdict } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, type Scene, sole } from "../../../effects/Predicate.ts"
import { DEPLOY_REVNET, DEPLOY_REVNET_WITH_SHOP } from "../../../protocol/RevnetFunctions.ts"
import { canonicalJson } from "../../../values/CanonicalJson.ts"

const Args = Schema.Struct({
  revnetId: Schema.String,
  configuration: Schema.Unknown,
  suckerDeploymentConfiguration: Schema.Struct({
    deployerConfigurations: Schema.Array(Schema.Unknown),
    salt: Schema.String
  }),
  tiered721HookConfiguration: Schema.optional(
    Schema.Struct({
      baseline721HookConfiguration: Schema.Struct({
        tiersConfig: Schema.Struct({ tiers: Schema.Array(Schema.Unknown) })
      })
    })
  )
})

type Deploying = Scene<typeof Args.Type>

const sorted = (values: ReadonlyArray<unknown>) => values.map(canonicalJson).sort()

/** One for each configuration, in whatever order. */
const suckersOf = (
  { args, logs, target }: Deploying,
  emitter: Emitter,
  projectId: unknown
): Verdict<ReadonlyArray<EventFields>> => {
  const event = "SuckerDeployedFor"
  const wanted = args.suckerDeploymentConfiguration.deployerConfigurations
  const about = { projectId, caller: target.address }
  return Either.flatMap(eventsAbout(logs, { emitter, event, about }), found => {
    if (found.length !== wanted.length)
      return doubted(`${found.length} suckers were deployed instead of ${wanted.length}`)
    const [deployed, planned] = [sorted(found.map(({ configuration }) => configuration)), sorted(wanted)]
    return deployed.every((configuration, index) => configuration === planned[index])
      ? Either.right(found.map(({ sucker }) => ({ event, projectId, sucker })))
      : doubted(`the ${event} event has another configuration`)
  })
}

/** The project is made by the deployer for itself and handed over. */
const handedOver = ({ logs, target, published }: Deploying, revnetId: unknown) =>
  Either.gen(function* () {
    const projects = yield* sole(published(PROJECTS), PROJECTS)
    const owner = yield* sole(published(REVNET_OWNER), REVNET_OWNER)
    const created = yield* exactlyOne(logs, {
      emitter: projects,
      event: "Create",
      about: { projectId: revnetId, caller: target.address },
      says: { owner: is(target.address) },
      shows: ["projectId"]
    })
    const initialized = yield* exactlyOne(logs, {
      emitter: owner,
      event: "InitializeRevnet",
      about: { revnetId, caller: target.address },
      says: {},
      shows: ["revnetId"]
    })
    const transferred = yield* exactlyOne(logs, {
      emitter: projects,
      event: "Transfer",
      about: { from: target.address, tokenId: revnetId },
      says: { to: is(owner.address) },
      shows: ["to", "tokenId"]
    })
    return [created, initialized, transferred]
  })

/** The usual shop is empty; one that was configured has to be there, and to tell of no other tiers. */
const shopOf = (scene: Deploying, projectId: unknown) =>
  Either.gen(function* () {
    const { args, logs, published, target } = scene
    const expected = {
      emitter: yield* sole(published(HOOK_DEPLOYER), HOOK_DEPLOYER),
      event: "HookDeployed",
      about: { projectId, caller: target.address },
      says: {},
      shows: ["hook"]
    }
    const shop = args.tiered721HookConfiguration
    if (shop === undefined) return yield* atMostOne(logs, expected)
    const deployed = yield* exactlyOne(logs, expected)
    const { tiers } = shop.baseline721HookConfiguration.tiersConfig
    const hook = yield* hookAt(scene, deployed.hook)
    const added = yield* addedTiers({ logs, hook, about: {}, tiers, firstId: 1n })
    return [deployed, ...added]
  })

const judge = (scene: Deploying) =>
  Either.gen(function* () {
    const { args, account, logs, published, target } = scene
    if (args.revnetId !== "0") return yield* doubted("a project that exists becomes a revnet")
    const deployed = yield* exactlyOne(logs, {
      emitter: target,
      event: "DeployRevnet",
      about: { caller: account },
      says: {
        configuration: is(args.configuration),
        suckerDeploymentConfiguration: is(args.suckerDeploymentConfiguration)
      },
      shows: ["revnetId", "encodedConfigurationHash"]
    })
    const handed = yield* handedOver(scene, deployed.revnetId)
    const registry = yield* sole(published(SUCKER_REGISTRY), SUCKER_REGISTRY)
    const suckers = yield* suckersOf(scene, registry, deployed.revnetId)
    const shop = yield* shopOf(scene, deployed.revnetId)
    return [deployed, ...handed, ...suckers, ...shop]
  })

const witnesses = [PROJECTS, REVNET_OWNER, SUCKER_REGISTRY, HOOK_DEPLOYER, TIERS_HOOK]

const shared = { contractId: REVNET_DEPLOYER, witnesses, args: Args, judge }

const deployRevnet = predicate({ name: "deploy_revnet", signature: DEPLOY_REVNET, ...shared })

const deployRevnetWithShop = predicate({
  name: "deploy_revnet_with_shop",
  signature: DEPLOY_REVNET_WITH_SHOP,
  ...shared
})

const DEPLOY = `REVDeployer.${DEPLOY_REVNET}` as const
const DEPLOY_WITH_SHOP = `REVDeployer.${DEPLOY_REVNET_WITH_SHOP}` as const

export const prepareRevnetDeployEffects = planEffects({
  [DEPLOY]: deployRevnet,
  [DEPLOY_WITH_SHOP]: deployRevnetWithShop
})
