/** What the account says of itself: read, and replaced as a whole. */
import { useEffect, useState } from "preact/hooks"
import type { Profile } from "../../accounts/Account.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { TextField } from "../app/TextField.tsx"
import { tooLongText } from "./TooLong.ts"

const BYTES = { displayName: 120, bio: 2000, avatarUri: 2048 } as const

const avatarFault = (text: string): string =>
  text === "" || /^(?:https|ipfs):\/\/[^/?#\s@\\]+(?:[/?#]\S*)?$/.test(text)
    ? tooLongText(text, BYTES.avatarUri)
    : "An https:// or ipfs:// address without user information, or nothing."

const faultsIn = ({ displayName, bio, avatarUri }: Profile) => ({
  name: tooLongText(displayName, BYTES.displayName),
  bio: tooLongText(bio, BYTES.bio),
  avatar: avatarFault(avatarUri ?? "")
})

interface Filling {
  readonly profile: Profile
  readonly change: (over: Partial<Profile>) => void
}

const ProfileFields = ({ profile, change }: Filling) => {
  const faults = faultsIn(profile)
  return (
    <>
      <TextField
        id="name"
        label="Name"
        about="Shown to whoever may read the account."
        value={profile.displayName}
        fault={faults.name}
        change={displayName => change({ displayName })}
      />
      <TextField
        id="bio"
        label="About"
        about="Some lines, of at most 2000 bytes."
        value={profile.bio}
        fault={faults.bio}
        rows={5}
        change={bio => change({ bio })}
      />
      <TextField
        id="avatar"
        label="Address of a picture"
        about="https:// or ipfs://; neither the service nor this page fetches it."
        value={profile.avatarUri ?? ""}
        fault={faults.avatar}
        change={uri => change({ avatarUri: uri === "" ? null : uri })}
      />
    </>
  )
}

interface Shown {
  readonly seat: Seat
  readonly present: Profile
}

const ProfileForm = ({ seat: { desk, run }, present }: Shown) => {
  const [profile, setProfile] = useState(present)
  const [saved, setSaved] = useState<Profile>()
  const change = (over: Partial<Profile>) => setProfile({ ...profile, ...over })
  const replace = (event: Event) => {
    event.preventDefault()
    const wrong = Object.entries(faultsIn(profile)).find(([, fault]) => fault !== "")
    if (wrong !== undefined) return document.getElementById(wrong[0])?.focus()
    run("Waiting for the wallet…", async () => {
      const stored = await desk.owner.accounts.replaceProfile(profile)
      setProfile(now => (now === profile ? stored.profile : now))
      setSaved(stored.profile)
    })
  }
  return (
    <form onSubmit={replace}>
      <p>What the owner says about the account: it proves no identity and grants nothing.</p>
      <ProfileFields profile={profile} change={change} />
      <div class="actions">
        <button type="submit" class="primary">
          Replace the profile
        </button>
        <span role="status" class="done">
          {saved === profile ? "Replaced." : ""}
        </span>
      </div>
    </form>
  )
}

export const ProfilePage = ({ seat }: PageProps) => {
  const [present, setPresent] = useState<Profile>()
  const { desk } = seat
  const read = () =>
    seat.run("Reading the profile…", async () => setPresent((await desk.client.accounts.show()).profile))
  useEffect(() => {
    if (desk.grant !== undefined) read()
  }, [])
  return present === undefined ? (
    <div class="actions">
      <button type="button" class="primary" onClick={read}>
        Read the profile
      </button>
    </div>
  ) : (
    <ProfileForm seat={seat} present={present} />
  )
}
