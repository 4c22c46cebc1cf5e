/** Publishes what somebody wants to deploy: prepared by the service, signed by the publisher, stored for good. */
import type { Client } from "../../src/client/main.ts"
import { askOperation } from "./operate.ts"

type SignedIntent = Parameters<Client["intents"]["publish"]>[0]
export type IntentToPublish = SignedIntent["envelope"]

interface PreparedIntent {
  readonly envelope: IntentToPublish
  readonly message: string
}

const isPrepared = (value: unknown): value is PreparedIntent =>
  typeof value === "object" && value !== null && "envelope" in value && "message" in value

export interface Publisher {
  readonly address: string
  /** A personal message (EIP-191), by a key and not by a contract. */
  readonly signMessage: (message: string) => Promise<string>
}

/** A large intent does not fit into a query: then hash its canonical JSON yourself and sign the same three lines. */
export const publishIntent = async (client: Client, intent: IntentToPublish, publisher: Publisher) => {
  const prepared = await askOperation(client, { id: "prepare_intent", input: intent })
  if (!isPrepared(prepared)) throw new Error("the answer is no prepared intent")
  const signature = await publisher.signMessage(prepared.message)
  return client.intents.publish({ envelope: prepared.envelope, publisher: publisher.address, signature })
}
