import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { buybackHookCalls } from "../../../src/operations/routing/prepare_buyback_hook/Run.ts"
import { buybackPoolCalls } from "../../../src/operations/routing/prepare_buyback_pool/Run.ts"
import { buybackTwapCalls } from "../../../src/operations/routing/prepare_buyback_twap/Run.ts"
import { routerTerminalCalls } from "../../../src/operations/routing/prepare_router_terminal/Run.ts"
import { agreesWithEthers, anAddress, aProject } from "../../support/Encodings.ts"

/** On Ethereum: the registries, and every generation of the buyback hook. */
const BUYBACK_REGISTRY = "0x72f55a54cd53410a5ff175508a5a384227081788"
const ROUTER_REGISTRY = "0xe0427f250fdb0379c8e98e884ee4570521208cbc"
const aHook = fc.constantFrom<`0x${string}`>(
  "0x77bEe1AD2AC0AcE98a9b5B58D75685c8b4d94948",
  "0xc7C8334b09E43a38c20b43cf0f824E074280b566"
)

const buyback = new Interface([
  "function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)",
  "function setTwapWindowOf(uint256 projectId, address terminalToken, uint256 newWindow)"
])
const hooks = new Interface(["function setHookFor(uint256 projectId, address hook)"])
const routers = new Interface(["function setTerminalFor(uint256 projectId, address terminal)"])

const aWindow = fc.integer({ min: 300, max: 172_800 })
const base = { project: aProject, account: anAddress }
const facts = fc.record({ hook: aHook })

describe("calls of routing plans", () => {
  it("are those that ethers encodes", () => {
    agreesWithEthers({
      id: "prepare_buyback_pool",
      input: fc.record({
        ...base,
        terminalToken: anAddress,
        fee: fc.integer({ min: 0, max: 1_000_000 }),
        tickSpacing: fc.integer({ min: 1, max: 32_767 }),
        twapWindowSeconds: aWindow
      }),
      facts,
      calls: buybackPoolCalls,
      independent: ({ project, fee, tickSpacing, twapWindowSeconds, terminalToken }, { hook }) => {
        const args = [project.projectId, fee, tickSpacing, twapWindowSeconds, terminalToken]
        return [{ to: hook, data: buyback.encodeFunctionData("setPoolFor", args) }]
      }
    })
    agreesWithEthers({
      id: "prepare_buyback_twap",
      input: fc.record({ ...base, terminalToken: anAddress, twapWindowSeconds: aWindow }),
      facts,
      calls: buybackTwapCalls,
      independent: ({ project, twapWindowSeconds, terminalToken }, { hook }) => {
        const args = [project.projectId, terminalToken, twapWindowSeconds]
        return [{ to: hook, data: buyback.encodeFunctionData("setTwapWindowOf", args) }]
      }
    })
  })

  it("of registries are those that ethers encodes", () => {
    agreesWithEthers({
      id: "prepare_buyback_hook",
      input: fc.record({ ...base, hook: anAddress }),
      facts: fc.constant({}),
      calls: buybackHookCalls,
      independent: ({ project, hook }) => [
        { to: BUYBACK_REGISTRY, data: hooks.encodeFunctionData("setHookFor", [project.projectId, hook]) }
      ]
    })
    agreesWithEthers({
      id: "prepare_router_terminal",
      input: fc.record({ ...base, terminal: anAddress }),
      facts: fc.constant({}),
      calls: routerTerminalCalls,
      independent: ({ project, terminal }) => [
        {
          to: ROUTER_REGISTRY,
          data: routers.encodeFunctionData("setTerminalFor", [project.projectId, terminal])
        }
      ]
    })
  })
})
