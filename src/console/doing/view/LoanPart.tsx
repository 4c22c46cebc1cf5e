/** The loan that is repaid, looked up so that amounts of its token can be typed in whole ones. */
import { useState } from "preact/hooks"
import type { ReviewRow } from "../../../review/Words.ts"
import type { Seat } from "../../app/Seat.ts"
import { membersIn, textIn } from "../fields/Draft.ts"
import { chainIn, loanKey, within } from "../fields/Surroundings.ts"
import { askForLoan } from "./AskLoan.ts"
import type { FormState } from "./FormState.ts"
import { ToldRows } from "./Told.tsx"

interface LoanProps {
  readonly seat: Seat
  readonly state: FormState
  /** Shows at its member what the service refused. */
  readonly showing: (work: () => Promise<void>) => () => Promise<void>
}

export const LoanPart = ({ seat, state, showing }: LoanProps) => {
  const [found, setFound] = useState<{ readonly of: string; readonly rows: ReadonlyArray<ReviewRow> }>()
  const members = membersIn(state.draft)
  const loanId = textIn(members.loanId).trim()
  const chainId = chainIn(within(state.around, members))
  const place = loanKey(chainId, loanId)
  if (!/^[1-9][0-9]{0,77}$/.test(loanId)) return null
  const ask = () => {
    const work = async () => {
      const { rows, ...learned } = await askForLoan(seat.desk, chainId, loanId)
      state.learn(learned)
      setFound({ of: place, rows })
    }
    seat.run("Looking up the loan…", showing(work))
  }
  return (
    <div class="project">
      <div role="status">{found?.of === place ? <ToldRows rows={found.rows} /> : null}</div>
      {found?.of === place ? null : (
        <button type="button" onClick={ask}>
          Look up the loan
        </button>
      )}
    </div>
  )
}
