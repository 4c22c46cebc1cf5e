/** The form of one operation, from what is typed to the plan that the service prepares. */
import { Either } from "effect"
import { useMemo, useRef, useState } from "preact/hooks"
import { ServiceProblem } from "../../../client/Errors.ts"
import type { OperationDescriptor } from "../../../http/api/Operations.ts"
import type { Seat } from "../../app/Seat.ts"
import { membersIn } from "../fields/Draft.ts"
import type { FieldPath, InputField } from "../fields/InputField.ts"
import { draftRead, type FormMisfit } from "../fields/ReadDraft.ts"
import { formOf } from "../fields/ReadSchema.ts"
import { refusedMember } from "../fields/RefusedMember.ts"
import { chainIn, within } from "../fields/Surroundings.ts"
import { operationWords } from "../words/OperationWords.ts"
import { askForPlan, askForTerminal, askForToken, PreparedOnce } from "./AskService.ts"
import { FieldPart } from "./FieldPart.tsx"
import { type FormState, useFormState } from "./FormState.ts"
import { GroupMembers } from "./GroupPart.tsx"
import { type FormHands, focusOn, idAt } from "./Hands.ts"
import { LoanPart } from "./LoanPart.tsx"
import { PreviewPart, ProjectPart } from "./PreviewPart.tsx"
import { type BoundChoice, WalletPart } from "./WalletPart.tsx"

interface PlanFormProps {
  readonly seat: Seat
  readonly query: URLSearchParams
  readonly operation: OperationDescriptor
}

const WrongList = ({ misfits }: { readonly misfits: ReadonlyArray<FormMisfit> }) => {
  if (misfits.length === 0) return null
  return (
    <section class="notice" aria-label="What is wrong">
      <p>{`${misfits.length === 1 ? "One thing is" : `${misfits.length} things are`} to be put right:`}</p>
      <ul>
        {misfits.map(({ path, label, words }) => (
          <li key={idAt(path)}>
            <button type="button" class="link" onClick={() => focusOn(idAt(path))}>
              {label}
            </button>
            {`: ${words}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was typed as an input; where it is wrong, this is shown instead. */
const reading =
  (form: InputField, { draft, around, refuse }: FormState) =>
  (): object | undefined => {
    const read = draftRead(form, draft, [], around)
    refuse(Either.isLeft(read) ? read.left : [])
    return Either.isRight(read) && typeof read.right === "object" && read.right !== null
      ? read.right
      : undefined
  }

/** A refusal that names a member is shown there, any other where the page tells failures. */
const showingAt =
  (form: InputField, { refuse }: FormState) =>
  (work: () => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      const found = failure instanceof ServiceProblem ? refusedMember(form, failure.problem) : undefined
      if (found === undefined) throw failure
      refuse([found])
    }
  }

const chainOf = ({ around, draft }: Pick<FormState, "around" | "draft">): number =>
  chainIn(within(around, membersIn(draft)))

const handsOf = (seat: Seat, state: FormState): FormHands => {
  const chainId = chainOf(state)
  const lookUp = (address: string) =>
    seat.run("Looking up the token…", async () =>
      state.learn({ tokens: await askForToken(seat, chainId, address) })
    )
  const fillTerminal = (path: FieldPath) =>
    seat.run("Looking up the terminal…", async () => {
      const address = await askForTerminal(seat, chainId)
      state.hands.changeWhere(draft => chainOf({ ...state, draft }) === chainId, path, address)
    })
  return { ...state.hands, lookUp, fillTerminal }
}

const FormHead = ({ operation: { id, description } }: Pick<PlanFormProps, "operation">) => (
  <>
    <h2 id="operation">{operationWords(id).title}</h2>
    <p>
      {description} <code>{id}</code>
    </p>
  </>
)

const useBound = (seat: Seat, state: FormState) => {
  const [bound, setBound] = useState<BoundChoice>()
  const choose = (next: BoundChoice | undefined) => {
    setBound(next)
    state.actAs(next?.wallet.address ?? seat.desk.wallet, next?.wallet.chainId)
  }
  return { bound, choose }
}

export const PlanForm = ({ seat, query, operation }: PlanFormProps) => {
  const { id, inputJsonSchema } = operation
  const form = useMemo(() => formOf(id, inputJsonSchema), [operation])
  const state = useFormState(form, seat, query)
  const once = useRef(new PreparedOnce())
  const { title } = operationWords(id)
  const showing = showingAt(form, state)
  const read = reading(form, state)
  const { bound, choose } = useBound(seat, state)
  const prepare = (event: Event) => {
    event.preventDefault()
    const input = read()
    if (input === undefined) return
    seat.run(
      "Preparing the plan…",
      showing(() => askForPlan(seat, { id, title, input, bindingId: bound?.id }, once.current))
    )
  }
  const aboutProject = <ProjectPart form={form} seat={seat} state={state} showing={showing} />
  const aboutLoan = <LoanPart seat={seat} state={state} showing={showing} />
  const hands = { ...handsOf(seat, state), aboutProject, aboutLoan }
  return (
    <form class="doing" noValidate onSubmit={prepare} aria-labelledby="operation">
      <FormHead operation={operation} />
      <WalletPart seat={seat} chosen={bound} choose={choose} named={query.get("wallet")} />
      <WrongList misfits={state.misfits} />
      <GroupMembers
        field={form}
        draft={state.draft}
        path={[]}
        around={state.around}
        hands={hands}
        Part={FieldPart}
      />
      <PreviewPart seat={seat} id={id} state={state} read={read} showing={showing} />
      <p class="hint">Nothing is signed or sent by preparing: the plan is shown first, step by step.</p>
      <div class="actions">
        <button type="submit" class="primary">
          Prepare the plan
        </button>
      </div>
    </form>
  )
}
