import { parsedUrl } from "../../values/ParsedUrl.ts"
import { type Check, checked } from "../Checks.ts"
import type { Command, CommandTerminal } from "../Command.ts"
import { baseUrlOf, publicClient, serviceFlags } from "../Connection.ts"
import { contractChecks, providerChecks } from "../ExecutionChecks.ts"
import { guardDeployments } from "../GuardDeployment.ts"
import type { Input } from "../Input.ts"
import { nodeChecks } from "../NodeChecks.ts"
import { carrierChecks, manifestChecks, manifestsIn } from "../OperationChecks.ts"
import { restoredChecks } from "../RestoredChecks.ts"
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
  const carriers = {
    bundler: input.value("bundler"),
    paymaster: input.value("paymaster"),
    context: input.value("paymaster-context")
  }
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

/** With its zone: a backup's time is rarely told by the clock of whoever restores it. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

const sinceIn = (input: Input): number | undefined => {
  const text = input.value("since")
  if (text === undefined) return undefined
  const millis = TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(millis)
    ? input.fail(`--since takes a time such as 2026-01-31T12:00:00Z, not "${text}".`)
    : millis
}

/** By the flag without which they say nothing. */
const NEEDED_BY = {
  restored: ["mark", "keep-grants", "since", "database"],
  mark: ["keep-grants"],
  execution: ["provider", "provider-headers", "bundle", "bundler", "paymaster", "paymaster-context"]
}

/** Who meant to mark a database, or to look at a provider, must not take the checks of a service for it. */
const refuseAlone = (input: Input): void => {
  for (const [needed, flags] of Object.entries(NEEDED_BY)) {
    const alone = input.has(needed) ? undefined : flags.find(flag => input.has(flag))
    if (alone !== undefined) input.fail(`--${alone} needs --${needed}.`)
  }
}

/** Its text has a password, and is not shown. */
const databaseIn = (input: Input): string => {
  const given = input.neededValue("database")
  const protocol = parsedUrl(given)?.protocol
  return protocol === "postgresql:" || protocol === "postgres:"
    ? given
    : input.fail(`${input.variable("database") ?? "--database"} takes a postgresql:// URL.`)
}

const ofRestored = (input: Input, { note }: CommandTerminal): Promise<ReadonlyArray<Check>> =>
  restoredChecks({
    note,
    database: databaseIn(input),
    nodes: input.all("rpc").map(url => rpcAt(url)),
    since: sinceIn(input),
    marks: input.has("mark"),
    keepsGrants: input.has("keep-grants")
  })

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
      name: "paymaster-context",
      value: "<JSON>",
      help: "What the paymaster is given beside an operation, as SERVICE_PAYMASTER_CONTEXT_<chainId> has it; by default nothing."
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
    {
      name: "restored",
      help: "Compare a database that was restored from a backup with the chains of --rpc, and say what of it left since, and what of them it does not know. Nothing is sent."
    },
    {
      name: "database",
      value: "<URL>",
      env: "SERVICE_DATABASE_URL",
      help: "The restored database."
    },
    {
      name: "mark",
      help: "With --restored: say in the database that it was restored, before any service starts on it. Plans with steps that may have left end, as bots' grants do, and requests from before are refused."
    },
    {
      name: "keep-grants",
      help: "With --mark: grants of bots go on, those too that were revoked after the backup."
    },
    {
      name: "since",
      value: "<time>",
      help: "With --restored: when the backup was begun; by default what the last mark keeps, or on a database without one the time of what is stored last."
    },
    { name: "rpc", value: "<URL>", help: "A JSON-RPC node to check; may be repeated.", repeatable: true }
  ],
  run: async (input, terminal) => {
    refuseAlone(input)
    if (input.has("restored")) return checked(await ofRestored(input, terminal))
    if (input.has("deploy-guard")) return guardDeployments(await manifestsIn(input.value("manifests")))
    const nodes = await Promise.all(nodesOf(input).map(ofNode))
    const execution = input.has("execution") ? await ofExecution(input) : []
    return checked([...(await ofService(input)), ...nodes.flat(), ...execution])
  }
}
