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

const walletLogs = (address: Address, topic: Bytes32, to: bigint): Read<Logs> =>
  tentative(eventLogs({ address, topics: [topic], from: 0n, to }))

/** A wallet is set up once, on its creation. */
export const setUpLogs = (wallet: Address, to: bigint): Read<Logs> => walletLogs(wallet, SET_UP, to)

export const installationLogs = (wallet: Address, to: bigint): Read<Logs> => walletLogs(wallet, INSTALLED, to)

const TWO_WORDS = /^0x[0-9a-f]{128}$/

interface Told {
  readonly setUp: Logs
  readonly installed: Logs
}

const kindsOf = (logs: ReadonlyArray<RawLog>): Option.Option<ReadonlyArray<bigint>> =>
  logs.every(({ data }) => TWO_WORDS.test(data))
    ? Option.some(logs.map(({ data }) => BigInt(data.slice(0, 66))))
    : Option.none()

const told = (logs: Logs) => Option.flatMap(logs, Option.fromNullable)

/** None where the node does not tell as far back as the wallet goes. */
export const installedEver = ({ setUp, installed }: Told): Option.Option<ReadonlyArray<bigint>> =>
  Option.exists(told(setUp), logs => logs.length > 0)
    ? Option.flatMap(told(installed), kindsOf)
    : Option.none()
