/** What a launch says where the contracts are told what to answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { Interface, zeroPadValue } from "ethers"
import { runPrepareLaunch } from "../../../src/operations/rulesets/PrepareLaunch.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { RULESETS_TYPE, TERMINALS_TYPE } from "../../support/Configurations.ts"
import { type Contracts, contracts, pinnedCatalog } from "../support/Contracts.ts"
import { rulesetConfiguration } from "../support/SandboxInputs.ts"

const OWNER = "0x00000000000000000000000000000000000000AA"
const FOREIGN = "0x00000000000000000000000000000000000000bb"
const NATIVE = "0x000000000000000000000000000000000000EEEe"

const controller = new Interface([
  `function launchProjectFor(address owner, string projectUri, ${RULESETS_TYPE} rulesetConfigurations, ${TERMINALS_TYPE} terminalConfigurations, string memo) payable returns (uint256)`
])

const input = (terminals: ReadonlyArray<string>) => ({
  chainId: 1,
  account: OWNER,
  owner: OWNER,
  composition: "core",
  projectUri: "",
  rulesetConfigurations: [rulesetConfiguration],
  terminalConfigurations: terminals.map(terminal => ({
    terminal,
    accountingContextsToAccept: [{ token: NATIVE, decimals: 18, currency: 61_166 }]
  })),
  memo: ""
})

type Input = ReturnType<typeof input>

const own = (hex: string): `0x${string}` => `0x${hex.slice(2)}`

const dataOf = ({ owner, projectUri, rulesetConfigurations, terminalConfigurations, memo }: Input) =>
  own(
    controller.encodeFunctionData("launchProjectFor", [
      owner,
      projectUri,
      rulesetConfigurations,
      terminalConfigurations,
      memo
    ])
  )

const launching = (world: Contracts, given: Input) =>
  world
    .says({ contract: "JBProjects", function: "creationFee" }, 7n)
    .raw(
      world.at("JBController"),
      dataOf(given),
      { result: own(zeroPadValue("0x09", 32)) },
      "JBController.launchProjectFor"
    )

const drafted = (world: Contracts, given: Input) =>
  Effect.gen(function* () {
    const pinned = yield* Effect.fromNullable(world.pinned)
    const { draft } = yield* runPrepareLaunch.prepare(given)
    return yield* Effect.either(Effect.provideService(draft, PinnedContracts, pinned))
  })

describe("prepare_launch", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("warns of terminals that nobody recorded, and of those alone", () =>
      Effect.gen(function* () {
        const world = yield* contracts
        const given = input([world.at("JBMultiTerminal"), world.at("JBRouterTerminalRegistry"), FOREIGN])
        const told = launching(world, given).code(world.at("JBController"), "0x60")
        const draft = yield* Either.mapLeft(yield* drafted(told, given), failure => failure._tag)
        assert.deepStrictEqual(
          draft.warnings.filter(warning => warning.includes("terminals")),
          [`The service does not know these terminals and says nothing about them: ${FOREIGN}.`]
        )
        assert.strictEqual(draft.calls[0]?.value, "7")
        assert.isFalse(draft.warnings.some(warning => warning.includes("does not own the project")))
      })
    )

    it.effect("refuses where the controller has no code", () =>
      Effect.gen(function* () {
        const world = yield* contracts
        const given = input([])
        const refused = yield* drafted(launching(world, given), given)
        assert.strictEqual(Either.isLeft(refused) ? refused.left._tag : "", "DEPLOYMENT_UNAVAILABLE")
      })
    )
  })
})
