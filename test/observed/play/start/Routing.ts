/** The default hook and router, set when there were seven projects. */
import { encodeFunctionData, parseAbi, zeroAddress } from "viem"
import { named } from "../Placed.ts"
import { type Sent, sent } from "./Sent.ts"

const routingAbi = parseAbi([
  "function setChainSpecificConstants(address newPoolManager, address newOracleHook)",
  "function setChainSpecificConstants(address newWrappedNativeToken, address newFactory, address newPoolManager, address newUniv4Hook)",
  "function setDefaultHook(address hook)",
  "function setDefaultTerminal(address terminal)"
])

export const routing: ReadonlyArray<Sent> = [
  sent(
    named("JBBuybackHook"),
    encodeFunctionData({
      abi: routingAbi,
      functionName: "setChainSpecificConstants",
      args: [named("PoolManager"), named("JBUniswapV4Hook")]
    })
  ),
  sent(
    named("JBBuybackHookRegistry"),
    encodeFunctionData({ abi: routingAbi, functionName: "setDefaultHook", args: [named("JBBuybackHook")] })
  ),
  sent(
    named("JBRouterTerminal"),
    encodeFunctionData({
      abi: routingAbi,
      functionName: "setChainSpecificConstants",
      args: [named("WETH"), zeroAddress, named("PoolManager"), named("JBUniswapV4Hook")]
    })
  ),
  sent(
    named("JBRouterTerminalRegistry"),
    encodeFunctionData({
      abi: routingAbi,
      functionName: "setDefaultTerminal",
      args: [named("JBRouterTerminal")]
    })
  )
]
