/** What several plan commands share: a plan reviewed, shown, or refused. */

import { committedFor } from "../client/Commitment.ts"
import type { Plan } from "../plans/Plan.ts"
import type { TokenFacts } from "../review/Amounts.ts"
import { chainNames } from "../review/ChainName.ts"
import type { Contracts } from "../review/ExplainCall.ts"
import {
  clonesOf,
  contractsOf,
  projectTokensOf,
  proveClone,
  readToken,
  tokensOf
} from "../review/GatherFacts.ts"
import { pagePath } from "../review/PagePath.ts"
import { type PlanFacts, type PlanReview, reviewPlan } from "../review/PlanReview.ts"
import { changesIn } from "./Changes.ts"
import type { CommandOutcome } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { planText } from "./PlanText.ts"
import { indented } from "./Table.ts"

const ownerOf = async ({ client, identity }: Connection, plan: Plan): Promise<string | undefined> => {
  const own = await committedFor(plan, client.account, [client.principalId])
  if (own !== undefined || identity.grantId !== undefined) return own
  const bots = await client.bots.list()
  return committedFor(
    plan,
    client.account,
    bots.map(({ id }) => `bot:${id}`)
  )
}

const tokensIn = async ({ client }: Connection, contracts: Contracts, plan: Plan) => {
  const tokens = new Map<string, TokenFacts | undefined>()
  for (const token of [...tokensOf(contracts, plan), ...projectTokensOf(contracts, plan)])
    tokens.set(token.key, await readToken(client.contracts, token))
  return tokens
}

const clonesIn = async ({ client }: Connection, contracts: Contracts, plan: Plan) => {
  const clones = new Map<string, boolean>()
  for (const clone of clonesOf(contracts, plan))
    clones.set(clone.key, await proveClone(client.contracts, clone))
  return clones
}

/** Those of the deployment, whatever adapters it pins. */
const namedWallets = async ({ client }: Connection) => {
  const { deployments } = await client.smartAccounts.capabilities()
  return deployments.map(({ manifest: { pins, adapterDialect } }) => ({
    adapter: pins.adapter.address,
    launchpad: pins.launchpad.address,
    guard: pins.guard?.address,
    adapterDialect
  }))
}

interface Reviewed {
  readonly review: PlanReview
  readonly facts: PlanFacts
}

const reviewed = async (connection: Connection, plan: Plan, asked: string): Promise<Reviewed> => {
  const { client, capabilities } = connection
  const contracts = await contractsOf(client.catalog, plan, () => namedWallets(connection))
  const facts = {
    asked,
    contracts,
    committedFor: await ownerOf(connection, plan),
    chains: chainNames(capabilities),
    clones: await clonesIn(connection, contracts, plan),
    tokens: await tokensIn(connection, contracts, plan),
    now: client.clock.seconds() * 1000
  }
  return { facts, review: reviewPlan(plan, facts) }
}

const placeText = ({ client, capabilities }: Connection, plan: Plan, principal: string | undefined): string =>
  `Review and sign in a browser: ${capabilities.audience}${pagePath(plan.id, client.account, principal)}`

interface ShownPlan extends CommandOutcome {
  readonly review: PlanReview
}

export const shownPlan = async (connection: Connection, plan: Plan, asked = plan.id): Promise<ShownPlan> => {
  const { review, facts } = await reviewed(connection, plan, asked)
  const changes = await changesIn(connection, plan, review)
  const fits = review.dangers.length === 0
  return {
    review,
    json: plan,
    text: [
      planText(plan, review, changes),
      ...(fits ? [placeText(connection, plan, facts.committedFor)] : [])
    ].join("\n\n"),
    exitCode: fits ? ExitCode.ok : ExitCode.failedCheck
  }
}

/** What the plan says, where it is what it seems. */
export const unaltered = async (connection: Connection, plan: Plan, asked: string): Promise<PlanReview> => {
  const { review } = await reviewed(connection, plan, asked)
  const { dangers } = review
  if (dangers.length > 0)
    throw new CliFailure(
      ExitCode.failedCheck,
      `The plan ${asked} is not what it seems:\n${indented(dangers.join("\n"))}`,
      "Sign nothing of it; prepare a new plan and compare."
    )
  return review
}
