import { assert, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import { runDecodeCalldata } from "../../../src/operations/development/decode_calldata/Run.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { pinnedCatalog } from "../../protocol/support/Protocol.ts"
import { noTraffic, scriptedChain } from "../../protocol/support/ScriptedChain.ts"

const abi = parseAbi(["function mintFor(uint16[] tierIds, address beneficiary)"])
const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const pinned = PinnedContracts.layer.pipe(
  Layer.provide(scriptedChain({}, noTraffic())),
  Layer.provideMerge(pinnedCatalog)
)

it.effect("reads as much calldata as it takes, whatever callers may write as arguments", () =>
  Effect.gen(function* () {
    const tierIds = Array.from({ length: 4_000 }, (_, index) => index)
    const data = encodeFunctionData({ abi, args: [tierIds, BENEFICIARY] })
    const answering = runDecodeCalldata.prepare({ contract: "JB721TiersHook", data })
    assert.deepInclude(yield* Either.getOrThrow(answering)(undefined), {
      functionName: "mintFor",
      args: [
        { name: "tierIds", type: "uint16[]", value: tierIds.map(String) },
        { name: "beneficiary", type: "address", value: BENEFICIARY }
      ]
    })
  }).pipe(Effect.provide(pinned))
)
