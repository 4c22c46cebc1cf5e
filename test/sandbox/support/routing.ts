/** What routing's contracts understand beside the core's, and how its tests act on them. */
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  type Hex,
  type LocalAccount,
  parseAbi
} from "viem"
import type { Sandbox } from "./Sandbox.ts"

export const abi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct PoolInfo { bool isV4; address v3Pool; PoolKey v4Key; }",
  "struct Segment { uint256 minProjectIdExclusive; uint256 maxProjectId; address hook; }",
  "function addToBalanceOf(uint256 projectId, address token, uint256 amount, bool shouldReturnHeldFees, string memo, bytes metadata) payable",
  "function approve(address spender, uint256 value) returns (bool)",
  "function defaultHookHistoryAt(uint256 index) view returns (Segment segment)",
  "function disallowHook(address hook)",
  "function disallowTerminal(address terminal)",
  "function discoverBestPool(address normalizedTokenIn, address normalizedTokenOut) view returns (PoolInfo)",
  "function hookOf(uint256 projectId) view returns (address hook)",
  "function isTrustedForwarder(address forwarder) view returns (bool)",
  "function lockHookFor(uint256 projectId, address expectedHook)",
  "function lockTerminalFor(uint256 projectId, address expectedTerminal)",
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256)",
  "function previewPayFor(uint256 projectId, address token, uint256 amount, address beneficiary, bytes metadata) view",
  "function setChainSpecificConstants(address newPoolManager, address newOracleHook)",
  "function setChainSpecificConstants(address newWrappedNativeToken, address newFactory, address newPoolManager, address newUniv4Hook)",
  "function setDefaultHook(address hook)",
  "function setDefaultTerminal(address terminal)",
  "function setHookFor(uint256 projectId, address hook)",
  "function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)",
  "function setPoolFor(uint256 projectId, PoolKey poolKey, uint256 twapWindow, address terminalToken)",
  "function setTerminalFor(uint256 projectId, address terminal)",
  "function setTwapWindowOf(uint256 projectId, address terminalToken, uint256 newWindow)",
  "error JBBuybackHook_AlreadyConfigured()",
  "error JBBuybackHook_InsufficientPayAmount(uint256 swapAmount, uint256 totalPaid)",
  "error JBBuybackHook_InvalidTwapWindow(uint256 value, uint256 min, uint256 max)",
  "error JBBuybackHook_PoolAlreadySet(bytes32 poolId)",
  "error JBBuybackHook_PoolKeyCurrenciesMismatch()",
  "error JBBuybackHook_PoolNotInitialized(bytes32 poolId)",
  "error JBBuybackHook_PoolNotSet(uint256 projectId, address terminalToken)",
  "error JBBuybackHook_SpecifiedSlippageExceeded(uint256 amount, uint256 minimum)",
  "error JBBuybackHook_TerminalTokenIsProjectToken(address terminalToken, address projectToken)",
  "error JBBuybackHook_Unauthorized(address caller)",
  "error JBBuybackHook_ZeroProjectToken(uint256 projectId)",
  "error JBBuybackHookRegistry_CannotDisallowDefaultHook(address hook)",
  "error JBBuybackHookRegistry_HookLocked(uint256 projectId)",
  "error JBBuybackHookRegistry_HookMismatch(address currentHook, address expectedHook)",
  "error JBBuybackHookRegistry_HookNotAllowed(address hook)",
  "error JBBuybackHookRegistry_ZeroHook(address hook)",
  "error JBPermissioned_Unauthorized(address account, address sender, uint256 projectId, uint256 permissionId)",
  "error JBRouterTerminal_AlreadyConfigured()",
  "error JBRouterTerminal_NoPoolFound(address tokenIn, address tokenOut)",
  "error JBRouterTerminal_Unauthorized(address caller)",
  "error JBRouterTerminalRegistry_CannotDisallowDefaultTerminal(address terminal)",
  "error JBRouterTerminalRegistry_CircularForward(address terminal)",
  "error JBRouterTerminalRegistry_NoMsgValueAllowed(uint256 value)",
  "error JBRouterTerminalRegistry_TerminalLocked(uint256 projectId)",
  "error JBRouterTerminalRegistry_TerminalMismatch(address currentTerminal, address expectedTerminal)",
  "error JBRouterTerminalRegistry_TerminalNotAllowed(address terminal)",
  "error JBRouterTerminalRegistry_ZeroAddress(address terminal)",
  "error JBMultiTerminal_TerminalMigrationToSelf(uint256 projectId, address token)",
  "error JBMultiTerminal_UnderMin(uint256 value, uint256 min)",
  "error OwnableUnauthorizedAccount(address account)"
])

/** A contract that no registry allows. */
export const OTHER: Address = "0x0000000000000000000000000000000000005514"

export const send = (sandbox: Sandbox, account: LocalAccount, name: string, data: Hex) =>
  sandbox.mined(sandbox.client.sendTransaction({ account, to: sandbox.at(name), data }))

/** The error that a call reverts with. */
export const errorOf = async (
  sandbox: Sandbox,
  account: LocalAccount,
  name: string,
  data: Hex,
  value = 0n
) => {
  const failed = await sandbox.client
    .call({ account: account.address, to: sandbox.at(name), data, value })
    .catch((error: unknown) => error)
  if (!(failed instanceof BaseError)) return "none"
  const raw = failed.walk(cause => typeof Object(cause).data === "string" || Object(cause).data?.data)
  const { data: found } = Object(raw)
  return new ContractFunctionRevertedError({ abi, data: found?.data ?? found, functionName: name }).data
    ?.errorName
}
