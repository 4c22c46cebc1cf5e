/** Every operation that prepares a plan, by group, and searched by words. */
import { useEffect, useState } from "preact/hooks"
import type { OperationDescriptor } from "../../http/api/Operations.ts"
import type { PageProps } from "../app/Seat.ts"
import { ReadButton } from "./view/ReadButton.tsx"
import { isFound, OPERATION_GROUPS, operationWords } from "./words/OperationWords.ts"

const inOrder = (operations: ReadonlyArray<OperationDescriptor>): ReadonlyArray<OperationDescriptor> =>
  operations
    .filter(({ transaction }) => transaction)
    .sort((one, other) => operationWords(one.id).rank - operationWords(other.id).rank)

interface Links {
  readonly operations: ReadonlyArray<OperationDescriptor>
  /** Of a bound wallet that the plan is to be for. */
  readonly query: string
}

const OperationLinks = ({ operations, query }: Links) => (
  <ul class="operations">
    {operations.map(({ id, description }) => (
      <li key={id}>
        <a href={`/console/do/${id}${query}`}>{operationWords(id).title}</a>
        <p>
          {description} <code>{id}</code>
        </p>
      </li>
    ))}
  </ul>
)

const useOperations = ({ seat }: PageProps) => {
  const [all, setAll] = useState<ReadonlyArray<OperationDescriptor>>()
  const read = () =>
    seat.run("Reading the operations…", async () => {
      setAll(inOrder(await seat.desk.client.catalog.operations()))
    })
  useEffect(read, [])
  return { all, read }
}

export const OperationsPage = (props: PageProps) => {
  const { all, read } = useOperations(props)
  const [searched, setSearched] = useState("")
  if (all === undefined) return <ReadButton what="the operations" read={read} />
  const shown = all.filter(({ id, description }) => isFound(searched, operationWords(id), description))
  const wallet = props.query.get("wallet") ?? ""
  const query = /^0x[0-9a-f]{64}$/.test(wallet) ? `?wallet=${wallet}` : ""
  const count = `${shown.length} of ${all.length} operations`
  return (
    <>
      <p>Each form prepares a plan: you see what it does, step by step, before anything is signed or sent.</p>
      <div class="field">
        <label for="searched">Search by words</label>
        <input
          id="searched"
          type="search"
          autocomplete="off"
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
        />
      </div>
      <p class="muted" role="status">
        {count}
      </p>
      {OPERATION_GROUPS.map(group => {
        const operations = shown.filter(({ id }) => operationWords(id).group === group)
        return operations.length === 0 ? null : (
          <section key={group}>
            <h2>{group}</h2>
            <OperationLinks operations={operations} query={query} />
          </section>
        )
      })}
    </>
  )
}
