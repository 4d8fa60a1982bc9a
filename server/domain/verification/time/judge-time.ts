import { areEqual } from '#server/domain/asn1/der-values.ts'
import type { Span } from '#server/domain/bytes.ts'
import { earliest, type Instant } from '#server/domain/time.ts'
import { signatureTimeStampsOf } from '#server/domain/timestamp/signature-time-stamps.ts'
import type { TimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'
import { type DigestName, digestOnce } from '#server/domain/trust/digest-algorithm.ts'
import { type Circumstances, nothingKnown } from '#server/domain/verification/circumstances.ts'
import { type Warning, warning } from '#server/domain/verification/codes/warning.ts'
import type { ByteRange } from '#server/domain/verification/digests.ts'
import { asAnswers, type Proofs } from '#server/domain/verification/proofs.ts'
import type { ReadSignature } from '#server/domain/verification/read-signatures.ts'
import { UNKNOWN_REVOCATION } from '#server/domain/verification/trust-facts.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { judgeTimeStamp, type TimeStampJudgement } from './judge-time-stamp.ts'

/** A timestamp of the file with what it covers; absent range: nothing that can be told. */
export type FileTimeStamp = {
  token: TimeStampToken | undefined
  judgement: TimeStampJudgement
  /** Of a document timestamp, what it covers; of one over a signature, where it stands. */
  covers: { range: ByteRange } | { place: Span | undefined }
  /** Of the authority. */
  certificate: Certificate | undefined
}

/** What time says about one signature. */
export type SignatureTime = {
  /** The earliest time at which the signature is proven to exist; undefined without any proof. */
  proven: Instant | undefined
  /** Those over the signature itself, then those over the document with it; the good and the bad. */
  stamps: readonly FileTimeStamp[]
  /** Of a document timestamp: itself. */
  own: FileTimeStamp | undefined
  /** The constancia beside the file, if it proves that the whole file existed. */
  beside: FileTimeStamp | undefined
}

export type FileTime = {
  circumstances: Circumstances
  timeOf(evidence: ReadSignature): SignatureTime
}

/** More of them would make a small file cost much. */
const MOST_DOCUMENT_STAMPS = 100

/**
 * What the timestamps of a file prove. The newest one is judged as of now, every older one and each signature
 * as of the time at which a newer one proves that it existed.
 *
 * @param beside a constancia over the whole file: the newest of all, because everything else is in the file
 * @see ETSI EN 319 102-1 V1.3.1, 5.6.2
 */
export function judgeTime(
  all: readonly ReadSignature[],
  proofs: Proofs,
  policy: VerificationPolicy,
  beside?: FileTimeStamp,
): FileTime {
  const candidates = [
    ...policy.candidates,
    ...proofs.certificates.map(({ certificate }) => certificate),
  ]
  const { paths, checks } = nothingKnown()
  const outer = beside?.judgement.isProof ? beside : undefined
  const documentStamps: FileTimeStamp[] = outer ? [outer] : []
  const provenAt = (place: Span | undefined) => earliestProof(documentStamps, place)
  const circumstancesNow = (): Circumstances => ({
    policy,
    candidates,
    evidence: {
      ocsp: [...asAnswers(proofs.ocsp, provenAt), ...(policy.evidence?.ocsp ?? [])],
      crls: [...asAnswers(proofs.crls, provenAt), ...(policy.evidence?.crls ?? [])],
    },
    // What answers say depends on what is proven so far; paths do not.
    known: { ...nothingKnown(), paths, checks },
  })
  const own = new Map<ReadSignature, FileTimeStamp>()
  const tooMany = newestFirst(all).slice(MOST_DOCUMENT_STAMPS)
  for (const evidence of newestFirst(all)) {
    const stamp = tooMany.includes(evidence)
      ? unreadableStamp('document', evidence, warning('too-many-timestamps'))
      : documentStampOf(evidence, all, {
          provenAt: provenAt(evidence.dictionary.contentsSpan),
          circumstances: circumstancesNow(),
        })
    own.set(evidence, stamp)
    documentStamps.push(stamp)
  }
  const circumstances = circumstancesNow()
  return {
    circumstances,
    timeOf(evidence) {
      const place = evidence.dictionary.contentsSpan
      const ofSignature = own.has(evidence)
        ? []
        : signatureStamps(evidence, all, { provenAt: provenAt(place), circumstances })
      const covering = documentStamps.filter((stamp) => stamp !== outer && doesCover(stamp, place))
      const itself = own.get(evidence)
      const counted = [itself, outer].filter((stamp) => stamp !== undefined)
      return {
        proven: earliestTime([...ofSignature, ...covering, ...counted]),
        stamps: [...ofSignature, ...covering],
        own: itself,
        beside: outer,
      }
    },
  }
}

type Surroundings = { provenAt: Instant | undefined; circumstances: Circumstances }

const isDocumentStamp = ({ dictionary }: ReadSignature) => dictionary.subFilter === 'ETSI.RFC3161'

/** By how far they reach: a timestamp can only cover what stands before its end. */
function newestFirst(all: readonly ReadSignature[]): ReadSignature[] {
  const endOf = ({ coverage: { byteRange } }: ReadSignature) =>
    byteRange ? byteRange[2] + byteRange[3] : 0
  return all.filter(isDocumentStamp).sort((a, b) => endOf(b) - endOf(a))
}

function earliestTime(stamps: readonly FileTimeStamp[]): Instant | undefined {
  const times = stamps.flatMap(({ judgement: { isProof, time } }) =>
    isProof && time !== undefined ? [time] : [],
  )
  const [first, ...more] = times
  return first === undefined ? undefined : earliest(first, ...more)
}

const earliestProof = (stamps: readonly FileTimeStamp[], place: Span | undefined) =>
  earliestTime(stamps.filter((stamp) => doesCover(stamp, place)))

/** Whether the timestamp is over bytes of the file among which `place` lies. */
export function doesCover({ covers }: FileTimeStamp, place: Span | undefined): boolean {
  if (!('range' in covers) || !place) return false
  const [start, length, tail, tailLength] = covers.range
  const isInFront = start <= place.start && place.end <= start + length
  return isInFront || (tail <= place.start && place.end <= tail + tailLength)
}

function documentStampOf(
  evidence: ReadSignature,
  all: readonly ReadSignature[],
  surroundings: Surroundings,
): FileTimeStamp {
  const { content, coverage, rangeDigest, dictionary } = evidence
  const token = tokenIn(evidence)
  if (!token || !rangeDigest || !coverage.byteRange || coverage.coverage === 'UNCLEAR') {
    const reason = 'reason' in content ? content.reason : warning('timestamp-unreadable')
    return unreadableStamp('document', evidence, reason)
  }
  const isRangeDigest = (digest: DigestName) => digest === token.info.digest
  const stamp = judged(
    token,
    (digest) => (isRangeDigest(digest) ? rangeDigest : new Uint8Array()),
    'document',
    { range: coverage.byteRange },
    surroundings,
  )
  const isCopy = all.some(
    (other) =>
      other.dictionary.contentsSpan?.start !== dictionary.contentsSpan?.start &&
      areSameToken(tokenIn(other), token),
  )
  return isCopy && !stamp.judgement.isValid ? renamed(stamp, warning('timestamp-copied')) : stamp
}

function tokenIn({ content }: ReadSignature): TimeStampToken | undefined {
  if (content.kind !== 'read' || !content.content.tstInfo) return undefined
  const { signedData, signer, tstInfo } = content.content
  return { signedData, signer, info: tstInfo }
}

const areSameToken = (a: TimeStampToken | undefined, b: TimeStampToken) =>
  a !== undefined && areEqual(a.signer.signature, b.signer.signature)

function signatureStamps(
  evidence: ReadSignature,
  all: readonly ReadSignature[],
  surroundings: Surroundings,
): FileTimeStamp[] {
  const signer = signerIn(evidence)
  if (!signer) return []
  const place = evidence.dictionary.contentsSpan
  const tokens = signatureTimeStampsOf(signer)
  return tokens.map((token, index) => {
    if (!token) return unreadableStamp('signature', evidence, warning('timestamp-unreadable'))
    const digestOf = (digest: DigestName) => digestOnce(digest, signer.signature)
    const stamp = judged(token, digestOf, 'signature', { place }, surroundings)
    if (tokens.slice(0, index).some((earlier) => areSameToken(earlier, token)))
      return uncounted(stamp, warning('timestamp-repeated'))
    const isCopy =
      stamp.judgement.isValid === false &&
      all.some((other) => other !== evidence && isOverSignature(token, other))
    return isCopy ? renamed(stamp, warning('timestamp-of-other-signature')) : stamp
  })
}

const signerIn = ({ content }: ReadSignature) =>
  content.kind === 'read' ? content.content.signer : undefined

function isOverSignature({ info }: TimeStampToken, other: ReadSignature): boolean {
  const signature = signerIn(other)?.signature
  if (!signature || !info.digest) return false
  return areEqual(info.imprint, digestOnce(info.digest, signature))
}

function judged(
  token: TimeStampToken,
  digestOf: (digest: DigestName) => Uint8Array,
  kind: 'signature' | 'document',
  covers: FileTimeStamp['covers'],
  { provenAt, circumstances }: Surroundings,
): FileTimeStamp {
  const facts = verifyTimeStamp(token, digestOf, {
    certificates: circumstances.candidates,
    issuers: circumstances.policy.constancias?.issuers ?? [],
  })
  const judgement = judgeTimeStamp(token, facts, { kind, provenAt, circumstances })
  return { token, judgement, covers, certificate: facts.certificate }
}

const renamed = (stamp: FileTimeStamp, reason: Warning): FileTimeStamp => ({
  ...stamp,
  judgement: { ...stamp.judgement, reason },
})

const uncounted = (stamp: FileTimeStamp, reason: Warning): FileTimeStamp => ({
  ...stamp,
  judgement: { ...stamp.judgement, isProof: false, reason },
})

function unreadableStamp(
  kind: 'signature' | 'document',
  { dictionary }: ReadSignature,
  reason: Warning,
): FileTimeStamp {
  return {
    token: undefined,
    judgement: {
      kind,
      time: undefined,
      authority: null,
      isVouched: false,
      isValid: false,
      trust: {
        trusted: false,
        forTesting: false,
        subIndication: 'FORMAT_FAILURE',
        warnings: [reason],
        revocation: UNKNOWN_REVOCATION,
      },
      isProof: false,
      reason,
    },
    covers: { place: dictionary.contentsSpan },
    certificate: undefined,
  }
}
