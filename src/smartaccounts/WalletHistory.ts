/** Which kinds of modules a wallet ever had: the adapter cannot list its handlers, but a wallet logs whatever is installed on it, by whichever way. */
import { Option } from "effect"
import type { RawLog, Read } from "../chain/ChainClient.ts"
import { eventLogs } from "../chain/Reads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"

/** As ERC-7579 numbers the kinds. */
export const VALIDATOR = 1n
export const EXECUTOR = 2n

const SET_UP = keccak256Utf8("SafeSetup(address,address[],uint256,address,address)")
const INSTALLED = keccak256Utf8("ModuleInstalled(uint256,address)")

/** How it was set up, once, on its creation, and what was installed on it; undefined where the node refuses, as for a range that it finds too large. */
export const historyLogs = (wallet: Address, to: bigint): Read<ReadonlyArray<RawLog> | undefined> =>
  eventLogs({ address: wallet, topics: [[SET_UP, INSTALLED]], from: 0n, to })

/** It says nothing about the wallet. */
export const historyRefused = () =>
  new RpcUnavailable({
    detail: "The chain's node refused to tell the wallet's logs from block 0 on.",
    context: { method: "eth_getLogs" }
  })

const TWO_WORDS = /^0x[0-9a-f]{128}$/

const kindsOf = (logs: ReadonlyArray<RawLog>): Option.Option<ReadonlyArray<bigint>> =>
  logs.every(({ data }) => TWO_WORDS.test(data))
    ? Option.some(logs.map(({ data }) => BigInt(data.slice(0, 66))))
    : Option.none()

const of = (logs: ReadonlyArray<RawLog>, event: Bytes32) => logs.filter(({ topics }) => topics[0] === event)

/** None where the node does not tell as far back as the wallet goes. */
export const installedEver = (logs: ReadonlyArray<RawLog>): Option.Option<ReadonlyArray<bigint>> =>
  of(logs, SET_UP).length === 0 ? Option.none() : kindsOf(of(logs, INSTALLED))
