/** Project metadata as it would be published: checked, and in its canonical bytes. */
import { createHash } from "node:crypto"
import { Either } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { isContentId } from "./ContentId.ts"
import { InvalidMetadata, MetadataTooLarge } from "./refusals.ts"

export const METADATA_BYTES = 65_536
const LOGO_LENGTH = 519
const PATH_PARTS = 8

export interface ProjectMetadata {
  readonly name: string
  readonly description: string
  readonly logoUri?: string
  readonly infoUri?: string
}

export interface ReviewedMetadata {
  readonly metadata: ProjectMetadata
  /** Canonical JSON: keys sorted, nothing but what was given. */
  readonly jsonText: string
  readonly utf8Bytes: number
  readonly contentSha256: string
}

const IPFS = "ipfs://"
/** None that leads out of what the content id names. */
const PATH_PART = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/

const isLogo = (uri: string): boolean => {
  if (!uri.startsWith(IPFS) || uri.length > LOGO_LENGTH) return false
  const [id = "", ...path] = uri.slice(IPFS.length).split("/")
  return isContentId(id) && path.length <= PATH_PARTS && path.every(part => PATH_PART.test(part))
}

const isLink = (uri: string): boolean => {
  if (/[\s\\\p{Cc}]/u.test(uri)) return false
  if (uri.startsWith(IPFS)) return uri.length > IPFS.length
  const url = uri.startsWith("https://") ? parsedUrl(uri) : undefined
  return url !== undefined && url.username === "" && url.password === "" && url.hostname !== ""
}

const wrong = (path: string, expected: string) => new InvalidMetadata({ context: { path, expected } })

const LOGO = "ipfs:// with a canonical CID and a path of 8 plain parts at most, 519 characters in all"
const LINK = "ipfs://… or an https URL without credentials, whitespace or backslash"

const faultOf = ({ logoUri, infoUri }: ProjectMetadata): InvalidMetadata | undefined => {
  if (logoUri !== undefined && !isLogo(logoUri)) return wrong("metadata.logoUri", LOGO)
  return infoUri !== undefined && !isLink(infoUri) ? wrong("metadata.infoUri", LINK) : undefined
}

export const reviewMetadata = (
  metadata: ProjectMetadata
): Either.Either<ReviewedMetadata, InvalidMetadata | MetadataTooLarge> => {
  const fault = faultOf(metadata)
  if (fault !== undefined) return Either.left(fault)
  const jsonText = canonicalJson(metadata)
  const bytes = Buffer.from(jsonText)
  if (bytes.length > METADATA_BYTES)
    return Either.left(
      new MetadataTooLarge({ context: { utf8Bytes: bytes.length, maximum: METADATA_BYTES } })
    )
  const contentSha256 = createHash("sha256").update(bytes).digest("hex")
  return Either.right({ metadata, jsonText, utf8Bytes: bytes.length, contentSha256 })
}
