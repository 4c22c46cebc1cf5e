/** Every environment variable of the service: its name, what it takes, its default and one sentence on it. */
import {
  addressRange,
  amountKind,
  audience,
  choice,
  databaseUrl,
  directory,
  file,
  headers,
  host,
  integerKind,
  listKind,
  paymentContracts,
  redacted,
  secretText,
  secureOrigin,
  secureUrl,
  sourceUrl
} from "./kinds.ts"
import { operatingDefaults, operatingSettings, telemetrySettings } from "./operating.ts"
import { operationFamilies, operationSettings } from "./operations.ts"
import { paymentSettings } from "./payments.ts"
import { processSettings } from "./processes.ts"
import { optionalVariable as optional, variable } from "./Variable.ts"

const port = integerKind(1, 65535, "a port")
const perMinute = integerKind(1, 1_000_000_000)
/** Each part of it has a call: the smallest is a fiftieth. */
const sharedPerMinute = integerKind(50, 1_000_000_000)
const secretUrl = redacted(secureUrl)
const sourceSecret = redacted(sourceUrl)

export const requiredSettings = {
  host: variable("SERVICE_HOST", host, "127.0.0.1", "Address that both listeners bind."),
  port: variable("SERVICE_PORT", port, "8787", "Port of the public API."),
  opsPort: variable("SERVICE_OPS_PORT", port, "8788", "Port of the operators' listener: health and metrics."),
  chainPort: variable(
    "SERVICE_CHAIN_PORT",
    port,
    "8789",
    "Port of the embedded local chain's node on 127.0.0.1; where it is taken, another one."
  ),
  localChain: variable(
    "SERVICE_LOCAL_CHAIN",
    choice("auto", "on"),
    "auto",
    "Whether a development chain is embedded where no chain is configured: beside an embedded database alone, or beside any."
  ),
  dataDirectory: variable(
    "SERVICE_DATA_DIR",
    directory,
    ".data",
    "Directory of the embedded database, the embedded chain and generated secrets."
  ),
  ...processSettings,
  headMaximumAge: variable(
    "SERVICE_HEAD_MAX_AGE_SECONDS",
    integerKind(1, 86_400),
    "60",
    "Age in seconds of a chain's latest block beyond which an endpoint is out of rotation; less than SERVICE_PLAN_TTL_SECONDS, for no plan is made at an older head than that."
  ),
  planTtl: variable(
    "SERVICE_PLAN_TTL_SECONDS",
    integerKind(30, 900),
    "300",
    "Seconds that a plan stays open for simulation and dispatch."
  ),
  forwardTtl: variable(
    "SERVICE_FORWARD_TTL_SECONDS",
    integerKind(120, 169_200),
    "169200",
    "Seconds that a forward request can be executed from its preparation."
  ),
  forwardMaximumGas: variable(
    "SERVICE_FORWARD_MAXIMUM_GAS",
    amountKind,
    "10000000",
    "Highest gas of the call in a forward request."
  ),
  maximumFunding: variable(
    "SERVICE_MAXIMUM_FUNDING",
    amountKind,
    "1000000000000000000",
    "Highest amount in wei of one payment to the prepaid provider."
  ),
  sponsorshipCap: variable(
    "SERVICE_SPONSORSHIP_CAP",
    integerKind(33, 1_000_000),
    "1000",
    "Sponsorships that an account keeps, of which the last 32 are the owner's."
  ),
  ...operationSettings,
  reviewTtl: variable(
    "SERVICE_REVIEW_TTL_SECONDS",
    integerKind(30, 600),
    "600",
    "Seconds until the expiry that a review token of project metadata names."
  ),
  maximumGas: variable("SERVICE_MAXIMUM_GAS", amountKind, "20000000", "Highest gas limit that is relayed."),
  maximumFeePerGas: variable(
    "SERVICE_MAXIMUM_FEE_PER_GAS",
    amountKind,
    "1000000000000",
    "Highest fee cap per gas in wei that is relayed."
  ),
  maximumTransactionCost: variable(
    "SERVICE_MAXIMUM_TRANSACTION_COST",
    amountKind,
    "1000000000000000000000",
    "Highest value plus gas cost in wei that is relayed."
  ),
  ownerQuota: variable("SERVICE_QUOTA_OWNER", perMinute, "300", "Requests per minute of an account's owner."),
  botQuota: variable(
    "SERVICE_QUOTA_BOTS",
    perMinute,
    "300",
    "Requests per minute of all bots of an account together."
  ),
  addressQuota: variable(
    "SERVICE_QUOTA_ADDRESS",
    perMinute,
    "600",
    "Requests per minute of a client address before authentication, as many of discovery, and ten times as many that kept bytes answer."
  ),
  rpcQuota: variable(
    "SERVICE_QUOTA_RPC",
    sharedPerMinute,
    "20000",
    "Upstream RPC calls per minute of this process."
  ),
  maximumInWork: variable(
    "SERVICE_MAX_IN_WORK",
    integerKind(1, 100_000),
    "256",
    "Signed requests that this process works on at once, and beside them a quarter as many new accounts, and as many places for bodies that it waits for, each of 256 KiB."
  ),
  accountCap: variable(
    "SERVICE_ACCOUNT_CAP",
    integerKind(1, 1_000_000_000),
    "100000",
    "Accounts that can be enrolled."
  ),
  enrolmentsPerAddress: variable(
    "SERVICE_ENROLMENTS_PER_ADDRESS",
    integerKind(0, 1_000_000_000),
    "100",
    "New accounts that one client address can enrol on a day (UTC); of IPv6 that is a /64, and its /56 can four times and its /48 sixteen times as many; 0 for no bound."
  ),
  logLevel: variable(
    "SERVICE_LOG_LEVEL",
    choice("debug", "info", "warning", "error"),
    "info",
    "Least severe level that is logged."
  ),
  logFormat: variable(
    "SERVICE_LOG_FORMAT",
    choice("json", "pretty"),
    "json",
    "Form of the log lines on standard output."
  ),
  ...operatingDefaults
} as const

export const optionals = {
  audience: optional(
    "SERVICE_PUBLIC_URL",
    audience,
    "http://localhost:<SERVICE_PORT>",
    "Public URL of the service, to which every signature is bound."
  ),
  databaseUrl: optional(
    "SERVICE_DATABASE_URL",
    redacted(databaseUrl),
    "embedded PostgreSQL",
    "PostgreSQL 15 or later."
  ),
  indexerMainnet: optional(
    "SERVICE_INDEXER_MAINNET_URL",
    sourceSecret,
    "none",
    "Indexed source of the mainnets."
  ),
  indexerTestnet: optional(
    "SERVICE_INDEXER_TESTNET_URL",
    sourceSecret,
    "index of the embedded local chain",
    "Indexed source of the testnets."
  ),
  indexerHeaders: optional(
    "SERVICE_INDEXER_HEADERS",
    redacted(headers),
    "none",
    "HTTP headers for the indexed sources."
  ),
  providerUrl: optional(
    "SERVICE_PROVIDER_URL",
    redacted(secureOrigin),
    "no sponsorship",
    "Origin of the prepaid provider that pays the gas of forward requests."
  ),
  providerHeaders: optional(
    "SERVICE_PROVIDER_HEADERS",
    redacted(headers),
    "none",
    "HTTP headers for the prepaid provider."
  ),
  providerPayments: optional(
    "SERVICE_PROVIDER_PAYMENTS",
    paymentContracts,
    "the known one on 1, 10, 8453 and 42161",
    "Contracts that pay the prepaid provider, with the Keccak-256 of their code, by chain id."
  ),
  sandboxManifest: optional(
    "SERVICE_SANDBOX_MANIFEST",
    file,
    "that of the embedded chain",
    "Manifest of a sandbox deployment that overlays the catalog."
  ),
  smartManifests: optional(
    "SERVICE_SMART_MANIFESTS",
    file,
    "that of the embedded chain, else no smart accounts",
    "Manifests of smart accounts, each of whose chains needs a node that tells a wallet's logs back to its creation."
  ),
  ...paymentSettings,
  trustedProxies: optional(
    "SERVICE_TRUSTED_PROXIES",
    listKind("IP addresses or CIDR ranges, separated by commas", addressRange),
    "none",
    "Proxies whose X-Forwarded-For is believed."
  ),
  ...operatingSettings,
  reviewSecret: optional(
    "SERVICE_REVIEW_SECRET",
    redacted(secretText(32)),
    "generated and kept in the data directory",
    "Key of review tokens and cursors; the same on every replica."
  ),
  previousReviewSecret: optional(
    "SERVICE_REVIEW_SECRET_PREVIOUS",
    redacted(secretText(32)),
    "none",
    "The key before SERVICE_REVIEW_SECRET: review tokens and cursors that were made with it are still taken."
  ),
  ...telemetrySettings
} as const

/** Variables that carry a chain id at the end of their name. */
export const settingFamilies = {
  rpc: optional(
    "SERVICE_RPC_<chainId>",
    listKind("https URLs, or http URLs of this machine, separated by commas", secretUrl),
    "embedded local chain 31337, unless SERVICE_DATABASE_URL is set: then the start is refused",
    "JSON-RPC endpoints of the chain, in order of preference."
  ),
  confirmations: variable(
    "SERVICE_CONFIRMATIONS_<chainId>",
    integerKind(1, 10_000),
    "2",
    "Blocks, its own included, after which a receipt on the chain counts as confirmed."
  ),
  ...operationFamilies
} as const

export interface SettingRow {
  readonly name: string
  readonly takes: string
  readonly standard: string
  readonly help: string
}

/** The rows of the settings table and of `--help`. */
export const settingRows: ReadonlyArray<SettingRow> = [
  ...Object.values(requiredSettings),
  ...Object.values(optionals),
  ...Object.values(settingFamilies)
].map(entry => ({
  name: entry.name,
  takes: entry.what,
  standard: "standard" in entry ? entry.standard : entry.absent,
  help: entry.help
}))
