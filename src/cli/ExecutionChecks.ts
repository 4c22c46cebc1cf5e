/** What `doctor --execution` looks at: the prepaid provider, and on each node the contracts through which it executes and is paid. */
import { decodeFunctionResult, isHex, keccak256, parseAbi } from "viem"
import type { ContractDetail } from "../catalog/CatalogSchemas.ts"
import type { PublicClient } from "../client/Client.ts"
import { type Check, degradedCheck, failed, ok } from "./Checks.ts"
import { explain } from "./Explain.ts"
import type { Rpc } from "./Rpc.ts"

const FORWARDER = "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"
const PAYMENTS = "signed-request-service:sandbox/contracts/PrepaidPayments.sol:PrepaidPayments"
const DOMAIN = "0x84b0196e"
const domainAbi = parseAbi([
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)"
])
const DOMAIN_CHECK = "forwarder's domain"
const DEADLINE_MILLIS = 10_000
const NOBODYS = "00000000-0000-0000-0000-000000000000"

export interface AskedProvider {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** One that it has. */
  readonly bundle: string | undefined
}

const bundleFault = (body: unknown, bundle: string): string | undefined => {
  const { bundle_uuid, transactions } = Object(body)
  if (bundle_uuid !== bundle) return "it names another bundle"
  if (!Array.isArray(transactions) || transactions.length === 0) return "it has no transactions"
  const isWhole = (each: unknown): boolean => {
    const { tx_uuid, request, status } = Object(each)
    const { chain, target, data } = Object(request)
    const isCall = Number.isInteger(chain) && isHex(target) && isHex(data)
    return typeof tx_uuid === "string" && isCall && typeof Object(status).state === "string"
  }
  return transactions.every(isWhole) ? undefined : "a transaction lacks its id, request or state"
}

const answered = ({ url, headers }: AskedProvider, bundle: string): Promise<Response> =>
  fetch(new URL(`/v1/bundle/${bundle}`, url), {
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(DEADLINE_MILLIS)
  })

const shapeCheck = async (provider: AskedProvider, bundle: string): Promise<Check> => {
  const name = "provider's answers"
  const answer = await answered(provider, bundle)
  const fault =
    answer.status === 200 ? bundleFault(await answer.json(), bundle) : `it answers ${answer.status}`
  return fault === undefined
    ? ok(name, "of the form that quotes are read from")
    : failed(name, `${fault}; the quotes of such answers stay unverified`)
}

const reachCheck = async (provider: AskedProvider): Promise<Check> => {
  const started = performance.now()
  const { status } = await answered(provider, NOBODYS)
  const detail = `answers ${status} in ${Math.round(performance.now() - started)} ms`
  if ([401, 403].includes(status))
    return failed("provider", `${detail}; check SERVICE_PROVIDER_HEADERS: publications would stay unknown`)
  if (status >= 300 && status < 400)
    return failed("provider", `${detail}; redirects are refused: name where it leads in SERVICE_PROVIDER_URL`)
  return status >= 500
    ? degradedCheck("provider", `${detail}; what is published now stays unknown`)
    : ok("provider", `${detail} for a bundle that nobody has`)
}

/** Nothing is published by them. */
export const providerChecks = async (provider: AskedProvider | undefined): Promise<ReadonlyArray<Check>> => {
  if (provider === undefined)
    return [
      degradedCheck("provider", "none is named here; without SERVICE_PROVIDER_URL nothing is sponsored")
    ]
  const { bundle } = provider
  const unreached = ({ message }: { readonly message: string }) =>
    degradedCheck("provider", `was not reached (${message}); what is published meanwhile stays unknown`)
  const checks = [reachCheck(provider), ...(bundle === undefined ? [] : [shapeCheck(provider, bundle)])]
  return Promise.all(checks.map(check => check.catch(failure => unreached(Object(failure)))))
}

type Instance = ContractDetail["deployments"][number]["instances"][number]

const instancesOf = ({ deployments }: ContractDetail, chainId: number): ReadonlyArray<Instance> =>
  deployments
    .filter(each => each.chainId === chainId)
    .flatMap(({ instances }) => instances)
    .filter(({ retired, clone }) => !retired && !clone)

interface Looked {
  readonly rpc: Rpc
  readonly chainId: number
}

const codeCheck = async (
  { rpc }: Looked,
  name: string,
  instance: Instance,
  means: string
): Promise<Check> => {
  const { address, runtimeCodeHash } = instance
  const code = await rpc.call("eth_getCode", [address, "latest"])
  if (runtimeCodeHash === null) return degradedCheck(name, `${address} has no pinned code; ${means}`)
  return isHex(code) && keccak256(code) === runtimeCodeHash
    ? ok(name, `${address} has the pinned code`)
    : failed(name, `${address} has another code than the pinned; ${means}`)
}

const nameOf = ({ constructorArguments }: Instance): unknown =>
  Object(constructorArguments?.find(each => Object(each).name === "name")).value

const domainCheck = async ({ rpc, chainId }: Looked, instance: Instance): Promise<Check> => {
  const told = await rpc.call("eth_call", [{ to: instance.address, data: DOMAIN }, "latest"])
  const data = isHex(told) ? told : "0x"
  const [fields, name, version, chain, contract] = decodeFunctionResult({
    abi: domainAbi,
    functionName: "eip712Domain",
    data
  })
  const isPinned =
    fields === "0x0f" &&
    name === nameOf(instance) &&
    version === "1" &&
    chain === BigInt(chainId) &&
    contract.toLowerCase() === instance.address.toLowerCase()
  return isPinned
    ? ok(DOMAIN_CHECK, `${name} 1 on chain ${chainId}`)
    : failed(DOMAIN_CHECK, "is not the catalog's; signatures for it would hold nowhere")
}

const forwarderChecks = async (looked: Looked, detail: ContractDetail): Promise<ReadonlyArray<Check>> => {
  const [instance, ...others] = instancesOf(detail, looked.chainId)
  const means = `no plan of chain ${looked.chainId} is sponsored`
  if (instance === undefined || others.length > 0)
    return [degradedCheck("forwarder", `the catalog has ${others.length > 0 ? "several" : "none"}; ${means}`)]
  const domain = domainCheck(looked, instance).catch(() =>
    failed(DOMAIN_CHECK, "is not told; signatures for it would hold nowhere")
  )
  return Promise.all([codeCheck(looked, "forwarder", instance, means), domain])
}

const paymentCheck = async (looked: Looked, detail: ContractDetail): Promise<Check> => {
  const [instance] = instancesOf(detail, looked.chainId)
  const means = `what is asked for on chain ${looked.chainId} is never shown, so it cannot be paid there`
  return instance === undefined
    ? degradedCheck("payment contract", `none is known; ${means} (SERVICE_PROVIDER_PAYMENTS)`)
    : codeCheck(looked, "payment contract", instance, means)
}

/** By the catalog of the service, which knows the payment contracts of its settings. */
export const contractChecks = async (rpc: Rpc, { catalog }: PublicClient): Promise<ReadonlyArray<Check>> => {
  try {
    const looked = { rpc, chainId: Number(await rpc.call("eth_chainId")) }
    const [forwarder, payments] = await Promise.all([catalog.contract(FORWARDER), catalog.contract(PAYMENTS)])
    return [...(await forwarderChecks(looked, forwarder)), await paymentCheck(looked, payments)]
  } catch (failure) {
    return [failed("contracts", explain(failure).message)]
  }
}
