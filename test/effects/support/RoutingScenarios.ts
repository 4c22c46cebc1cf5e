import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import { ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import {
  BUYBACK,
  BUYBACK_REGISTRY,
  CONTROLLER,
  ROUTER,
  ROUTER_REGISTRY,
  TERMINAL,
  TOKEN
} from "./ContractIds.ts"
import { minted, tiersAsked } from "./PaymentScenarios.ts"
import { ACCOUNT, BENEFICIARY, callTo, deployment, HOLDER, NATIVE, OTHER, POOL } from "./Receipts.ts"
import { atLeast, CYCLE, cycle, type Evented, type Scenario, terminalAddress } from "./Scenario.ts"

const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

const led = (by: string, metadata = "0xab"): Evented => ({
  contractId: TERMINAL,
  event: "Pay",
  role: "proof",
  fields: {
    ...cycle,
    projectId: "2",
    payer: by,
    beneficiary: BENEFICIARY,
    amount: "998",
    newlyIssuedTokenCount: "5",
    memo: "thänks",
    metadata,
    caller: by
  },
  identity: ["projectId", "payer", "beneficiary", "memo", "metadata", "caller"],
  free: [...CYCLE, "amount", "newlyIssuedTokenCount"]
})

const ledShown = {
  event: "Pay",
  projectId: "2",
  beneficiary: BENEFICIARY,
  amount: "998",
  newlyIssuedTokenCount: "5"
}

const issued: Evented = {
  contractId: CONTROLLER,
  event: "MintTokens",
  role: "proof",
  repeats: true,
  fields: {
    beneficiary: BENEFICIARY,
    projectId: "2",
    tokenCount: "6",
    beneficiaryTokenCount: "5",
    memo: "",
    reservedPercent: "1000",
    caller: terminalAddress
  },
  identity: ["projectId", "beneficiary"],
  free: ["tokenCount", "memo", "reservedPercent", "caller"],
  wrong: { beneficiaryTokenCount: "4" },
  allows: { beneficiaryTokenCount: atLeast(5n) }
}

const registry = deployment(ROUTER_REGISTRY).address
const router = deployment(ROUTER).address

export const payRoutedNative: Scenario = {
  name: "a payment that the registry leads straight to the terminal",
  verifier: "pay_routed",
  call: callTo(ROUTER_REGISTRY, PAY, ["2", NATIVE, "1000", BENEFICIARY, "0", "thänks", "0xab"], {
    value: "1000"
  }),
  emissions: [led(registry)],
  events: [ledShown],
  namesNoWallet: true
}

export const payRoutedToken: Scenario = {
  name: "a payment of a token that a router leads to the terminal",
  verifier: "pay_routed",
  call: callTo(ROUTER_REGISTRY, PAY, [
    "2",
    deployment(TOKEN).address,
    "1000",
    BENEFICIARY,
    "5",
    "thänks",
    "0xab"
  ]),
  emissions: [
    issued,
    {
      contractId: TOKEN,
      event: "Transfer",
      role: "proof",
      fields: { from: ACCOUNT, to: registry, value: "1000" },
      identity: ["from", "to"],
      free: []
    },
    led(router)
  ],
  events: [
    ledShown,
    { event: "MintTokens", beneficiaryTokenCount: "5" },
    { event: "Transfer", from: ACCOUNT, to: registry, value: "1000" }
  ]
}

const TIERS_METADATA = tiersAsked([5n, 9n])

export const payRoutedForTiers: Scenario = {
  name: "a payment for tiers that a router leads to the terminal",
  verifier: "pay_routed",
  call: callTo(ROUTER_REGISTRY, PAY, ["2", NATIVE, "1000", BENEFICIARY, "0", "thänks", TIERS_METADATA], {
    value: "1000"
  }),
  emissions: [...minted("5000000001", "5"), ...minted("9000000007", "9"), led(router, TIERS_METADATA)],
  events: [
    ledShown,
    { event: "Mint", tokenId: "5000000001", tierId: "5" },
    { event: "Mint", tokenId: "9000000007", tierId: "9" }
  ],
  namesNoWallet: true
}

const key = { currency0: ZERO_ADDRESS, currency1: OTHER, fee: 3000, tickSpacing: 60, hooks: HOLDER }

const added = (terminalToken: string, poolId: string): Evented => ({
  contractId: BUYBACK,
  event: "PoolAdded",
  role: "proof",
  fields: { projectId: "2", terminalToken, poolId, caller: ACCOUNT },
  identity: ["projectId", "terminalToken"],
  free: []
})

const windowed = (terminalToken: string, newWindow: string): Evented => ({
  contractId: BUYBACK,
  event: "TwapWindowChanged",
  role: "proof",
  fields: { projectId: "2", terminalToken, oldWindow: "0", newWindow, caller: ACCOUNT },
  identity: ["projectId", "terminalToken"],
  free: ["oldWindow"]
})

export const setPool: Scenario = {
  name: "a pool for ether",
  verifier: "set_pool",
  call: callTo(BUYBACK, "setPoolFor(uint256,uint24,int24,uint256,address)", [
    "2",
    "3000",
    "60",
    "1800",
    NATIVE
  ]),
  emissions: [added(ZERO_ADDRESS, POOL), windowed(ZERO_ADDRESS, "1800")],
  events: [
    { event: "PoolAdded", projectId: "2", terminalToken: ZERO_ADDRESS, poolId: POOL },
    { event: "TwapWindowChanged", newWindow: "1800" }
  ]
}

export const setPoolByKey: Scenario = {
  name: "a pool given by its key, with the longest window",
  verifier: "set_pool_by_key",
  call: callTo(BUYBACK, "setPoolFor(uint256,(address,address,uint24,int24,address),uint256,address)", [
    "2",
    { ...key, fee: "3000", tickSpacing: "60" },
    "172800",
    NATIVE
  ]),
  emissions: [
    added(ZERO_ADDRESS, poolIdOf(key)),
    { ...windowed(ZERO_ADDRESS, "1800"), allows: { newWindow: value => value === "172800" } }
  ],
  events: [
    { event: "PoolAdded", projectId: "2", terminalToken: ZERO_ADDRESS, poolId: poolIdOf(key) },
    { event: "TwapWindowChanged", newWindow: "1800" }
  ]
}

export const setTwapWindow: Scenario = {
  name: "a window for a token",
  verifier: "set_twap_window",
  call: callTo(BUYBACK, "setTwapWindowOf(uint256,address,uint256)", ["2", OTHER, "172800"]),
  emissions: [{ ...windowed(OTHER, "172800"), wrong: { newWindow: "1800" } }],
  events: [
    {
      event: "TwapWindowChanged",
      projectId: "2",
      terminalToken: OTHER,
      oldWindow: "0",
      newWindow: "172800"
    }
  ]
}

export const setBuybackHook: Scenario = {
  name: "a buyback hook",
  verifier: "set_buyback_hook",
  call: callTo(BUYBACK_REGISTRY, "setHookFor(uint256,address)", ["2", OTHER]),
  emissions: [
    {
      contractId: BUYBACK_REGISTRY,
      event: "JBBuybackHookRegistry_SetHook",
      role: "proof",
      fields: { projectId: "2", hook: OTHER, caller: ACCOUNT },
      identity: ["projectId"],
      free: []
    }
  ],
  events: [{ event: "JBBuybackHookRegistry_SetHook", projectId: "2", hook: OTHER }]
}

export const setRouterTerminal: Scenario = {
  name: "a router",
  verifier: "set_router_terminal",
  call: callTo(ROUTER_REGISTRY, "setTerminalFor(uint256,address)", ["2", OTHER]),
  emissions: [
    {
      contractId: ROUTER_REGISTRY,
      event: "JBRouterTerminalRegistry_SetTerminal",
      role: "proof",
      fields: { projectId: "2", terminal: OTHER, caller: ACCOUNT },
      identity: ["projectId"],
      free: []
    }
  ],
  events: [{ event: "JBRouterTerminalRegistry_SetTerminal", projectId: "2", terminal: OTHER }]
}
