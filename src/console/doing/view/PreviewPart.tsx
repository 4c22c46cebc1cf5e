/** What would come of it now, asked for before anything is prepared. */
import { useState } from "preact/hooks"
import type { ReviewRow } from "../../../review/Words.ts"
import type { Seat } from "../../app/Seat.ts"
import { membersIn, textIn } from "../fields/Draft.ts"
import { chainIn, within } from "../fields/Surroundings.ts"
import { previewOf, previewRows } from "../words/PreviewWords.ts"
import { askForProject } from "./AskService.ts"
import type { FormState } from "./FormState.ts"
import { ToldRows } from "./Told.tsx"

interface PreviewProps {
  readonly seat: Seat
  readonly id: string
  readonly state: FormState
  /** The input, where it is right; what is wrong is shown otherwise. */
  readonly read: () => object | undefined
  /** Shows at its member what the service refused. */
  readonly showing: (work: () => Promise<void>) => () => Promise<void>
}

interface Shown {
  /** For which draft, so that nothing old is taken for new. */
  readonly of: unknown
  readonly rows: ReadonlyArray<ReviewRow>
}

const without = (input: object, names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))

export const PreviewPart = ({ seat, id, state, read, showing }: PreviewProps) => {
  const [quote, setQuote] = useState<Shown>()
  const preview = previewOf(id)
  if (preview === undefined) return null
  const around = within(state.around, membersIn(state.draft))
  const ask = () => {
    const input = read()
    if (input === undefined) return
    const work = async () => {
      const answer: unknown = await seat.desk.client.operations.ask(
        preview.operation,
        without(input, preview.without)
      )
      const rows = previewRows(preview, { chainId: chainIn(around), tokens: around.known.tokens, answer })
      setQuote({ of: state.draft, rows })
    }
    seat.run("Asking what would come of it…", showing(work))
  }
  return (
    <section class="preview" aria-labelledby="preview">
      <h3 id="preview">What would come of it</h3>
      <div role="status">
        {quote === undefined ? null : <ToldRows rows={quote.rows} />}
        {quote === undefined || quote.of === state.draft ? null : (
          <p class="hint">The form was changed since: ask again.</p>
        )}
      </div>
      <button type="button" onClick={ask}>
        Preview
      </button>
    </section>
  )
}

export const ProjectPart = ({ seat, state, showing }: Pick<PreviewProps, "seat" | "state" | "showing">) => {
  const [found, setFound] = useState<Shown>()
  const members = membersIn(state.draft)
  const around = within(state.around, members)
  const projectId = textIn(membersIn(members.project).projectId).trim()
  const place = `${chainIn(around)}/${projectId}`
  if (!/^[1-9][0-9]{0,77}$/.test(projectId)) return null
  const ask = () => {
    const work = async () => {
      const { rows, tokens } = await askForProject(seat, chainIn(around), projectId)
      state.learn(tokens)
      setFound({ of: place, rows })
    }
    seat.run("Looking up the project…", showing(work))
  }
  return (
    <div class="project">
      <div role="status">{found?.of === place ? <ToldRows rows={found.rows} /> : null}</div>
      {found?.of === place ? null : (
        <button type="button" onClick={ask}>
          Look up the project
        </button>
      )}
    </div>
  )
}
