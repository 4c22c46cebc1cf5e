/** Where nobody is signed in the wallet is asked for each request, so the person begins. */
import { useEffect } from "preact/hooks"
import type { Desk } from "../../Desk.ts"

interface ReadFirstProps {
  readonly desk: Desk
  readonly what: string
  readonly read: () => void
  readonly begun: boolean
}

export const ReadFirst = ({ desk, what, read, begun }: ReadFirstProps) => {
  const isSignedIn = desk.grant !== undefined
  useEffect(() => {
    if (isSignedIn && !begun) read()
  }, [])
  if (begun)
    return (
      <p class="actions">
        <button type="button" onClick={read}>
          Read again
        </button>
      </p>
    )
  return (
    <>
      {!isSignedIn && (
        <p>
          Reading asks the wallet for a signature for each part, up to ten. Stay signed in above, and it asks
          for none.
        </p>
      )}
      <p class="actions">
        <button type="button" class="primary" onClick={read}>{`Read ${what}`}</button>
      </p>
    </>
  )
}
