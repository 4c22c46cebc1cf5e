/** The groups of operations, in the order in which a reader meets them. */
export const TAGS = {
  Discovery: "What this deployment is and can do, and the pinned contract catalog; open to everyone.",
  Accounts: "Enrolment, profile and bots of the account that a request is signed for.",
  Contracts: "Resolving catalogued contracts and reading them at one canonical block.",
  Indexer: "Indexed history, which can lag and can change between pages.",
  Projects: "Views of projects across chains.",
  Intents: "Signed descriptions of projects that nobody has deployed yet.",
  Operations: "Semantic reads and prepared operations.",
  Transactions: "Durable plans, simulation and the relay of exactly the wallet-signed bytes.",
  Sponsorship: "Sponsored submissions by a forwarder.",
  Wallets: "What an owner's wallets hold and where smart accounts live.",
  Sessions: "Reviewed session permissions of smart accounts.",
  UserOperations: "User operations of smart accounts.",
  WalletPayments: "Payments from a wallet."
} as const
