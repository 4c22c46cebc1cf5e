/** A wallet got its guard, and with it the policy that was enabled at once. */
import { Either, Schema } from "effect"
import { SESSION_GUARD, WALLET_ADAPTER } from "../../catalog/ExecutionContracts.ts"
import { doubted, exactlyOne, is } from "../../effects/Judgement.ts"
import { type EffectProof, predicate, type Scene } from "../../effects/Predicate.ts"
import { Address, Hex, Uint256 } from "../../values/Scalars.ts"
import { enablingIn } from "../Enabling.ts"
import { enabledAt } from "./SessionEnabled.ts"

const Args = Schema.Struct({
  moduleTypeId: Uint256,
  module: Schema.typeSchema(Address),
  initData: Hex
})

const installed = ({ args: { moduleTypeId, module }, target, logs }: Scene<typeof Args.Type>): EffectProof =>
  Either.map(
    exactlyOne(logs, {
      emitter: target,
      event: "ModuleInstalled",
      about: { module },
      says: { moduleTypeId: is(moduleTypeId) },
      shows: ["moduleTypeId", "module"]
    }),
    found => [found]
  )

/** Of a guard that the catalog knows, at whose installation a policy is enabled. */
const enabled = ({
  args: { module, initData },
  published,
  ...scene
}: Scene<typeof Args.Type>): EffectProof => {
  const guard = published(SESSION_GUARD).find(({ address }) => address === module)
  if (guard === undefined) return doubted("the catalog knows the module for no guard of sessions")
  if (initData === "0x") return Either.right([])
  const enabling = enablingIn(initData)
  return enabling === undefined
    ? doubted("what the guard was told on its installation enables no policy")
    : enabledAt(guard, enabling, scene)
}

export const moduleInstalled = predicate({
  name: "moduleInstalled",
  contractId: WALLET_ADAPTER,
  signature: "installModule(uint256,address,bytes)",
  witnesses: [SESSION_GUARD],
  target: "planned",
  args: Args,
  judge: scene =>
    scene.target.address === scene.account
      ? Either.flatMap(installed(scene), found => Either.map(enabled(scene), others => [...found, ...others]))
      : doubted("the module was for another wallet than the planned one")
})
