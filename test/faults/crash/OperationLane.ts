/** Leads processes to their deaths while they bind wallets, and prepare, send and look at their operations, each of a wallet of its own: a nonce that may have left is taken for long. */
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { carriedOutOn, isCarriedOut } from "../operating/Events.ts"
import type { Plot } from "./Blows.ts"
import type { Chance } from "./Chance.ts"
import type { Replica } from "./Fleet.ts"
import type { Holds } from "./Holds.ts"
import type { Operations, SignedOperation } from "./Operations.ts"
import { newOperator } from "./Operator.ts"
import type { Surroundings } from "./Party.ts"
import { newKey } from "./Speaker.ts"
import { arm, strike } from "./Strike.ts"

const TWINS = 0.3
const LOOKS = 40
const LOOK_MILLIS = 150
const SEND = "eth_sendUserOperation"

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

/** An operation that a run has brought about. */
export interface BroughtOperation extends SignedOperation {
  /** After a look at its chain. */
  readonly look: (to?: string) => Promise<PublicUserOperation>
}

export interface OperationStage {
  readonly around: Surroundings
  readonly chance: Chance
  readonly holds: Holds
  readonly operated: Array<BroughtOperation>
}

export interface Deed {
  readonly victim: Replica
  readonly plot: Plot
}

export const led = async (
  { around, chance, holds }: OperationStage,
  { victim, plot: { blow } }: Deed,
  request: () => Promise<unknown>,
  rival: () => Promise<unknown>
) => {
  await arm(victim, blow, (phase, millis) =>
    around.world.operating?.fault({ method: SEND, phase, act: { kind: "delay", millis } })
  )
  const asking = request()
  await Promise.all([strike({ victim, blow, chance, holds, rival }, asking), asking])
}

const sent = async (stage: OperationStage, operator: Operations, signed: SignedOperation, deed: Deed) => {
  const { chance } = stage
  const key = newKey()
  const otherKey = () => (chance.happens(0.5) ? key : newKey())
  const request = async () => {
    const twins = chance.happens(TWINS) ? [operator.send(signed, otherKey())] : []
    await Promise.all([operator.send(signed, key, deed.victim.url), ...twins])
  }
  await led(stage, deed, request, () => operator.send(signed, otherKey()))
  await operator.seeToIt(signed, key)
}

/** By the bundler, which may never have heard of it. */
const isDoneSoon = async ({ around }: OperationStage, { operation }: SignedOperation): Promise<boolean> => {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (isCarriedOut(await carriedOutOn(around.world.chainUrl), operation)) return true
    await sleep(LOOK_MILLIS)
  }
  return false
}

/** The local chain forgets its states soon, and what was executed is proved by the state of its block. */
const follow = async (stage: OperationStage, brought: BroughtOperation) => {
  if (!(await isDoneSoon(stage, brought))) return
  for (let looks = 0; looks < LOOKS && (await brought.look()).state !== "confirmed"; looks++)
    await sleep(LOOK_MILLIS)
}

/** Of a plan, from its preparation until it is known to be carried out. */
export const performPlanned = async (
  stage: OperationStage,
  operations: Operations,
  plan: Plan,
  deed: Deed
): Promise<BroughtOperation> => {
  const { target } = deed.plot
  const key = newKey()
  if (target === "operate")
    await led(
      stage,
      deed,
      () => operations.prepare(plan, key, deed.victim.url),
      () => operations.prepare(plan, key)
    )
  const signed = await operations.prepare(plan, key)
  const look = (to?: string) => operations.look(signed, to)
  const brought = { ...signed, look }
  stage.operated.push(brought)
  if (target === "send") await sent(stage, operations, signed, deed)
  else await operations.seeToIt(signed, newKey())
  if (target === "carry") {
    await isDoneSoon(stage, signed)
    await led(stage, deed, () => look(deed.victim.url), look)
  }
  await follow(stage, brought)
  return brought
}

export const performOperation = async (stage: OperationStage, deed: Deed): Promise<void> => {
  const operator = await newOperator(stage.around)
  if (deed.plot.target === "bind")
    await led(
      stage,
      deed,
      () => operator.bind(deed.victim.url),
      () => operator.bind()
    )
  await performPlanned(stage, operator, await operator.create(await operator.bind()), deed)
}
