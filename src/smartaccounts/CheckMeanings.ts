/** What each check of a wallet asks for, in the order in which they are made. */
import type { WalletCheck } from "./WalletChecks.ts"

type Named = Exclude<WalletCheck, `pin:${string}`> | "pin:<name>"

export const checkMeanings: Readonly<Record<Named, string>> = {
  chain: "The service has a node of the manifest's chain.",
  "account-code": "The wallet's code is that of the manifest's proxy.",
  "pin:<name>": "The code of this pinned contract has the hash that the manifest gives.",
  singleton: "The wallet runs the manifest's singleton, by its storage slot 0.",
  version: "The wallet says that it is of the manifest's version of Safe.",
  "fallback-handler": "Calls that the wallet does not know go to the manifest's adapter.",
  "transaction-guard": "No transaction guard is set.",
  owners: "There are 1 to 16 owners, none twice, and none the zero address or the list's own mark.",
  threshold: "As many owners as the threshold says can sign: at least one, at most all.",
  "contract-owner": "No owner has code, but for contracts that the manifest knows by address and code.",
  "safe-modules": "The adapter is the one module of the Safe.",
  validators: "The adapter has no validator but the manifest's guard.",
  executors: "The adapter has no executor.",
  hook: "The adapter has no hook.",
  "fallback-modules": "No module but validators and executors was ever installed, by all the wallet's logs.",
  "entry-point": "The adapter goes by the manifest's EntryPoint.",
  "nonce-layout": "The EntryPoint and the adapter tell the same nonces.",
  session: "The guard tells what it keeps of the wallet."
}
