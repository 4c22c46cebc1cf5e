/** The transaction by which anybody places a guard of sessions for a deployment's entry point and adapter: at one address on every chain, whoever sends it. */
import { concatHex, encodeAbiParameters, getContractAddress, isHex, zeroHash } from "viem"
import program from "../../sandbox/artifacts/SessionGuard.json" with { type: "json" }
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { CommandOutcome } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import { facts } from "./Table.ts"

/** The CREATE2 deployer that most chains have. */
const CREATOR = "0x4e59b44847b379578588920cA78FbF26c0B4956C"

const PLACES = [{ type: "address" }, { type: "address" }] as const

const placing = ({ id, chainId, pins }: SmartManifest) => {
  const { bytecode: code } = program
  if (!isHex(code)) throw new TypeError("the guard's program is not compiled")
  const { entryPoint, adapter } = pins
  const bytecode = concatHex([code, encodeAbiParameters(PLACES, [entryPoint.address, adapter.address])])
  const guard = getContractAddress({ opcode: "CREATE2", from: CREATOR, salt: zeroHash, bytecode })
  const transaction = { chainId, to: CREATOR, value: "0", data: concatHex([zeroHash, bytecode]) }
  return { manifestId: id, guard, transaction }
}

export const guardDeployments = (manifests: ReadonlyArray<SmartManifest>): CommandOutcome => {
  const all = manifests.filter(({ mode }) => mode === "execution").map(placing)
  if (all.length === 0)
    throw usageFailure("No manifest is of wallets that act by operations.", "Name the file with --manifests.")
  return {
    json: { deployments: all },
    text: all
      .map(({ manifestId, guard, transaction: { chainId, to, data } }) =>
        facts([
          ["manifest", manifestId],
          ["guard", `${guard} on chain ${chainId}, by whoever sends this`],
          ["to", to],
          ["value", "0"],
          ["data", data],
          ["then", "pin its address and the Keccak-256 of its code as pins.guard"]
        ])
      )
      .join("\n\n")
  }
}
