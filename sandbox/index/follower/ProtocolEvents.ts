/** The events that become rows, by the contract that emits them. */
import { decodeEventLog, type Hex, parseAbi, toEventSelector } from "viem"
import type { Addresses, Log } from "./Chain.ts"

const SPLIT =
  "struct Split { uint32 percent; uint64 projectId; address beneficiary; bool preferAddToBalance; uint48 lockedUntil; address hook; }"

export const eventAbis = {
  JBProjects: parseAbi([
    "event Create(uint256 indexed projectId, address indexed owner, address caller)",
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"
  ]),
  JBController: parseAbi([
    SPLIT,
    "event BurnTokens(address indexed holder, uint256 indexed projectId, uint256 tokenCount, string memo, address caller)",
    "event LaunchProject(uint256 rulesetId, uint256 projectId, string projectUri, string memo, address caller)",
    "event LaunchRulesets(uint256 rulesetId, uint256 projectId, string projectUri, string memo, address caller)",
    "event MintTokens(address indexed beneficiary, uint256 indexed projectId, uint256 tokenCount, uint256 beneficiaryTokenCount, string memo, uint256 reservedPercent, address caller)",
    "event SendReservedTokensToSplit(uint256 indexed projectId, uint256 indexed rulesetId, uint256 indexed groupId, Split split, uint256 tokenCount, address caller)",
    "event SendReservedTokensToSplits(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address owner, uint256 tokenCount, uint256 leftoverAmount, address caller)",
    "event SetUri(uint256 indexed projectId, string uri, address caller)"
  ]),
  JBTokens: parseAbi([
    "event Burn(address indexed holder, uint256 indexed projectId, uint256 count, uint256 creditBalance, uint256 tokenBalance, address caller)",
    "event ClaimTokens(address indexed holder, uint256 indexed projectId, uint256 creditBalance, uint256 count, address beneficiary, address caller)",
    "event DeployERC20(uint256 indexed projectId, address indexed token, string name, string symbol, bytes32 salt, address caller)",
    "event Mint(address indexed holder, uint256 indexed projectId, uint256 count, bool tokensWereClaimed, address caller)",
    "event SetToken(uint256 indexed projectId, address indexed token, address caller)",
    "event TransferCredits(address indexed holder, uint256 indexed projectId, address indexed recipient, uint256 count, address caller)"
  ]),
  JBMultiTerminal: parseAbi([
    SPLIT,
    "struct AccountingContext { address token; uint8 decimals; uint32 currency; }",
    "event AddToBalance(uint256 indexed projectId, uint256 amount, uint256 returnedFees, string memo, bytes metadata, address caller)",
    "event CashOutTokens(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address holder, address beneficiary, uint256 cashOutCount, uint256 cashOutTaxRate, uint256 reclaimAmount, bytes metadata, address caller)",
    "event FeeReverted(uint256 indexed projectId, address indexed token, uint256 indexed feeProjectId, uint256 amount, bytes reason, address caller)",
    "event Pay(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address payer, address beneficiary, uint256 amount, uint256 newlyIssuedTokenCount, string memo, bytes metadata, address caller)",
    "event ProcessFee(uint256 indexed projectId, address indexed token, uint256 indexed amount, bool wasHeld, address beneficiary, address caller)",
    "event SendPayoutToSplit(uint256 indexed projectId, uint256 indexed rulesetId, uint256 indexed group, Split split, uint256 amount, uint256 netAmount, address caller)",
    "event SendPayouts(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address projectOwner, uint256 amount, uint256 amountPaidOut, uint256 fee, uint256 netLeftoverPayoutAmount, address caller)",
    "event SetAccountingContext(uint256 indexed projectId, AccountingContext context, address caller)",
    "event UseAllowance(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address beneficiary, address feeBeneficiary, uint256 amount, uint256 amountPaidOut, uint256 netAmountPaidOut, string memo, address caller)"
  ]),
  JBPermissions: parseAbi([
    "event OperatorPermissionsSet(address indexed operator, address indexed account, uint256 indexed projectId, uint8[] permissionIds, uint256 packed, address caller)"
  ]),
  JBRulesets: parseAbi([
    "event RulesetQueued(uint256 indexed rulesetId, uint256 indexed projectId, uint256 duration, uint256 weight, uint256 weightCutPercent, address approvalHook, uint256 metadata, uint256 mustStartAtOrAfter, address caller)"
  ]),
  JBSuckerRegistry: parseAbi([
    "struct Mapping { address localToken; uint32 minGas; bytes32 remoteToken; }",
    "struct Configuration { address deployer; bytes32 peer; Mapping[] mappings; }",
    "event SuckerDeployedFor(uint256 projectId, address sucker, Configuration configuration, address caller)"
  ]),
  JBSucker: parseAbi([
    "event AccountingDataSynced(uint256 sourceTimestamp, address caller)",
    "event Claimed(bytes32 beneficiary, address token, uint256 projectTokenCount, uint256 terminalTokenAmount, uint256 index, bytes32 metadata, address caller)",
    "event InsertToOutboxTree(bytes32 indexed beneficiary, address indexed token, bytes32 hashed, uint256 index, bytes32 root, uint256 projectTokenCount, uint256 terminalTokenAmount, bytes32 metadata, address caller)",
    "event NewInboxTreeRoot(address indexed token, uint64 nonce, bytes32 root, address caller)",
    "event RootToRemote(bytes32 indexed root, address indexed token, uint256 index, uint64 nonce, address caller)"
  ]),
  JBERC20: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"])
} as const

type Emitter = keyof typeof eventAbis

const topicsOf = ({ topics: [signature, ...rest] }: Log): [] | [Hex, ...Array<Hex>] =>
  signature === undefined ? [] : [signature, ...rest]

const raw = (log: Log) => ({ data: log.data, topics: topicsOf(log) })

const decoders = {
  JBProjects: (log: Log) => ({
    contract: "JBProjects" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBProjects, ...raw(log) })
  }),
  JBController: (log: Log) => ({
    contract: "JBController" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBController, ...raw(log) })
  }),
  JBTokens: (log: Log) => ({
    contract: "JBTokens" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBTokens, ...raw(log) })
  }),
  JBMultiTerminal: (log: Log) => ({
    contract: "JBMultiTerminal" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBMultiTerminal, ...raw(log) })
  }),
  JBPermissions: (log: Log) => ({
    contract: "JBPermissions" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBPermissions, ...raw(log) })
  }),
  JBRulesets: (log: Log) => ({
    contract: "JBRulesets" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBRulesets, ...raw(log) })
  }),
  JBSuckerRegistry: (log: Log) => ({
    contract: "JBSuckerRegistry" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBSuckerRegistry, ...raw(log) })
  }),
  JBSucker: (log: Log) => ({
    contract: "JBSucker" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBSucker, ...raw(log) })
  }),
  JBERC20: (log: Log) => ({
    contract: "JBERC20" as const,
    log,
    ...decodeEventLog({ abi: eventAbis.JBERC20, ...raw(log) })
  })
}

export type ProtocolEvent = ReturnType<(typeof decoders)[Emitter]>

const emitters: ReadonlyArray<Emitter> = [
  "JBProjects",
  "JBController",
  "JBTokens",
  "JBMultiTerminal",
  "JBPermissions",
  "JBRulesets",
  "JBSuckerRegistry"
]

const selectorsOf = (contract: Emitter): ReadonlySet<string> =>
  new Set(eventAbis[contract].filter(({ type }) => type === "event").map(event => toEventSelector(event)))

const known = new Map(
  [...emitters, "JBSucker" as const, "JBERC20" as const].map(contract => [contract, selectorsOf(contract)])
)

/** Who may have emitted it: a contract of the sandbox, or else perhaps a sucker or a project's token. */
const emitterOf = (log: Log, addresses: Addresses): Emitter | undefined => {
  const [signature = ""] = log.topics
  const named = emitters.find(name => addresses[name]?.toLowerCase() === log.address.toLowerCase())
  const contract = named ?? (known.get("JBSucker")?.has(signature) === true ? "JBSucker" : "JBERC20")
  const isKnown = known.get(contract)?.has(signature) === true
  const parts = contract === "JBERC20" ? 3 : log.topics.length
  return isKnown && log.topics.length === parts ? contract : undefined
}

/** Nothing for a log that becomes no row; anybody may emit what only begins like a sucker's or a token's. */
export const eventOf = (log: Log, addresses: Addresses): ProtocolEvent | undefined => {
  const contract = emitterOf(log, addresses)
  if (contract === undefined) return undefined
  try {
    return decoders[contract](log)
  } catch (cause) {
    if (emitters.includes(contract)) throw cause
    return undefined
  }
}
