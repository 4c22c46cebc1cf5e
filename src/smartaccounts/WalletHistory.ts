/** Which kinds of modules a wallet ever had: the adapter cannot list its handlers, but a wallet logs whatever is installed on it, by whichever way. */
import { Option } from "effect"
import type { RawLog, Read } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { eventLogs } from "../chain/Reads.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"

/** As ERC-7579 numbers the kinds. */
export const VALIDATOR = 1n
export const EXECUTOR = 2n

const SET_UP = keccak256Utf8("SafeSetup(address,address[],uint256,address,address)")
const INSTALLED = keccak256Utf8("ModuleInstalled(uint256,address)")

/** None where the node refuses to tell, as for a range that it finds too large. */
type Logs = Option.Option<ReadonlyArray<RawLog> | undefined>

/** How it was set up, once, on its creation, and what was installed on it. */
export const historyLogs = (wallet: Address, to: bigint): Read<Logs> =>
  tentative(eventLogs({ address: wallet, topics: [[SET_UP, INSTALLED]], from: 0n, to }))

const TWO_WORDS = /^0x[0-9a-f]{128}$/

const kindsOf = (logs: ReadonlyArray<RawLog>): Option.Option<ReadonlyArray<bigint>> =>
  logs.every(({ data }) => TWO_WORDS.test(data))
    ? Option.some(logs.map(({ data }) => BigInt(data.slice(0, 66))))
    : Option.none()

const of = (logs: ReadonlyArray<RawLog>, event: Bytes32) => logs.filter(({ topics }) => topics[0] === event)

/** None where the node does not tell as far back as the wallet goes. */
export const installedEver = (history: Logs): Option.Option<ReadonlyArray<bigint>> =>
  history.pipe(
    Option.flatMap(Option.fromNullable),
    Option.filter(logs => of(logs, SET_UP).length > 0),
    Option.flatMap(logs => kindsOf(of(logs, INSTALLED)))
  )
