/** The seeded project whose payments pass a buyback hook and a router, on a chain with a service that plans for it. */
import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  getAddress,
  parseAbi
} from "viem"
import { assert } from "vitest"
import { ROUTED_PROJECT_ID, routedTokenOf, sandboxUsdOf } from "../../../sandbox/families/routing.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { type PlanBench, startPlanBench } from "../../support/PlanBench.ts"

export const ROUTED = { chainId: 31337, projectId: String(ROUTED_PROJECT_ID) }

export const abi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct Permissions { address operator; uint64 projectId; uint8[] permissionIds; }",
  "function allowHook(address hook)",
  "function allowTerminal(address terminal)",
  "function balanceOf(address terminal, uint256 projectId, address token) view returns (uint256)",
  "function hookOf(uint256 projectId) view returns (address hook)",
  "function lockHookFor(uint256 projectId, address expectedHook)",
  "function lockTerminalFor(uint256 projectId, address expectedTerminal)",
  "function poolKeyOf(uint256 projectId, address terminalToken) view returns (PoolKey key)",
  "function setDefaultHook(address hook)",
  "function setHookFor(uint256 projectId, address hook)",
  "function setPrimaryTerminalOf(uint256 projectId, address token, address terminal)",
  "function totalBalanceOf(address holder, uint256 projectId) view returns (uint256 balance)",
  "function setPermissionsFor(address account, Permissions permissionsData)",
  "function setTerminalFor(uint256 projectId, address terminal)",
  "function terminalOf(uint256 projectId) view returns (address terminal)",
  "function twapWindowOf(uint256 projectId, address terminalToken) view returns (uint256)"
])

export const startRoutingBench = async () => {
  const bench = await startPlanBench()
  const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
  const { accounts } = bench.manifest
  return { ...bench, client, mined, usd: sandboxUsdOf(accounts), token: routedTokenOf(accounts) }
}

export type RoutingBench = Awaited<ReturnType<typeof startRoutingBench>>

export const at = ({ manifest }: Pick<PlanBench, "manifest">, name: string): Address =>
  getAddress(manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(`no ${name}`))

type Write = ContractFunctionName<typeof abi, "nonpayable">

/** Straight to the chain, from the account that owns every contract and project. */
export const done = (
  { client, mined, projectOwner }: RoutingBench,
  to: Address,
  functionName: Write,
  args: ContractFunctionArgs<typeof abi, "nonpayable", Write>
) => {
  const data = encodeFunctionData<typeof abi, Write>({ abi, functionName, args })
  return mined(client.sendTransaction({ account: projectOwner.key, to, data }))
}
