/** A routed payment that failed inside a gateway, which keeps its money until somebody has it tried again or given back: whoever paid sees nothing amiss. */
import type { RawLog } from "../chain/ChainClient.ts"

/** `JBRouterTerminalGateway_QueuePendingCall`, of a contract that the catalog has not. */
const QUEUED = "0x8131cd0f63546f8658cbaa14c29ab0ef4f0a89c1d59772c843ef73605e358f25"

export const isQueued = (logs: ReadonlyArray<RawLog>): boolean =>
  logs.some(({ topics }) => topics[0] === QUEUED)
