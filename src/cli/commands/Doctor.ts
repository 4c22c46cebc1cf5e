import { type Check, checked } from "../Checks.ts"
import type { Command } from "../Command.ts"
import { baseUrlOf, publicClient, serviceFlags } from "../Connection.ts"
import { contractChecks, providerChecks } from "../ExecutionChecks.ts"
import { guardDeployments } from "../GuardDeployment.ts"
import type { Input } from "../Input.ts"
import { nodeChecks } from "../NodeChecks.ts"
import { carrierChecks, manifestChecks, manifestsIn } from "../OperationChecks.ts"
import { rpcAt } from "../Rpc.ts"
import { serviceChecks } from "../ServiceChecks.ts"

const ofNode = async (url: string): Promise<ReadonlyArray<Check>> =>
  (await nodeChecks(rpcAt(url))).map(check => ({ ...check, name: `node ${check.name}` }))

const headersOf = (input: Input): Readonly<Record<string, string>> => {
  const text = input.value("provider-headers")
  if (text === undefined) return {}
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, value]) => [name, String(value)]))
  } catch {
    return input.fail("--provider-headers takes a JSON object.")
  }
}

const ofExecution = async (input: Input): Promise<ReadonlyArray<Check>> => {
  const url = input.value("provider")
  const asked =
    url === undefined ? undefined : { url, headers: headersOf(input), bundle: input.value("bundle") }
  const client = publicClient(input)
  const manifests = await manifestsIn(input.value("manifests"))
  const carriers = { bundler: input.value("bundler"), paymaster: input.value("paymaster") }
  const ofContracts = async (url: string) => {
    const rpc = rpcAt(url)
    return [...(await contractChecks(rpc, client)), ...(await manifestChecks(rpc, manifests))]
  }
  const contracts = await Promise.all(nodesOf(input).map(ofContracts))
  return [
    ...(await providerChecks(asked)),
    ...(await carrierChecks(carriers, manifests)),
    ...contracts.flat().map(check => ({ ...check, name: `node ${check.name}` }))
  ]
}

/** With `--execution` that of the service which runs in this folder, where none is named. */
const nodesOf = (input: Input): ReadonlyArray<string> => {
  const found = input.has("execution") ? input.value("rpc") : undefined
  return found === undefined ? input.all("rpc") : [found, ...input.all("rpc").slice(1)]
}

/** A node can be tried before there is a service to use it. */
const ofService = (input: Input): Promise<ReadonlyArray<Check>> =>
  input.has("rpc") && !input.has("url") && !input.has("execution")
    ? Promise.resolve([])
    : serviceChecks(baseUrlOf(input))

export const doctor: Command = {
  name: "doctor",
  summary:
    "Check the service, with --rpc whether a node serves what the service needs, and with --execution what sponsorship and user operations need.",
  details:
    "With --rpc alone only the node is checked; --execution asks the service for its catalog too. Exit code 6 when a check failed; degraded is no failure.",
  flags: [
    ...serviceFlags,
    {
      name: "execution",
      help: "Look too at what sponsorship needs: the provider, the forwarder and the payment contract; and user operations: the bundler, the paymaster and the manifests' contracts, and what sessions need: their guards. Nothing is published and nothing sent."
    },
    {
      name: "provider",
      value: "<URL>",
      env: "SERVICE_PROVIDER_URL",
      help: "The prepaid provider; by default that of the service that runs in this folder."
    },
    {
      name: "provider-headers",
      value: "<JSON>",
      env: "SERVICE_PROVIDER_HEADERS",
      help: "HTTP headers for the provider."
    },
    {
      name: "bundle",
      value: "<id>",
      help: "A bundle of the provider's, whose answer's form is checked too."
    },
    {
      name: "bundler",
      value: "<URL>",
      help: "A bundler; by default that of the service that runs in this folder."
    },
    {
      name: "paymaster",
      value: "<URL>",
      help: "The paymaster of its chain; by default that of the service that runs in this folder."
    },
    {
      name: "manifests",
      value: "<file>",
      env: "SERVICE_SMART_MANIFESTS",
      help: "Manifests of smart accounts; by default those of the service that runs in this folder."
    },
    {
      name: "deploy-guard",
      help: "Print the transaction that places the guard of sessions for each manifest; nothing is checked, and nothing sent."
    },
    { name: "rpc", value: "<URL>", help: "A JSON-RPC node to check; may be repeated.", repeatable: true }
  ],
  run: async input => {
    if (input.has("deploy-guard")) return guardDeployments(await manifestsIn(input.value("manifests")))
    const nodes = await Promise.all(nodesOf(input).map(ofNode))
    const execution = input.has("execution") ? await ofExecution(input) : []
    return checked([...(await ofService(input)), ...nodes.flat(), ...execution])
  }
}
