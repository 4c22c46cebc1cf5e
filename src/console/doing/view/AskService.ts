/** What a form asks of the service: what a project is, what would come of it, and the plan. */
import { newIdempotencyKey } from "../../../client/Caller.ts"
import { ServiceProblem } from "../../../client/Errors.ts"
import { addressOf } from "../../../client/SignRequest.ts"
import { realSystem } from "../../../client/System.ts"
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import { type TokenFacts, tokenKey } from "../../../review/Amounts.ts"
import { readToken } from "../../../review/GatherFacts.ts"
import { pagePath } from "../../../review/PagePath.ts"
import { exact, type ReviewRow, row, untrusted, words } from "../../../review/Words.ts"
import type { Seat } from "../../app/Seat.ts"
import { turnsOf } from "../../app/Turns.ts"
import { ownTerminals } from "../../OwnTerminals.ts"
import type { Reader } from "../../projects/reading/Listed.ts"
import { rulesetInForce } from "../fields/InForce.ts"

type Facts = ReadonlyMap<string, TokenFacts | undefined>

/** The same input is prepared under the same key, however often it is asked for. */
export class PreparedOnce {
  #text: string | undefined
  #key = ""

  keyFor(id: string, input: unknown): string {
    const text = JSON.stringify([id, input])
    if (text !== this.#text) this.#key = newIdempotencyKey(realSystem)
    this.#text = text
    return this.#key
  }
}

interface Asked {
  readonly id: string
  readonly title: string
  readonly input: object
  /** Of the bound wallet that it is for; undefined for the owner's own. */
  readonly bindingId: string | undefined
}

/** To the page of the plan, on which it is reviewed. */
export const askForPlan = async ({ desk, go }: Seat, asked: Asked, once: PreparedOnce) => {
  const { id, title, input, bindingId } = asked
  const keyed = { idempotencyKey: once.keyFor(id, [input, bindingId]) }
  const told = [row("prepares", words(`a plan to ${title.charAt(0).toLowerCase()}${title.slice(1)}`))]
  const { plan } = await desk.about(told, ({ client }) =>
    bindingId === undefined
      ? client.operations.askPlan(id, input, keyed)
      : client.smartAccounts.createPlan(bindingId, { operation: id, input }, keyed)
  )
  const { account, principalId } = desk.client
  go(pagePath(plan.id, account, principalId))
}

export const askForToken = async ({ desk }: Seat, chainId: number, given: string): Promise<Facts> => {
  const address = addressOf(given)
  const key = tokenKey(chainId, address)
  return new Map([
    [key, await readToken(desk.client.contracts, { key, chainId, address, projectId: undefined })]
  ])
}

const nameRow = async (reader: Reader, chainId: number, projectId: string): Promise<ReviewRow> => {
  try {
    const answer = await reader.client.projects.get({ chainId, projectId, source: "indexer" })
    const found =
      answer.source === "indexer" && answer.indexed.status === "known" ? answer.indexed.value : null
    return row("name", found?.name == null ? words("not known to the index") : untrusted(found.name))
  } catch (failure) {
    if (!(failure instanceof ServiceProblem)) throw failure
    return row("name", words("not known: no index can be asked now"))
  }
}

const MULTI_TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"

export const askForTerminal = async ({ desk }: Seat, chainId: number): Promise<string> =>
  (await desk.client.contracts.resolve({ chainId, contractId: MULTI_TERMINAL })).address

export interface ToldProject {
  readonly rows: ReadonlyArray<ReviewRow>
  readonly tokens: Facts
  readonly inForce?: ReturnType<typeof rulesetInForce>
}

const tokenRow = ({ token }: ProjectView): ReviewRow => {
  if (token.status === "unknown") return row("token", words("not known: "), untrusted(token.error.message))
  const { name, symbol, deployed } = token.value
  if (!deployed) return row("token", words("none yet: tokens are credits"))
  const texts = [name, symbol].flatMap(each =>
    each.status === "known" && each.value !== null ? [each.value] : []
  )
  return row("token", ...texts.flatMap(text => [untrusted(text), words(" ")]))
}

/** What its terminals account for; the tokens are not asked for their symbols. */
const acceptedBy = (view: ProjectView, chainId: number): Facts => {
  const contexts = ownTerminals(view).flatMap(each =>
    each.contexts.status === "known" ? each.contexts.value : []
  )
  return new Map(
    contexts.map(({ token, decimals }) => [tokenKey(chainId, token), { decimals: Number(decimals) }])
  )
}

/** The names are others' text. */
export const askForProject = async (
  reader: Reader,
  chainId: number,
  projectId: string
): Promise<ToldProject> => {
  const turn = turnsOf(reader)
  const [answer, name] = await Promise.all([
    turn(() => reader.client.projects.get({ chainId, projectId, source: "onchain" })),
    turn(() => nameRow(reader, chainId, projectId))
  ])
  const project = row("project", exact(projectId), words(` on chain ${chainId}`))
  if (answer.source !== "onchain") return { rows: [project, name], tokens: new Map() }
  return {
    rows: [project, name, tokenRow(answer.onchain)],
    tokens: acceptedBy(answer.onchain, chainId),
    inForce: rulesetInForce(answer.onchain)
  }
}
