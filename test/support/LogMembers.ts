/** What the commitment to a receipt's logs says of each. */
export const LOG_MEMBERS = [
  "address",
  "blockHash",
  "blockNumber",
  "data",
  "logIndex",
  "topics",
  "transactionHash",
  "transactionIndex"
]
