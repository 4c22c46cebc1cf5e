/** One labelled choice of a form, with what is said about it or what is wrong with it below. */
interface SelectFieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly change: (value: string) => void
  readonly about?: string
  readonly fault?: string
}

export const SelectField = ({
  id,
  label,
  value,
  options,
  change,
  about = "",
  fault = ""
}: SelectFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select
      id={id}
      value={value}
      aria-describedby={`${id}-about`}
      aria-invalid={fault !== ""}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
    <small id={`${id}-about`} class={fault === "" ? "muted" : "fault"}>
      {fault === "" ? about : fault}
    </small>
  </div>
)
