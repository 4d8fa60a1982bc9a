import { DerError, readBerPrefix } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { ID_CT_TST_INFO, ID_DATA } from '#server/domain/asn1/object-identifiers.ts'
import { readBareSignature } from '#server/domain/cms/bare-signature.ts'
import { readSignedData, type SignedData } from '#server/domain/cms/signed-data.ts'
import type { SignerInfo } from '#server/domain/cms/signer-info.ts'
import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import { foreignText } from '#server/domain/text/shown-text.ts'
import { readTstInfo, type TstInfo } from '#server/domain/timestamp/tst-info.ts'
import type { DigestName } from '#server/domain/trust/digest-algorithm.ts'
import { digestNameOf, startDigest } from '#server/domain/trust/digest-algorithm.ts'
import { type Warning, warning } from './codes/warning.ts'

/**
 * A signature as its sub-filter wants it read: where the signed content is, and which digest over the byte
 * range has to be known to judge it.
 */
export type SignatureContent = {
  signedData: SignedData
  signer: SignerInfo
  /** The digest over the byte range that the signature commits to; undefined for one we do not compute. */
  rangeDigest: DigestName | undefined
  /** Present in a document timestamp. */
  tstInfo?: TstInfo
}

export type ReadContent =
  | { kind: 'read'; content: SignatureContent }
  | { kind: 'refused'; reason: Warning }
  /** A placeholder: no signature yet, only zeros, or bytes that never were a signature. */
  | { kind: 'empty'; reason: Warning }
  /** A format that this verifier does not read. */
  | { kind: 'unsupported'; reason: Warning }

/** @see ISO 32000-2:2020, 12.8.3; ETSI EN 319 142-1 V1.2.1, 5.2 and 6.2.1 */
export function readSignatureContent(
  dictionary: Pick<SignatureDictionary, 'subFilter' | 'contents' | 'certificates'>,
): ReadContent {
  const { subFilter, contents, certificates } = dictionary
  if (!contents || contents.length === 0) return refuse('contents-missing')
  if (contents.every((octet) => octet === 0))
    return { kind: 'empty', reason: warning('contents-empty') }
  if (!(SUB_FILTERS as readonly string[]).includes(subFilter))
    return {
      kind: 'unsupported',
      reason: warning('format-unsupported', { format: printable(subFilter) }),
    }
  if (subFilter === BARE && certificates.length === 0) return refuse('certificate-entry-missing')
  try {
    const signedData =
      subFilter === BARE ? readBareSignature(contents, certificates) : readSignedData(contents)
    return readFormat(subFilter as SubFilter, signedData)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return error.code === 'bad-value' && isWhole(contents)
      ? { kind: 'empty', reason: warning('cms-misencoded') }
      : refuse('cms-damaged')
  }
}

/**
 * All parts of it are there, each as long as it says, and one of them is written as no encoding rule allows:
 * it was not damaged on the way but made so, no program has ever read it, and nothing is signed with it.
 *
 * @see X.690 (02/2021), 8.3.2
 */
function isWhole(contents: Uint8Array): boolean {
  try {
    const waiting = [readBerPrefix(contents, { maxNodes: 200_000 })]
    for (let node = waiting.pop(); node; node = waiting.pop())
      if (node.tag & CONSTRUCTED) for (const child of node.children()) waiting.push(child)
    return true
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

const CONSTRUCTED = 0x20

/** A signature without any CMS around it. @see ISO 32000-2:2020, 12.8.3.2 */
const BARE = 'adbe.x509.rsa_sha1'

const SUB_FILTERS = [
  BARE,
  'ETSI.CAdES.detached',
  'adbe.pkcs7.detached',
  'adbe.pkcs7.sha1',
  'ETSI.RFC3161',
] as const
type SubFilter = (typeof SUB_FILTERS)[number]

function readFormat(subFilter: SubFilter, signedData: SignedData): ReadContent {
  const [signer, ...more] = signedData.signers
  if (!signer || more.length > 0) return refuse('signer-count-wrong')
  const base = { signedData, signer }
  const digest = digestNameOf(signer.digestAlgorithm.oid)
  if (subFilter === 'ETSI.RFC3161') {
    if (signedData.contentType !== ID_CT_TST_INFO || !signedData.content)
      return refuse('timestamp-content-missing')
    const tstInfo = readTstInfo(signedData.content)
    return { kind: 'read', content: { ...base, rangeDigest: tstInfo.digest, tstInfo } }
  }
  if (signedData.contentType !== ID_DATA) return refuse('content-type-wrong')
  if (subFilter === 'adbe.pkcs7.sha1') {
    if (signedData.content?.length !== 20) return refuse('sha1-digest-missing')
    return { kind: 'read', content: { ...base, rangeDigest: 'sha1' } }
  }
  // Signed content inside a detached signature: what was signed would not be the document.
  if (signedData.content !== undefined) return refuse('content-embedded')
  return { kind: 'read', content: { ...base, rangeDigest: digest } }
}

/** Whether the signature's own content commits to the byte range; true for a detached one. */
export function commitsToRange(content: SignatureContent, rangeDigest: Uint8Array): boolean {
  if (content.tstInfo) return areEqual(content.tstInfo.imprint, rangeDigest)
  const inner = content.signedData.content
  return inner === undefined || areEqual(inner, rangeDigest)
}

/** The digest over what the CMS signs: its own content where it has one, else the byte range. */
export function cmsContentDigest(content: SignatureContent, rangeDigest: Uint8Array) {
  return (digest: DigestName): Uint8Array => {
    const inner = content.signedData.content
    if (inner !== undefined) return new Uint8Array(startDigest(digest).update(inner).digest())
    // A detached signature digests the range with the one algorithm that was asked for.
    return digest === content.rangeDigest ? rangeDigest : new Uint8Array()
  }
}

type Refusal =
  | 'contents-missing'
  | 'certificate-entry-missing'
  | 'cms-damaged'
  | 'signer-count-wrong'
  | 'timestamp-content-missing'
  | 'content-type-wrong'
  | 'sha1-digest-missing'
  | 'content-embedded'

const refuse = (code: Refusal): ReadContent => ({ kind: 'refused', reason: warning(code) })

/** A name from a stranger's file, fit for a sentence. */
export const printable = (text: string) =>
  foreignText(text.replace(/[^\x20-\x7e\xa0-\u024f]/g, '·'), 80)
