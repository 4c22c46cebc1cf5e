/** What the account says of itself: read, and replaced as a whole. */
import { useEffect, useState } from "preact/hooks"
import type { Profile } from "../../accounts/Account.ts"
import type { PageProps } from "../app/Seat.ts"

const BYTES = { displayName: 120, bio: 2000, avatarUri: 2048 } as const

const utf8 = new TextEncoder()

const tooLong = (text: string, most: number): string =>
  utf8.encode(text).length > most ? `At most ${most} bytes of UTF-8; it has ${utf8.encode(text).length}.` : ""

const avatarFault = (text: string): string =>
  text === "" || /^(?:https|ipfs):\/\/[^/?#\s@\\]+(?:[/?#]\S*)?$/.test(text)
    ? tooLong(text, BYTES.avatarUri)
    : "An https:// or ipfs:// address without user information, or nothing."

interface Asked {
  readonly id: string
  readonly label: string
  readonly about: string
  readonly value: string
  readonly fault: string
  readonly change: (value: string) => void
  readonly isLong?: boolean
}

const Field = ({ id, label, about, value, fault, change, isLong = false }: Asked) => {
  const shared = {
    id,
    value,
    "aria-describedby": `${id}-about`,
    "aria-invalid": fault !== "",
    onInput: (event: Event) => {
      const { target } = event
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) change(target.value)
    }
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isLong ? <textarea rows={5} {...shared} /> : <input type="text" {...shared} />}
      <small id={`${id}-about`} class={fault === "" ? "muted" : "fault"}>
        {fault === "" ? about : fault}
      </small>
    </div>
  )
}

const EMPTY: Profile = { displayName: "", bio: "", avatarUri: null }

export const ProfilePage = ({ seat }: PageProps) => {
  const [profile, setProfile] = useState<Profile>()
  const [saved, setSaved] = useState(false)
  const { desk } = seat
  const read = () =>
    seat.run("Reading the profile…", async () => setProfile((await desk.client.accounts.show()).profile))
  useEffect(() => {
    if (desk.grant !== undefined) read()
  }, [])
  if (profile === undefined)
    return (
      <div class="actions">
        <button type="button" class="primary" onClick={read}>
          Read the profile
        </button>
        <button type="button" class="plain" onClick={() => setProfile(EMPTY)}>
          Write a new one
        </button>
      </div>
    )
  const change = (over: Partial<Profile>) => {
    setSaved(false)
    setProfile({ ...profile, ...over })
  }
  const { displayName, bio, avatarUri } = profile
  const faults = [
    tooLong(displayName, BYTES.displayName),
    tooLong(bio, BYTES.bio),
    avatarFault(avatarUri ?? "")
  ]
  const [nameFault = "", bioFault = "", uriFault = ""] = faults
  const replace = () =>
    seat.run("Waiting for the wallet…", async () => {
      setProfile((await desk.owner.accounts.replaceProfile(profile)).profile)
      setSaved(true)
    })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const first = faults.findIndex(fault => fault !== "")
        if (first === -1) replace()
        else document.getElementById(["name", "bio", "avatar"][first] ?? "")?.focus()
      }}
    >
      <p>What the owner says about the account: it proves no identity and grants nothing.</p>
      <Field
        id="name"
        label="Name"
        about="Shown to whoever may read the account."
        value={displayName}
        fault={nameFault}
        change={value => change({ displayName: value })}
      />
      <Field
        id="bio"
        label="About"
        about="Some lines, of at most 2000 bytes."
        value={bio}
        fault={bioFault}
        isLong
        change={value => change({ bio: value })}
      />
      <Field
        id="avatar"
        label="Address of a picture"
        about="https:// or ipfs://; neither the service nor this page fetches it."
        value={avatarUri ?? ""}
        fault={uriFault}
        change={value => change({ avatarUri: value === "" ? null : value })}
      />
      <div class="actions">
        <button type="submit" class="primary">
          Replace the profile
        </button>
        <span role="status" class="done">
          {saved ? "Replaced." : ""}
        </span>
      </div>
    </form>
  )
}
