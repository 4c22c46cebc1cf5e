/** The deployed contracts' functions that seeding and trying out the sandbox call. */
import { parseAbi } from "viem"

export const protocolStructs = [
  "struct Metadata { uint16 reservedPercent; uint16 cashOutTaxRate; uint32 baseCurrency; bool pausePay; bool pauseCreditTransfers; bool allowOwnerMinting; bool allowSetCustomToken; bool allowTerminalMigration; bool allowSetTerminals; bool allowSetController; bool allowAddAccountingContext; bool allowAddPriceFeed; bool ownerMustSendPayouts; bool holdFees; bool scopeCashOutsToLocalBalances; bool useDataHookForPay; bool useDataHookForCashOut; address dataHook; uint16 metadata; }",
  "struct Split { uint32 percent; uint64 projectId; address beneficiary; bool preferAddToBalance; uint48 lockedUntil; address hook; }",
  "struct SplitGroup { uint256 groupId; Split[] splits; }",
  "struct CurrencyAmount { uint224 amount; uint32 currency; }",
  "struct LimitGroup { address terminal; address token; CurrencyAmount[] payoutLimits; CurrencyAmount[] surplusAllowances; }",
  "struct RulesetConfig { uint48 mustStartAtOrAfter; uint32 duration; uint112 weight; uint32 weightCutPercent; address approvalHook; Metadata metadata; SplitGroup[] splitGroups; LimitGroup[] fundAccessLimitGroups; }",
  "struct AccountingContext { address token; uint8 decimals; uint32 currency; }",
  "struct TerminalConfig { address terminal; AccountingContext[] accountingContextsToAccept; }"
] as const

export const protocolAbi = parseAbi([
  ...protocolStructs,
  "function setIsAllowedToSetFirstController(address addr, bool flag)",
  "function addPriceFeedFor(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, address feed)",
  "function launchProjectFor(address owner, string projectUri, RulesetConfig[] rulesetConfigurations, TerminalConfig[] terminalConfigurations, string memo) payable returns (uint256 projectId)",
  "function launchRulesetsFor(uint256 projectId, string projectUri, RulesetConfig[] rulesetConfigurations, TerminalConfig[] terminalConfigurations, string memo) returns (uint256 rulesetId)",
  "function deployERC20For(uint256 projectId, string name, string symbol, bytes32 salt) returns (address token)",
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256 beneficiaryTokenCount)"
])
