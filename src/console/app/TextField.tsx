/** One labelled text of a form, with what is said about it or what is wrong with it below. */
interface TextFieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly about?: string
  readonly fault?: string
  readonly rows?: number
  readonly isNumber?: boolean
}

export const TextField = ({
  id,
  label,
  value,
  change,
  about = "",
  fault = "",
  rows,
  isNumber
}: TextFieldProps) => {
  const shared = {
    id,
    value,
    autocomplete: "off",
    "aria-describedby": `${id}-about`,
    "aria-invalid": fault !== ""
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input
          type="text"
          inputmode={isNumber === true ? "numeric" : "text"}
          onInput={({ currentTarget }) => change(currentTarget.value)}
          {...shared}
        />
      ) : (
        <textarea rows={rows} onInput={({ currentTarget }) => change(currentTarget.value)} {...shared} />
      )}
      <small id={`${id}-about`} class={fault === "" ? "muted" : "fault"}>
        {fault === "" ? about : fault}
      </small>
    </div>
  )
}
