/** What a launch says where the contracts are told what to answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { Interface, zeroPadValue } from "ethers"
import { runPrepareLaunch } from "../../../src/operations/configuration/prepare_launch/Run.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { RULESETS_TYPE, TERMINALS_TYPE } from "../../support/Configurations.ts"
import { type Contracts, contracts, pinnedCatalog } from "../support/Contracts.ts"
import { rulesetConfiguration } from "../support/SandboxInputs.ts"

const OWNER = "0x00000000000000000000000000000000000000AA"
const FOREIGN = "0x00000000000000000000000000000000000000bb"
const ZERO = "0x0000000000000000000000000000000000000000"
const NATIVE = "0x000000000000000000000000000000000000EEEe"

const controller = new Interface([
  `function launchProjectFor(address owner, string projectUri, ${RULESETS_TYPE} rulesetConfigurations, ${TERMINALS_TYPE} terminalConfigurations, string memo) payable returns (uint256)`
])

const input = (
  terminals: ReadonlyArray<string>,
  rulesetConfigurations: ReadonlyArray<object> = [rulesetConfiguration]
) => ({
  chainId: 1,
  account: OWNER,
  owner: OWNER,
  composition: "core",
  projectUri: "",
  rulesetConfigurations,
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
    .says({ contract: "JBProjects", function: "count" }, 9n)
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
        const told = launching(world, given)
        const draft = yield* Either.mapLeft(yield* drafted(told, given), failure => failure._tag)
        assert.deepStrictEqual(
          draft.warnings.filter(warning => warning.includes("terminals")),
          [`The service does not know these terminals and says nothing about them: ${FOREIGN}.`]
        )
        assert.strictEqual(draft.calls[0]?.value, "7")
        assert.isFalse(draft.warnings.some(warning => warning.includes("does not own the project")))
      })
    )

    it.effect("warns of splits to a project that does not exist, and to the one that it makes", () =>
      Effect.gen(function* () {
        const world = yield* contracts
        const split = {
          percent: 1,
          beneficiary: OWNER,
          preferAddToBalance: false,
          lockedUntil: "0",
          hook: ZERO
        } as const
        const splits = ["8", "9", "10", "7777", "72057594037927936"].map(projectId => ({
          ...split,
          projectId
        }))
        const hooked = { ...split, projectId: "8888", hook: FOREIGN }
        const splitting = {
          ...rulesetConfiguration,
          splitGroups: [
            { groupId: "1", splits },
            { groupId: "61166", splits: [...splits, hooked] }
          ]
        }
        const given = input([], [splitting])
        const told = launching(world, given)
        const draft = yield* Either.mapLeft(yield* drafted(told, given), failure => failure._tag)
        assert.deepStrictEqual(
          draft.warnings.filter(warning => warning.includes("plit") && warning.includes("name")),
          [
            "A split names project 10, the id that this launch gets if no other project is made before: a payout to the project itself fails and stays with it.",
            "Splits name projects 7777, 72057594037927936, which the chain does not have: a payout there fails and stays with the project, until somebody else makes a project of that id.",
            "A split of reserved tokens names project 10, the id that this launch gets if no other project is made before: what is for it goes to the split's beneficiary, unless the project takes payments in its own token.",
            "Splits of reserved tokens name projects 7777, 72057594037927936, which the chain does not have: what is for it goes to the split's beneficiary, until somebody else makes a project of that id."
          ]
        )
      })
    )

    it.effect("warns of every ruleset that the next one replaces before it takes effect", () =>
      Effect.gen(function* () {
        const world = yield* contracts
        const first = {
          ...rulesetConfiguration,
          mustStartAtOrAfter: "0",
          duration: 1_000,
          approvalHook: ZERO
        }
        const given = input([], [first, first, first])
        const told = launching(world, given)
        const draft = yield* Either.mapLeft(yield* drafted(told, given), failure => failure._tag)
        const replaced = draft.warnings.filter(warning => warning.includes("never takes effect"))
        assert.lengthOf(replaced, 1)
        assert.match(
          replaced[0] ?? "",
          /^Configuration 1 never takes effect: configuration 2 takes its place/
        )
      })
    )

    it.effect("refuses where the controller has no code", () =>
      Effect.gen(function* () {
        const world = yield* contracts
        const given = input([])
        const told = launching(world, given).code(world.at("JBController"), "0x")
        const refused = yield* drafted(told, given)
        assert.strictEqual(Either.isLeft(refused) ? refused.left._tag : "", "DEPLOYMENT_UNAVAILABLE")
      })
    )
  })
})
