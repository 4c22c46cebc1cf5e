import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetPosition } from "../../../src/operations/projects/get_position/Run.ts"
import { contracts, cuts, pinnedCatalog } from "../support/Contracts.ts"
import { known } from "../support/Known.ts"
import { PROJECT, STRANGER, ZERO } from "../support/Revnets.ts"

const ACCOUNT = "0x00000000000000000000000000000000000000AA"
const TOKEN = "0x00000000000000000000000000000000000000bb"
const input = { project: { chainId: 1, projectId: String(PROJECT) }, account: ACCOUNT }

const controllerOf = { contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }
const tokensGetter = { contract: "JBController", function: "TOKENS" }
const tokenOf = { contract: "JBTokens", function: "tokenOf", args: [PROJECT] }

const chain = Effect.map(contracts, world =>
  world
    .says(controllerOf, world.at("JBController"))
    .says(tokensGetter, world.at("JBTokens"))
    .says({ contract: "JBTokens", function: "creditBalanceOf", args: [ACCOUNT, PROJECT] }, 30n)
    .says({ contract: "JBTokens", function: "totalBalanceOf", args: [ACCOUNT, PROJECT] }, 42n)
    .says(tokenOf, TOKEN)
    .says({ contract: "JBERC20", at: TOKEN, function: "balanceOf", args: [ACCOUNT] }, 12n)
)

const codeOf = (observation: { error?: { code: string } }) => observation.error?.code

describe("get_position", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers credits, tokens and their total as they were read, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runGetPosition, input)
        assert.deepStrictEqual([untold, roundTrips], [[], 3])
        const { nfts, loans, coverage, ...rest } = Object(answer)
        assert.deepInclude(rest, {
          account: ACCOUNT,
          credits: known("30"),
          erc20Balance: known("12"),
          totalBalance: known("42"),
          token: known(TOKEN),
          decimals: 18
        })
        assert.deepStrictEqual([codeOf(nfts), codeOf(loans)], Array(2).fill("INVENTORY_NOT_ENUMERATED"))
        assert.deepStrictEqual(coverage.unknown, ["/nfts", "/loans"])
      })
    )

    it.effect("has no token balance where the project has no token", () =>
      Effect.gen(function* () {
        const world = (yield* chain).says(tokenOf, ZERO)
        const { answer, roundTrips } = yield* world.answers(runGetPosition, input)
        assert.strictEqual(roundTrips, 2)
        assert.deepInclude(Object(answer), { token: known(ZERO), erc20Balance: known(null) })
      })
    )

    it.effect("trusts no balances of tokens that are not the controller's", () =>
      Effect.gen(function* () {
        const world = (yield* chain).says(tokensGetter, STRANGER)
        const { answer } = yield* world.answers(runGetPosition, input)
        const { credits, erc20Balance, totalBalance, token } = Object(answer)
        assert.deepStrictEqual(
          [credits, erc20Balance, totalBalance, token].map(codeOf),
          Array(4).fill("UNSUPPORTED_CONFIGURATION")
        )
      })
    )

    it.effect("refuses a project that is not there and one with another controller", () =>
      Effect.gen(function* () {
        const absent = (yield* chain).says(controllerOf, ZERO)
        assert.strictEqual((yield* absent.answers(runGetPosition, input)).refused, "PROJECT_NOT_FOUND")
        const foreign = (yield* chain).says(controllerOf, STRANGER)
        assert.strictEqual((yield* foreign.answers(runGetPosition, input)).refused, "UNSUPPORTED_CONTROLLER")
      })
    )

    it.effect("says what it could not read", () =>
      Effect.gen(function* () {
        const effects = yield* cuts(yield* chain, runGetPosition, input)
        const coverage = ["coverage.unknown.0 changed", "coverage.unknown.1 changed"]
        const unread = (...names: ReadonlyArray<string>) => names.map(name => `${name}: CALL_REVERTED`)
        const told = Object.fromEntries(
          Object.entries(effects).map(([name, found]) => [
            name,
            typeof found === "string" ? found : found.filter(line => !line.startsWith("coverage"))
          ])
        )
        assert.deepStrictEqual(told, {
          "JBDirectory.controllerOf": "CALL_REVERTED",
          "JBController.TOKENS": unread("credits", "erc20Balance", "totalBalance", "token"),
          "JBTokens.creditBalanceOf": unread("credits"),
          "JBTokens.totalBalanceOf": unread("totalBalance"),
          "JBTokens.tokenOf": unread("erc20Balance", "token"),
          "JBERC20.balanceOf": unread("erc20Balance")
        })
        assert.includeMembers([...(effects["JBTokens.creditBalanceOf"] ?? [])], coverage)
      })
    )
  })
})
