/** How a sponsorship may end, by what its chain has executed of it. */
import type { Sponsorship, SponsorshipStatus } from "../../../src/sponsorship/Sponsorship.ts"
import { type Executions, slotOf } from "./Executions.ts"

type Status = SponsorshipStatus

const DONE: ReadonlyArray<Status> = ["completed", "execution_verified"]

export const isDone = (state: string): boolean => DONE.some(done => done === state)

type Asked = Pick<Sponsorship, "authorizations">

const successOf = (executions: Executions, { authorizations }: Asked): ReadonlyArray<boolean | undefined> =>
  authorizations.map(
    ({ message }) => executions.get(slotOf(message.from, message.nonce))?.find(() => true)?.success
  )

export const isExecuted = (executions: Executions, asked: Asked): boolean =>
  successOf(executions, asked).every(success => success === true)

/** Once what is open can be executed no more. */
export const endsOf = (executions: Executions, asked: Asked): ReadonlyArray<Status> => {
  const each = successOf(executions, asked)
  if (each.includes(false)) return ["failed"]
  return each.every(success => success === true) ? DONE : ["lapsed"]
}
