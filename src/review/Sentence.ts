/** What a call or a whole plan does, in one sentence, made from the bytes and from what signed reads told. */
import { isErc20, projectTokenKey, tokenKey } from "./Amounts.ts"
import type { NamedToken } from "./ArgumentRows.ts"
import { cloneKey, type ExplainedCall, isClone } from "./ExplainCall.ts"
import { approve, permit, transfer, transferFrom } from "./sentences/Allowances.ts"
import {
  adjustTiers,
  autoIssue,
  deployRevnet,
  launchProject,
  launchShop,
  queueRulesets
} from "./sentences/Configurations.ts"
import { borrow, repay, revnetIn } from "./sentences/Loans.ts"
import { inPast } from "./sentences/Past.ts"
import { cashOut, drawAllowance, pay, prepay, sendPayouts, topUp } from "./sentences/Payments.ts"
import { claim, setHook, setPool, setTerminal, setWindow, syncAccounts } from "./sentences/Routing.ts"
import { enablePolicy, endPermission, installModule } from "./sentences/Sessions.ts"
import { type Clause, native, said, say, sent, type Teller, type Telling } from "./sentences/Speech.ts"
import { exact, nameText } from "./Words.ts"

const createWallet: Teller = ({ explained: { created } }) =>
  created?.clause ?? said("create a wallet that is not explained")

/** A sentence, and the arguments without which the function is another one of its name. */
type Told = readonly [Teller, ...ReadonlyArray<string>]

const PAY: Told = [pay, "projectId", "token", "amount", "beneficiary", "minReturnedTokens"]

const SENTENCES: Readonly<Record<string, Told>> = {
  "JBMultiTerminal.pay": PAY,
  "JBRouterTerminal.pay": PAY,
  "JBRouterTerminalRegistry.pay": PAY,
  "JBMultiTerminal.addToBalanceOf": [topUp, "projectId", "token", "amount"],
  "JBMultiTerminal.cashOutTokensOf": [cashOut, "holder", "projectId", "cashOutCount", "minTokensReclaimed"],
  "JBMultiTerminal.sendPayoutsOf": [
    sendPayouts,
    "projectId",
    "token",
    "amount",
    "currency",
    "minTokensPaidOut"
  ],
  "JBMultiTerminal.useAllowanceOf": [drawAllowance, "projectId", "token", "amount", "minTokensPaidOut"],
  "JBController.queueRulesetsOf": [queueRulesets, "projectId", "rulesetConfigurations"],
  "JBController.launchProjectFor": [launchProject, "owner", "rulesetConfigurations"],
  "JB721TiersHookProjectDeployer.launchProjectFor": [launchShop, "owner", "deployTiersHookConfig"],
  "JB721TiersHook.adjustTiers": [adjustTiers, "tiersToAdd", "tierIdsToRemove"],
  "REVDeployer.deployFor": [deployRevnet, "revnetId", "configuration"],
  "REVOwner.autoIssueFor": [autoIssue, "revnetId", "stageId", "beneficiary"],
  "REVLoans.borrowFrom": [borrow, "revnetId", "token", "minBorrowAmount", "collateralCount", "holder"],
  "REVLoans.repayLoan": [repay, "loanId", "maxRepayBorrowAmount", "collateralCountToReturn"],
  "PrepaidPayments.prepayment": [prepay, "bundle", "deadline"],
  "JBPermissions.setPermissionsFor": [permit, "account", "permissionsData"],
  "JBSucker.claim": [claim, "claimData"],
  "JBSucker.syncAccountingData": [syncAccounts],
  "JBBuybackHook.setPoolFor": [setPool, "projectId", "fee", "twapWindow", "terminalToken"],
  "JBBuybackHook.setTwapWindowOf": [setWindow, "projectId", "terminalToken", "newWindow"],
  "JBBuybackHookRegistry.setHookFor": [setHook, "projectId", "hook"],
  "JBRouterTerminalRegistry.setTerminalFor": [setTerminal, "projectId", "terminal"],
  "SafeProxyFactory.createProxyWithNonce": [createWallet, "_singleton", "initializer", "saltNonce"],
  "SessionGuard.enable": [enablePolicy, "expectedEnableNonce", "encoded"],
  "SessionGuard.revoke": [endPermission, "permissionId"],
  "Safe7579.installModule": [installModule, "moduleTypeId", "module", "initData"],
  "JBERC20.approve": [approve, "spender", "value"],
  "JBERC20.transfer": [transfer, "to", "value"],
  "JBERC20.transferFrom": [transferFrom, "from", "to", "value"]
}

/** Each transport has a bridge of its own, all with the same functions. */
const BRIDGES = /^JB[A-Za-z]*Sucker$/

const tellerOf = ({ contract, method }: ExplainedCall): Teller | undefined => {
  if (contract === undefined || method === undefined) return undefined
  const key = `${contract.name.replace(BRIDGES, "JBSucker")}.${method.name}`
  const [teller, ...needed] = Object.hasOwn(SENTENCES, key) ? (SENTENCES[key] ?? []) : []
  return needed.every(name => method.inputs.some(input => input.name === name)) ? teller : undefined
}

/** Whose tokens the sentence counts. */
const projectNamed = (explained: ExplainedCall): string | undefined => {
  if (tellerOf(explained) === undefined) return undefined
  const { method, values } = explained
  const at = (name: string) => values[method?.inputs.findIndex(input => input.name === name) ?? -1]
  const loan = at("loanId")
  const id = at("projectId") ?? at("revnetId") ?? (loan === undefined ? undefined : revnetIn(loan))
  return typeof id === "bigint" && id > 0n ? String(id) : undefined
}

export const projectTokensIn = (calls: ReadonlyArray<ExplainedCall>): ReadonlyArray<NamedToken> => {
  const found = calls.flatMap(explained => {
    const projectId = projectNamed(explained)
    const { chainId } = explained.call
    return projectId === undefined ? [] : [{ key: projectTokenKey(chainId, projectId), chainId, projectId }]
  })
  return [...new Map(found.map(token => [token.key, token])).values()]
}

const plainCall = (telling: Telling, isProved: boolean): Clause => {
  const { call, contract, instance, method } = telling.explained
  const name = method === undefined ? said("an unknown function") : [exact(method.name)]
  const isKnown = contract !== undefined && (instance !== undefined || isProved)
  const place = isKnown ? said(nameText(contract.name)) : say`an unknown contract at ${[exact(call.to)]}`
  return say`call ${name} of ${place} with ${native(sent(telling))}`
}

/** What a call carries is told, whatever its sentence is about. */
const whole = (telling: Telling, clause: Clause): Clause => {
  const [value] = native(sent(telling))
  return sent(telling) === 0n || clause.some(({ text }) => text === value?.text)
    ? clause
    : say`${clause}, with ${native(sent(telling))}`
}

interface SentenceContext extends Omit<Telling, "explained"> {
  readonly clones: ReadonlyMap<string, boolean>
  /** Whether the wallet did it already. */
  readonly isDone?: boolean
}

/** Any token may be approved or moved: its own code decides, and no proof of the address is asked for. */
const isDoubtful = (explained: ExplainedCall, { clones }: SentenceContext): boolean =>
  isClone(explained) && !isErc20(explained) && clones.get(cloneKey(explained.call)) !== true

export const clauseOf = (explained: ExplainedCall, context: SentenceContext): Clause => {
  const telling = { ...context, explained }
  const teller = tellerOf(explained)
  if (teller === undefined) return plainCall(telling, context.clones.get(cloneKey(explained.call)) === true)
  const clause = whole(telling, teller(telling))
  return isDoubtful(explained, context)
    ? say`${clause}, if ${[exact(explained.call.to)]} is what the plan takes it for`
    : clause
}

export const contractNamesIn = (calls: ReadonlyArray<ExplainedCall>): ReadonlyMap<string, string> =>
  new Map(
    calls.flatMap(({ call, contract, instance }) =>
      contract === undefined || instance === undefined
        ? []
        : [[tokenKey(call.chainId, call.to), nameText(contract.name)]]
    )
  )

interface Subject extends Pick<Telling, "wallet" | "self"> {
  /** Whether the wallet did it already. */
  readonly isDone?: boolean
}

export const asSentence = ({ wallet, self, isDone = false }: Subject, clause: Clause): Clause => {
  if (self === "you") return say`You ${clause}.`
  return isDone
    ? say`The wallet ${[exact(wallet)]} ${inPast(clause)}.`
    : say`The wallet ${[exact(wallet)]} will ${clause}.`
}

const PREPARING = new Set(["approve", "setPermissionsFor"])

const isPreparing = ({ method }: ExplainedCall): boolean => PREPARING.has(method?.name ?? "")

const MOST = 4

const further = ({ self, isDone = false }: Subject, before: string, clause: Clause): Clause => {
  if (self === "you") return say` ${said(before)} you ${clause}.`
  return isDone ? say` ${said(before)} it ${inPast(clause)}.` : say` ${said(before)} it will ${clause}.`
}

const inOrder = (subject: Subject, clauses: ReadonlyArray<Clause>): Clause => {
  const [first = [], ...rest] = clauses.slice(0, MOST)
  const more = clauses.length - MOST
  return [
    ...asSentence(subject, first),
    ...rest.flatMap(clause => further(subject, "Then", clause)),
    ...(more > 0 ? said(` Then ${more} more ${more === 1 ? "call" : "calls"}, told below.`) : [])
  ]
}

/** What a plan is for comes first, then what it allows to that end; calls that are each for themselves keep their order. */
export const planSentence = (calls: ReadonlyArray<ExplainedCall>, context: SentenceContext): Clause => {
  const clauses = calls.map(call => clauseOf(call, context))
  const clause = (index: number) => clauses[index] ?? []
  const main = calls.flatMap((call, index) => (isPreparing(call) ? [] : [index]))
  const [only] = main
  const last = calls.length - 1
  if (only === undefined || main.length > 1 || only !== last || clauses.length > MOST)
    return inOrder(context, clauses)
  const before = clauses.slice(0, last).flatMap(each => further(context, "Before that", each))
  return [...asSentence(context, clause(last)), ...before]
}
