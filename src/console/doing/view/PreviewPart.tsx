/** What would come of it now, asked for before anything is prepared. */
import { useState } from "preact/hooks"
import type { ReviewRow } from "../../../review/Words.ts"
import type { Seat } from "../../app/Seat.ts"
import { membersIn, rowsIn, textIn, withRows } from "../fields/Draft.ts"
import type { InputField } from "../fields/InputField.ts"
import { chainIn, within } from "../fields/Surroundings.ts"
import { draftOf } from "../fields/WriteDraft.ts"
import { previewOf, previewRows } from "../words/PreviewWords.ts"
import { askForProject, type ToldProject } from "./AskService.ts"
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
      setQuote(undefined)
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

interface ProjectProps extends Pick<PreviewProps, "seat" | "state" | "showing"> {
  readonly form: InputField
}

const RULESETS = "rulesetConfigurations"

/** Changes are queued as whole rulesets, so that most begin with the one in force. */
const InForce = ({ form, state, inForce }: ProjectProps & Pick<ToldProject, "inForce">) => {
  const { shape } =
    form.shape.kind === "group" ? (form.shape.fields.find(({ name }) => name === RULESETS) ?? form) : form
  if (shape.kind !== "list") return null
  if (inForce === undefined)
    return (
      <p class="hint">There is no ruleset in force of which every part is known, so none can be filled in.</p>
    )
  const members = membersIn(state.draft)
  const fill = () => {
    const ruleset = draftOf(shape.item, inForce, within(state.around, members))
    if (rowsIn(members[RULESETS]).length > 0) state.hands.change([RULESETS, 0], ruleset)
    else state.hands.change([RULESETS], withRows({ kind: "list", rows: [] }, [ruleset]))
  }
  return (
    <button type="button" onClick={fill}>
      Fill in the ruleset in force as ruleset 1
    </button>
  )
}

export const ProjectPart = (props: ProjectProps) => {
  const { seat, state, showing } = props
  const [found, setFound] = useState<{ readonly of: string; readonly told: ToldProject }>()
  const members = membersIn(state.draft)
  const around = within(state.around, members)
  const projectId = textIn(membersIn(members.project).projectId).trim()
  const place = `${chainIn(around)}/${projectId}`
  if (!/^[1-9][0-9]{0,77}$/.test(projectId)) return null
  const ask = () => {
    const work = async () => {
      const told = await askForProject(seat.desk, chainIn(around), projectId)
      state.learn(told)
      setFound({ of: place, told })
    }
    seat.run("Looking up the project…", showing(work))
  }
  return (
    <div class="project">
      <div role="status">{found?.of === place ? <ToldRows rows={found.told.rows} /> : null}</div>
      {found?.of === place ? (
        <InForce {...props} inForce={found.told.inForce} />
      ) : (
        <button type="button" onClick={ask}>
          Look up the project
        </button>
      )}
    </div>
  )
}
