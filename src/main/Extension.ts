/** What a team adds to the service, and what it puts in the place of its parts. */
import type { Layer } from "effect"
import type { Principal } from "../accounts/Principal.ts"
import type { SignedRequest } from "../auth/SignedRequest.ts"
import type { AddedContract } from "../catalog/AddedContracts.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { TeamRoutes } from "../http/TeamRoutes.ts"
import type { AnyOperation } from "../operations/framework/Installed.ts"
import type { CursorSigner } from "../settings/CursorSigner.ts"
import type { Settings } from "../settings/Settings.ts"
import type { LogSink } from "../telemetry/LogSink.ts"
import type { Available } from "./Services.ts"

/** A part of ours that a team's stands in for, or a tag of a team, by its name. */
export type Givable = ChainClient | CursorSigner | LogSink | { readonly Id: `x/${string}` }

/** As it was inferred elsewhere; `NoInfer` does not erase, as the signature of an implementation has to. */
type Settled<Given> = [Given][Given extends unknown ? 0 : never]

export interface Extension<Given extends Givable, E> {
  readonly operations?: ReadonlyArray<AnyOperation<Available | Settled<Given>>>
  /** Those that its operations read and plan for. */
  readonly contracts?: ReadonlyArray<AddedContract>
  readonly routes?: ReadonlyArray<
    TeamRoutes<Available | Settled<Given>, Available | Settled<Given> | Principal | SignedRequest>
  >
  /** Instead of ours, by their tags, and what its operations and routes need besides. */
  readonly layers?: Layer.Layer<Given, E, Settings>
}
