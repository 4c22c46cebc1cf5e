/** Turns environment variables into settings, or into one problem for each variable that is wrong. */
import { Either, Redacted, Schema } from "effect"
import { checksummed } from "../values/Checksum.ts"
import { faultyPlace } from "./FaultyPlace.ts"
import { integerKind, type Kind } from "./kinds.ts"
import { nearest } from "./nearest.ts"
import { isPasskeyHost } from "./payments.ts"
import { optionals, requiredSettings, settingFamilies } from "./register.ts"
import type { ChainSettings, DecodedSettings, PaymentContract } from "./Settings.ts"
import { withoutServiceLinks } from "./serviceLinks.ts"
import type { OptionalVariable, Variable } from "./Variable.ts"

export type Environment = Readonly<Record<string, string | undefined>>

export interface SettingProblem {
  readonly variable: string
  readonly fault: string
  readonly fix: string
}

export const problemLine = ({ variable, fault, fix }: SettingProblem): string =>
  `${variable}: ${fault}; ${fix}.`

const MAXIMUM_RAW_BYTES = 131_072
const MAXIMUM_ACCESS_LIST_ITEMS = 256

const RPC = "SERVICE_RPC_"
const CONFIRMATIONS = "SERVICE_CONFIRMATIONS_"
const BUNDLER = "SERVICE_BUNDLER_"
const PAYMASTER = "SERVICE_PAYMASTER_"
const CONTEXT = "SERVICE_PAYMASTER_CONTEXT_"
/** What is longer comes before what it begins with. */
const FAMILIES = [RPC, CONFIRMATIONS, BUNDLER, CONTEXT, PAYMASTER]
const familyOf = (variable: string): string | undefined => FAMILIES.find(each => variable.startsWith(each))

const PUBLIC_PAYMENTS: ReadonlyArray<PaymentContract> = [1, 10, 8453, 42161].map(chainId => ({
  chainId,
  address: checksummed("0x1c05f7841379d4393574c0ffa17908ec40ffd97d"),
  runtimeCodeHash: "0x6006b5acadb4cd60aa5c00cb844c34563e182dff83d4f4ff4fde226f7df16fa6"
}))

const EMBEDDED_CHAIN = 31_337

const chainIdKind = integerKind(1, Number.MAX_SAFE_INTEGER, "a chain id")

const shown = ({ secret }: { readonly secret: boolean }, text: string): string =>
  secret ? "the value (not shown)" : JSON.stringify(text.replace(/\/\/.*@/, "//…@").slice(0, 80))

/** One pass over the environment; a variable that is empty counts as absent. */
class Reading {
  readonly problems: Array<SettingProblem> = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string): string | undefined {
    return this.#environment[name] || undefined
  }

  names(): ReadonlyArray<string> {
    return Object.keys(this.#environment).filter(name => name.startsWith("SERVICE_") && this.text(name))
  }

  required<A>(variable: Variable<A>, name = variable.name): A {
    const given = this.decode(variable, name, `give one or leave it out for ${variable.standard}`)
    return given ?? Schema.decodeSync(variable.schema)(variable.standard)
  }

  optional<A>(variable: OptionalVariable<A>, name = variable.name): A | undefined {
    return this.decode(variable, name, `give that or leave it out (${variable.absent})`)
  }

  decode<A>(kind: Kind<A>, name: string, fix: string): A | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const decoded = Schema.decodeEither(kind.schema)(text)
    if (Either.isRight(decoded)) return decoded.right
    const fault = `${shown(kind, text)} is not ${kind.what}${faultyPlace(kind, decoded.left)}`
    this.problems.push({ variable: name, fault, fix })
    return undefined
  }
}

const singles: ReadonlyArray<string> = [...Object.values(requiredSettings), ...Object.values(optionals)].map(
  ({ name }) => name
)

const noteUnknown = (reading: Reading): void => {
  for (const variable of reading.names()) {
    if (singles.includes(variable) || familyOf(variable) !== undefined) continue
    const meant = nearest(variable, singles)
    const fix =
      meant === undefined
        ? "remove it or look its name up in the settings table"
        : `perhaps ${meant} is meant`
    reading.problems.push({ variable, fault: "there is no such setting", fix })
  }
}

const chainIds = (reading: Reading, prefix: string): ReadonlyArray<number> =>
  reading.names().flatMap(variable => {
    if (familyOf(variable) !== prefix) return []
    const suffix = variable.slice(prefix.length)
    const decoded = Schema.decodeOption(chainIdKind.schema)(suffix)
    if (decoded._tag === "Some") return [decoded.value]
    reading.problems.push({
      variable,
      fault: `${JSON.stringify(suffix)} is not a chain id`,
      fix: `name the chain by its number, such as ${prefix}1`
    })
    return []
  })

/** Of a variable that says more of chains which another one names. */
const chainIdsAmong = (
  reading: Reading,
  prefix: string,
  { named, ids }: { readonly named: string; readonly ids: ReadonlyArray<number> }
): ReadonlyArray<number> => {
  const told = chainIds(reading, prefix)
  for (const chainId of told.filter(each => !ids.includes(each)))
    reading.problems.push({
      variable: `${prefix}${chainId}`,
      fault: `there is no ${named}${chainId}`,
      fix: `set ${named}${chainId} too or remove it`
    })
  return told
}

const readChains = (reading: Reading): ReadonlyArray<ChainSettings> => {
  const configured = chainIds(reading, RPC)
  chainIdsAmong(reading, CONFIRMATIONS, { named: RPC, ids: configured })
  return configured
    .toSorted((a, b) => a - b)
    .map(chainId => ({
      chainId,
      urls: reading.optional(settingFamilies.rpc, `${RPC}${chainId}`) ?? [],
      confirmations: reading.required(settingFamilies.confirmations, `${CONFIRMATIONS}${chainId}`)
    }))
}

const readPorts = (reading: Reading): { readonly port: number; readonly opsPort: number } => {
  const port = reading.required(requiredSettings.port)
  const opsPort = reading.required(requiredSettings.opsPort)
  if (port === opsPort)
    reading.problems.push({
      variable: requiredSettings.opsPort.name,
      fault: `${opsPort} is the port of the public API too`,
      fix: `give it another port than ${requiredSettings.port.name}`
    })
  return { port, opsPort }
}

const readPlans = (reading: Reading): DecodedSettings["plans"] => ({
  ttlSeconds: reading.required(requiredSettings.planTtl),
  maximumGas: reading.required(requiredSettings.maximumGas),
  maximumFeePerGas: reading.required(requiredSettings.maximumFeePerGas),
  maximumTransactionCost: reading.required(requiredSettings.maximumTransactionCost),
  maximumRawBytes: MAXIMUM_RAW_BYTES,
  maximumAccessListItems: MAXIMUM_ACCESS_LIST_ITEMS
})

const readSponsorship = (reading: Reading): DecodedSettings["sponsorship"] => ({
  providerUrl: reading.optional(optionals.providerUrl),
  providerHeaders: reading.optional(optionals.providerHeaders) ?? Redacted.make({}),
  requestSeconds: reading.required(requiredSettings.forwardTtl),
  maximumGas: reading.required(requiredSettings.forwardMaximumGas),
  maximumFunding: reading.required(requiredSettings.maximumFunding),
  payments: reading.optional(optionals.providerPayments) ?? PUBLIC_PAYMENTS,
  recordsPerAccount: reading.required(requiredSettings.sponsorshipCap)
})

/** Without a configured chain there is the embedded one. */
const readOperations = (
  reading: Reading,
  chains: ReadonlyArray<ChainSettings>
): DecodedSettings["userOperations"] => {
  const ids = chains.length === 0 ? [EMBEDDED_CHAIN] : chains.map(({ chainId }) => chainId)
  const bundling = chainIdsAmong(reading, BUNDLER, { named: RPC, ids })
  const carried = { named: BUNDLER, ids: chains.length === 0 ? ids : bundling }
  const paying = chainIdsAmong(reading, PAYMASTER, carried)
  chainIdsAmong(reading, CONTEXT, { named: PAYMASTER, ids: paying })
  const { bundler, paymaster, paymasterContext } = settingFamilies
  return {
    bundlers: bundling.map(chainId => ({
      chainId,
      urls: reading.optional(bundler, `${BUNDLER}${chainId}`) ?? []
    })),
    paymasters: paying.flatMap(chainId => {
      const url = reading.optional(paymaster, `${PAYMASTER}${chainId}`)
      const context = reading.optional(paymasterContext, `${CONTEXT}${chainId}`) ?? Redacted.make({})
      return url === undefined ? [] : [{ chainId, url, context }]
    }),
    maximumGas: reading.required(requiredSettings.operationGas),
    recordsPerAccount: reading.required(requiredSettings.operationCap),
    traceBatches: reading.required(requiredSettings.traceBatches) === "on"
  }
}

/** The embedded chain has one of its own. */
const readSandboxManifest = (
  reading: Reading,
  chains: ReadonlyArray<ChainSettings>
): DecodedSettings["sandboxManifest"] => {
  const { sandboxManifest } = optionals
  const given = reading.optional(sandboxManifest)
  if (given !== undefined && chains.length === 0)
    reading.problems.push({
      variable: sandboxManifest.name,
      fault: "no chain is configured whose contracts it could tell",
      fix: `set ${RPC}<chainId> too or remove it (${sandboxManifest.absent})`
    })
  return given
}

const readIndexer = (reading: Reading): DecodedSettings["indexer"] => ({
  mainnetUrl: reading.optional(optionals.indexerMainnet),
  testnetUrl: reading.optional(optionals.indexerTestnet),
  headers: reading.optional(optionals.indexerHeaders) ?? Redacted.make({})
})

const readLog = (reading: Reading): DecodedSettings["log"] => ({
  level: reading.required(requiredSettings.logLevel),
  format: reading.required(requiredSettings.logFormat)
})

const readWalletPayments = (reading: Reading, audience: string): DecodedSettings["walletPayments"] => {
  const given = reading.optional(optionals.walletPayments)
  if (given !== undefined && !isPasskeyHost(audience, given.rpId))
    reading.problems.push({
      variable: optionals.walletPayments.name,
      fault: `pages of ${audience} may not use passkeys of ${given.rpId}`,
      fix: `name the host of ${optionals.audience.name} as rpId, or a domain that it is under`
    })
  return given
}

const readQuotas = (reading: Reading): DecodedSettings["quotas"] => ({
  owner: reading.required(requiredSettings.ownerQuota),
  bots: reading.required(requiredSettings.botQuota),
  address: reading.required(requiredSettings.addressQuota),
  rpc: reading.required(requiredSettings.rpcQuota)
})

const readReadiness = (reading: Reading) => ({
  needs: reading.optional(optionals.readyNeeds) ?? [],
  deadlineMillis: reading.required(requiredSettings.readyDeadline)
})

const readSettings = (reading: Reading): DecodedSettings => {
  const ports = readPorts(reading)
  const chains = readChains(reading)
  const audience = reading.optional(optionals.audience) ?? `http://localhost:${ports.port}`
  return {
    ...ports,
    localChain: reading.required(requiredSettings.localChain),
    chainPort: reading.required(requiredSettings.chainPort),
    host: reading.required(requiredSettings.host),
    audience,
    dataDirectory: reading.required(requiredSettings.dataDirectory),
    databaseUrl: reading.optional(optionals.databaseUrl),
    databaseConnections: reading.required(requiredSettings.databaseConnections),
    processes: reading.required(requiredSettings.processes),
    chains,
    headMaximumAgeSeconds: reading.required(requiredSettings.headMaximumAge),
    indexer: readIndexer(reading),
    plans: readPlans(reading),
    sponsorship: readSponsorship(reading),
    userOperations: readOperations(reading, chains),
    sessions: { recordsPerAccount: reading.required(requiredSettings.sessionCap) },
    quotas: readQuotas(reading),
    maximumInWork: reading.required(requiredSettings.maximumInWork),
    sandboxManifest: readSandboxManifest(reading, chains),
    smartManifests: reading.optional(optionals.smartManifests),
    walletPayments: readWalletPayments(reading, audience),
    trustedProxies: reading.optional(optionals.trustedProxies) ?? [],
    accountCap: reading.required(requiredSettings.accountCap),
    enrolmentsPerAddress: reading.required(requiredSettings.enrolmentsPerAddress),
    opsNames: reading.optional(optionals.opsNames) ?? [],
    readiness: readReadiness(reading),
    tracePercent: reading.required(requiredSettings.tracePercent),
    reviewSecret: reading.optional(optionals.reviewSecret),
    previousReviewSecret: reading.optional(optionals.previousReviewSecret),
    reviewTtlSeconds: reading.required(requiredSettings.reviewTtl),
    otlpEndpoint: reading.optional(optionals.otlpEndpoint),
    log: readLog(reading),
    metricsToken: reading.optional(optionals.metricsToken)
  }
}

export const decodeSettings = (
  environment: Environment
): Either.Either<DecodedSettings, ReadonlyArray<SettingProblem>> => {
  const reading = new Reading(withoutServiceLinks(environment))
  noteUnknown(reading)
  const settings = readSettings(reading)
  return reading.problems.length === 0 ? Either.right(settings) : Either.left(reading.problems)
}
