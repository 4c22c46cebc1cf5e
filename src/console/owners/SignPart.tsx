/** The owner's wallet: found, held against the wallet's owners by its own node, asked for the signature, which then goes back. */
import { useEffect, useRef, useState } from "preact/hooks"
import { signPayload } from "../../client/Signer.ts"
import type { AskedReview } from "../../review/AskedReview.ts"
import { answerText, signaturesIn } from "../../review/OwnerAnswers.ts"
import { answerLink } from "../../review/OwnerLink.ts"
import { type OwnerRequest, payloadOf } from "../../review/OwnerRequest.ts"
import { exact, row, toned, words } from "../../review/Words.ts"
import type { OwnerPart } from "../../values/OwnerEnvelope.ts"
import { askingSigner } from "../AskingSigner.ts"
import { HandOn, type WayOut } from "../app/HandOn.tsx"
import type { Stage } from "../Stage.ts"
import { accountsOf, type FoundWallet, type Provider, switchChain, watchWallets } from "../Wallet.ts"
import { lookAtWallet, type WalletLook } from "./LookAtWallet.ts"

interface Signing {
  readonly request: OwnerRequest
  readonly review: AskedReview
  readonly stage: Stage
}

interface Connected {
  readonly provider: Provider
  readonly account: string
  /** Of the wallet that is signed for; undefined where the node does not tell. */
  readonly looked: WalletLook | undefined
}

const isAmong = (account: string, owners: ReadonlyArray<string>): boolean =>
  owners.some(owner => owner.toLowerCase() === account.toLowerCase())

/** Undefined where nobody tells. */
const ownersOf = ({ request }: Signing, looked: WalletLook | undefined): ReadonlyArray<string> | undefined =>
  looked?.owners ?? (request.kind === "binding" ? request.state.owners : undefined)

/** What the wallet's node tells against it. */
const obstacle = (signing: Signing, { account, looked }: Connected): string | undefined => {
  const { request } = signing
  if (!isAmong(account, ownersOf(signing, looked) ?? [account]))
    return `The connected account ${account} is no owner of this wallet.`
  if (looked === undefined) return undefined
  const adapter = request.kind === "operation" ? request.adapted.adapter : request.state.adapter
  if (looked.adapter !== adapter)
    return "The wallet's operations are checked by another contract than the one that is signed for: sign nothing."
  const isSame =
    request.kind === "operation" ||
    (looked.threshold === request.state.threshold &&
      looked.owners.length === request.state.owners.length &&
      looked.owners.every(owner => isAmong(owner, request.state.owners)))
  return isSame ? undefined : "The wallet has other owners now than are shown: sign nothing."
}

const useWallets = (): ReadonlyArray<FoundWallet> => {
  const [wallets, setWallets] = useState<ReadonlyArray<FoundWallet>>([])
  useEffect(() => watchWallets(setWallets), [])
  return wallets
}

/** Of the accounts that the wallet shows, the one that is an owner. */
const connectedBy = async (signing: Signing, provider: Provider): Promise<Connected> => {
  const accounts = await accountsOf(provider)
  const looked = await lookAtWallet(provider, signing.review.wallet)
  const owners = ownersOf(signing, looked) ?? []
  const account = accounts.find(each => isAmong(each, owners)) ?? accounts[0] ?? ""
  return { provider, account, looked }
}

/** Rejects where another account signed than the one that is connected. */
const signedBy = async (
  { request, review }: Signing,
  { provider, account }: Connected
): Promise<OwnerPart | undefined> => {
  const about = [toned("sentence", row("does", ...review.sentence))]
  const signer = askingSigner(provider, account, about)
  const signature = await signPayload(signer, payloadOf(request))
  const [part] = signaturesIn(signature, request.digest, [account]).parts
  return part
}

interface Answered {
  readonly request: OwnerRequest
  readonly part: OwnerPart
}

const waysBack = ({ request: { digest }, part }: Answered): ReadonlyArray<WayOut> => {
  const { signature, signer } = part
  const link = answerLink(location.origin, digest, signature)
  return [
    { label: "Copy a link that brings it back", text: link, isPrimary: true },
    { label: "Copy the signature", text: signature },
    { label: "Keep it as a file", text: answerText(digest, part), file: `signature-${signer}.json` }
  ]
}

const Answer = (answered: Answered) => {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <section class="plan">
      <h2 tabindex={-1} ref={place}>
        Signed: send it back to the owner who asked
      </h2>
      <p>Nothing was sent by this page. Who has enough signatures can send what was signed until it ends.</p>
      <div class="field">
        <label for="signature">Your signature</label>
        <textarea id="signature" rows={3} readOnly value={answered.part.signature} />
      </div>
      <HandOn ways={waysBack(answered)} />
    </section>
  )
}

interface Again extends Signing {
  readonly connected: Connected
  readonly again: () => Promise<void>
}

const Unlooked = ({ review, stage, connected, again }: Again) => {
  const { chainId } = review.wallet
  const turn = () =>
    stage.run("Waiting for the wallet…", async () => {
      await switchChain(connected.provider, chainId)
      await again()
    })
  return (
    <section class="notice">
      <p>
        Your wallet's node does not tell of this wallet: it is on another chain, or the wallet is not there.
        So nobody checked that you are an owner.
      </p>
      <button type="button" class="plain" onClick={turn}>
        Switch the wallet to chain {chainId}
      </button>
    </section>
  )
}

const Sign = (signing: Again) => {
  const { connected, stage, request, again } = signing
  const [part, setPart] = useState<OwnerPart>()
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  const reason = obstacle(signing, connected)
  const sign = () =>
    stage.run("Waiting for the wallet…", async () => {
      const made = await signedBy(signing, connected)
      if (made === undefined)
        return stage.warn({
          title: "Another account signed than the connected one",
          advice: "Choose the owner's account in the wallet, and load the page again.",
          rows: [
            row("connected", exact(connected.account)),
            row("means", words("the signature is of no use"))
          ]
        })
      setPart(made)
    })
  if (part !== undefined) return <Answer request={request} part={part} />
  return (
    <>
      <p tabindex={-1} ref={place}>
        Connected as <code>{connected.account}</code>
        {connected.looked === undefined || reason !== undefined
          ? "."
          : ", an owner of the wallet, as its chain says."}
      </p>
      {connected.looked === undefined ? <Unlooked {...signing} /> : undefined}
      {reason === undefined ? (
        <button type="button" class="primary" onClick={sign}>
          Sign with your wallet
        </button>
      ) : (
        <>
          <p class="obstacle" role="alert">
            {reason}
          </p>
          <button type="button" class="plain" onClick={() => stage.run("Asking the wallet…", again)}>
            Connect again
          </button>
        </>
      )}
    </>
  )
}

export const SignPart = (signing: Signing) => {
  const wallets = useWallets()
  const [connected, setConnected] = useState<Connected>()
  const ask = async (provider: Provider) => setConnected(await connectedBy(signing, provider))
  const connect = (provider: Provider) => signing.stage.run("Asking the wallet…", () => ask(provider))
  if (connected !== undefined) {
    const again = () => ask(connected.provider)
    return <Sign key={connected.account} {...signing} connected={connected} again={again} />
  }
  if (wallets.length === 0)
    return (
      <p class="obstacle">There is no wallet in this browser: open the link in one that has the owner's.</p>
    )
  return (
    <div class="actions">
      {wallets.map(({ name, provider }) => (
        <button key={name} type="button" class="primary" onClick={() => connect(provider)}>
          {wallets.length === 1 ? "Connect your wallet" : `Connect ${name.slice(0, 40)}`}
        </button>
      ))}
    </div>
  )
}
