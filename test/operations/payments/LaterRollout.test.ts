import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AbiCoder } from "ethers"
import { runQuotePay } from "../../../src/operations/payments/quote_pay/Run.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import {
  ACCOUNT,
  BENEFICIARY,
  paidProject,
  primaryTerminalOf,
  registeredBuyback,
  registeredRouter,
  type Spec,
  specOf,
  terminalsOf,
  useHook,
  words
} from "../support/Payments.ts"
import { NATIVE, PROJECT, ruleset, STRANGER } from "../support/Revnets.ts"

const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"
const ITS_ROUTER = "0x62e2fe718ca3008a6a322deec9903286463f1add"
const BUYBACK = checksummed("0xb222da5a71e8fb89a5a38b7c920eab5dfbc74b91")
const AMOUNT = 1_000n

const input = {
  project: { chainId: 1, projectId: String(PROJECT) },
  account: ACCOUNT,
  token: NATIVE,
  amount: String(AMOUNT),
  beneficiary: BENEFICIARY
}

const previewed = (world: Contracts, contract: string, specs: ReadonlyArray<Spec> = []) =>
  world.says({ contract, function: "previewPayFor", args: [PROJECT, NATIVE, AMOUNT, BENEFICIARY, "0x"] }, [
    ruleset(),
    800n,
    200n,
    specs.map(specOf)
  ])

const asAnswer = (address: string) => ({ result: AbiCoder.defaultAbiCoder().encode(["address"], [address]) })

/** The registry leads payments to the gateway, which names a router and a directory. */
const behindGateway = (
  world: Contracts,
  router: string = ITS_ROUTER,
  directory = world.at("JBDirectory")
) => {
  const [multi, registry] = [world.at("JBMultiTerminal"), world.at("JBRouterTerminalRegistry")]
  return previewed(world, "JBRouterTerminalRegistry")
    .says(primaryTerminalOf(), registry)
    .says(terminalsOf, [multi, registry])
    .says(registeredRouter, GATEWAY)
    .raw(GATEWAY, "0x32fe7b26", asAnswer(router), "Gateway.ROUTER")
    .raw(GATEWAY, "0x88bc2ef3", asAnswer(directory), "Gateway.DIRECTORY")
}

describe("what was published after the pinned inventory", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("takes payments behind its gateway, whose custody the quote warns of", () =>
      Effect.gen(function* () {
        const world = behindGateway(yield* paidProject)
        const { answer, roundTrips } = yield* world.answers(runQuotePay, input)
        const { terminal, terminalPath, routerGateway, route, warnings } = Object(answer)
        assert.deepStrictEqual([route, terminal], ["router-terminal", world.at("JBRouterTerminalRegistry")])
        assert.strictEqual(routerGateway, GATEWAY)
        assert.deepStrictEqual(
          terminalPath.map((address: string) => address.toLowerCase()),
          [terminal.toLowerCase(), GATEWAY.toLowerCase(), ITS_ROUTER]
        )
        assert.isTrue(warnings.some((warning: string) => warning.includes("custody")))
        assert.strictEqual(roundTrips, 2)
        const step = yield* Object.assign(world, { foresees: false }).answers(runQuotePay, input)
        assert.deepStrictEqual([step.answer, step.roundTrips], [answer, 3])
      })
    )

    it.effect("is not trusted where the gateway names a stranger", () =>
      Effect.gen(function* () {
        const world = yield* paidProject
        for (const change of [
          () => behindGateway(world, STRANGER),
          () => behindGateway(world, ITS_ROUTER, STRANGER),
          () => behindGateway(world).raw(GATEWAY, "0x32fe7b26", { result: "0x" }, "Gateway.ROUTER")
        ]) {
          const { refused } = yield* change().answers(runQuotePay, input)
          assert.include(["UNSUPPORTED_ROUTER_GATEWAY", "RPC_INVALID_RESPONSE"], refused, String(change))
        }
      })
    )

    it.effect("quotes a buyback by the words of its hook", () =>
      Effect.gen(function* () {
        const world = yield* paidProject
        useHook(world, "useDataHookForPay", world.at("JBBuybackHookRegistry")).says(
          registeredBuyback,
          BUYBACK
        )
        const said: Array<bigint | Address> = Array.from({ length: 17 }, () => 0n)
        said[4] = world.at("JBController")
        said[11] = 5_000n
        previewed(world, "JBMultiTerminal", [{ hook: BUYBACK, amount: AMOUNT, metadata: words(said) }])
        const { answer } = yield* world.answers(runQuotePay, input)
        assert.deepInclude(Object(answer), {
          quoteBasis: "buyback-hook-indicative-output",
          beneficiaryTokenCount: "5000"
        })
        assert.strictEqual(Object(answer).routeEvidence.buybackHook, BUYBACK)
      })
    )
  })
})
