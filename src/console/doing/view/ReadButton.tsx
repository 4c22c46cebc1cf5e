/** Reads what the page could not read by itself. */
interface ReadButtonProps {
  readonly what: string
  readonly read: () => void
}

export const ReadButton = ({ what, read }: ReadButtonProps) => (
  <div class="actions">
    <button type="button" onClick={read}>{`Read ${what}`}</button>
  </div>
)
