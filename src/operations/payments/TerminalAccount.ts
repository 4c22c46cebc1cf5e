/** The canonical terminal's account of a project in a token. */
import { Effect, Schema } from "effect"
import { UnsupportedConfiguration } from "../../projects/refusals.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { Address, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { UnsupportedTerminal } from "../shared/context/refusals.ts"
import { TerminalNotRegistered, TokenNotAccepted } from "./refusals.ts"

/** The terminal that was named, which has to be the canonical one. */
export const quotedTerminal = Effect.fn("Quotes.terminal")(function* (
  snapshot: PinnedSnapshot,
  named: Address | undefined
) {
  const terminal = yield* snapshot.addressOf("JBMultiTerminal")
  if (named !== undefined && named !== terminal)
    return yield* new UnsupportedTerminal({ context: { terminal: named } })
  return terminal
})

/** One round trip. */
export const accountIn = Effect.fn("Quotes.account")(function* (
  { read }: PinnedSnapshot,
  projectId: string,
  terminal: Address,
  token: Address
) {
  const answers = yield* eachAtOnce({
    registered: read("JBDirectory", "isTerminalOf", [projectId, terminal], Schema.Boolean),
    context: read("JBMultiTerminal", "accountingContextForTokenOf", [projectId, token], AccountingContext)
  })
  if (!(yield* answers.registered))
    return yield* new TerminalNotRegistered({ context: { terminal, projectId } })
  const context = yield* answers.context
  if (context.token === ZERO_ADDRESS) return yield* new TokenNotAccepted({ context: { token, projectId } })
  return context
})

/** The canonical addresses contract that is asked who is feeless has to be the terminal's. */
export const requireFeelessAddresses = Effect.fn("Quotes.feelessAddresses")(function* ({
  read,
  addressOf
}: PinnedSnapshot) {
  const kept = yield* read("JBMultiTerminal", "FEELESS_ADDRESSES", [], Address)
  if (kept !== (yield* addressOf("JBFeelessAddresses")))
    return yield* new UnsupportedConfiguration({ context: { feelessAddresses: kept } })
})
