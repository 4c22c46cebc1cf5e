/** One operation, whose own declaration makes its form. */
import { useEffect, useState } from "preact/hooks"
import { ServiceProblem } from "../../client/Errors.ts"
import type { OperationDescriptor } from "../../http/api/Operations.ts"
import type { PageProps } from "../app/Seat.ts"
import { PlanForm } from "./view/PlanForm.tsx"
import { ReadButton } from "./view/ReadButton.tsx"
import { operationWords } from "./words/OperationWords.ts"

type Found = OperationDescriptor | "unknown"

const useOperation = ({ seat, path }: PageProps) => {
  const [found, setFound] = useState<Found>()
  const id = path.split("/").at(-1) ?? ""
  const read = () =>
    seat.run("Reading the operation…", async () => {
      const read = await seat.desk.client.catalog.operation(id).catch((failure: unknown) => {
        if (failure instanceof ServiceProblem && failure.problem.status === 404) return undefined
        throw failure
      })
      setFound(read?.transaction === true ? read : "unknown")
    })
  useEffect(() => {
    document.title = document.title.replace(/^[^·]*/, `${operationWords(id).title} `)
    read()
  }, [])
  return { found, read }
}

export const OperationPage = (props: PageProps) => {
  const { found, read } = useOperation(props)
  if (found === undefined) return <ReadButton what="the operation" read={read} />
  return (
    <>
      <p>
        <a href="/console/do">All operations</a>
      </p>
      {found === "unknown" ? (
        <>
          <h2>There is no such operation</h2>
          <p>This service prepares no plan by that name.</p>
        </>
      ) : (
        <PlanForm seat={props.seat} query={props.query} operation={found} />
      )}
    </>
  )
}
