/** What a person typed into a form and what was found wrong with it, kept until the page is left. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Seat } from "../../app/Seat.ts"
import { type Draft, onChain, withDraft, withText } from "../fields/Draft.ts"
import type { FieldPath, InputField } from "../fields/InputField.ts"
import type { FormMisfit } from "../fields/ReadDraft.ts"
import type { KnownFacts, Surroundings } from "../fields/Surroundings.ts"
import { startDraft } from "../fields/WriteDraft.ts"
import { type FormHands, focusOn, idAt } from "./Hands.ts"

/** What the service told of tokens, and of loans. */
export type Learned = Partial<Pick<KnownFacts, "tokens" | "loans">>

export interface FormState {
  readonly draft: Draft
  readonly around: Surroundings
  readonly hands: Omit<FormHands, "lookUp" | "fillTerminal"> & {
    /** What was asked for is filled in only where the form still asks for it. */
    readonly changeWhere: (isMeant: (draft: Draft) => boolean, path: FieldPath, next: Draft) => void
  }
  /** Shows what is wrong, and turns to the first of it. */
  readonly refuse: (misfits: ReadonlyArray<FormMisfit>) => void
  readonly misfits: ReadonlyArray<FormMisfit>
  readonly learn: (found: Learned) => void
  /** Whose plan it is: what was filled in of the wallet before becomes this one's. */
  readonly actAs: (wallet: string, chainId?: number) => void
}

/** A link may name the chain and the project, and nothing that moves funds elsewhere. */
const begun = (form: InputField, known: KnownFacts, query: URLSearchParams): Draft => {
  const chain = query.get("chainId") ?? query.get("chain")
  const project = query.get("projectId") ?? query.get("project")
  const isOfProject = form.shape.kind === "group" && form.shape.fields.some(({ name }) => name === "project")
  const place = isOfProject ? ["project"] : []
  const named = [
    ...(chain !== null && /^[1-9][0-9]{0,15}$/.test(chain) ? [[[...place, "chainId"], chain] as const] : []),
    ...(isOfProject && project !== null && /^[1-9][0-9]{0,77}$/.test(project)
      ? [[[...place, "projectId"], project] as const]
      : [])
  ]
  return named.reduce((draft, [path, text]) => withDraft(draft, path, text), startDraft(form, known))
}

interface Wanted {
  readonly ids: ReadonlyArray<string>
  readonly within: boolean
}

/** Turns to an element once it is on the page. */
const useFocus = () => {
  const wanted = useRef<Wanted | undefined>(undefined)
  useLayoutEffect(() => {
    const { ids = [], within = false } = wanted.current ?? {}
    wanted.current = undefined
    ids.some(id => focusOn(id, within))
  })
  return wanted
}

const useLearned = () => {
  const [learned, setLearned] = useState<Required<Learned>>({ tokens: new Map(), loans: new Map() })
  const learn = ({ tokens = new Map(), loans = new Map() }: Learned) =>
    setLearned(before => ({
      tokens: new Map([...before.tokens, ...tokens]),
      loans: new Map([...before.loans, ...loans])
    }))
  return { learned, learn }
}

export const useFormState = (form: InputField, seat: Seat, query: URLSearchParams): FormState => {
  const { learned, learn } = useLearned()
  const [wallet, setWallet] = useState(seat.desk.wallet)
  const known: KnownFacts = { wallet, chains: seat.capabilities.chains, ...learned }
  const [draft, setDraft] = useState<Draft>(() => begun(form, known, query))
  const [misfits, setMisfits] = useState<ReadonlyArray<FormMisfit>>([])
  const wanted = useFocus()
  const wrong = useMemo(() => new Map(misfits.map(({ path, words }) => [idAt(path), words])), [misfits])
  return {
    draft,
    around: { known, groups: [] },
    learn,
    actAs: (next, chainId) => {
      setWallet(next)
      setDraft(before => {
        const own = withText(before, wallet, next)
        return chainId === undefined ? own : onChain(own, String(chainId))
      })
    },
    misfits,
    refuse: found => {
      setMisfits(found)
      wanted.current = { ids: found.slice(0, 1).map(({ path }) => idAt(path)), within: false }
    },
    hands: {
      wrong,
      change: (path, next) => {
        setDraft(before => withDraft(before, path, next))
        const id = idAt(path)
        setMisfits(before => before.filter(each => idAt(each.path) !== id))
      },
      changeWhere: (isMeant, path, next) =>
        setDraft(before => (isMeant(before) ? withDraft(before, path, next) : before)),
      focusNext: (...ids) => {
        wanted.current = { ids, within: ids.length === 1 && !ids[0]?.endsWith("-add") }
      }
    }
  }
}
