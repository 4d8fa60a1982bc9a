import { DerError } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import { ID_SIGNING_TIME } from '#server/domain/asn1/object-identifiers.ts'
import { singleValue } from '#server/domain/cms/attributes.ts'
import { decodeDate } from '#server/domain/pdf/date-string.ts'
import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { type Warning, warning } from '#server/domain/verification/codes/warning.ts'
import type { SignatureContent } from '#server/domain/verification/signature-content.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { CLOCK_SKEW } from './clock-skew.ts'
import type { SignatureTime } from './judge-time.ts'

type Claims = {
  dictionary: Pick<SignatureDictionary, 'signingTime'>
  read: SignatureContent | undefined
}

/**
 * The time that the signer states: /M, without a date there the signing-time attribute, or the genTime of a timestamp.
 *
 * @see ETSI EN 319 142-1 V1.2.1, 6.3; ISO 32000-2:2020, table 255, entry "M"
 */
export function claimedTimeOf({ dictionary, read }: Claims): Instant | undefined {
  if (read?.tstInfo) return read.tstInfo.time
  return dateIn(dictionary) ?? signingTimeIn(read)
}

const dateIn = ({ signingTime }: Claims['dictionary']) =>
  signingTime === undefined ? undefined : decodeDate(signingTime)

/**
 * What the times that the signer states contradict: each other, the proven time, the life of the certificate, the
 * clock.
 */
export function remarksAboutClaims(
  claims: Claims & { certificate: Certificate | undefined },
  { proven }: SignatureTime,
  now: Instant,
): Warning[] {
  const { dictionary, read, certificate } = claims
  const claimed = claimedTimeOf(claims)
  const isTimestamp = read?.tstInfo !== undefined
  const isUnreadable =
    !isTimestamp && dictionary.signingTime !== undefined && dateIn(dictionary) === undefined
  const remarks: Warning[] = isUnreadable ? [warning('claimed-time-unreadable')] : []
  if (claimed === undefined) return remarks
  const claimedTime = toTimestamp(claimed)
  if (claimed > now) remarks.push(warning('claimed-time-in-future', { claimedTime }))
  if (isTimestamp) return remarks
  const signing = signingTimeIn(read)
  if (signing !== undefined && Math.abs(signing - claimed) > CLOCK_SKEW)
    remarks.push(
      warning('claimed-times-disagree', { claimedTime, signingTime: toTimestamp(signing) }),
    )
  if (certificate && claimed + CLOCK_SKEW < certificate.notBefore)
    remarks.push(
      warning('claimed-time-before-certificate', {
        claimedTime,
        notBefore: toTimestamp(certificate.notBefore),
      }),
    )
  if (certificate && claimed > certificate.notAfter)
    remarks.push(
      warning('claimed-time-after-certificate', {
        claimedTime,
        notAfter: toTimestamp(certificate.notAfter),
      }),
    )
  if (proven !== undefined && claimed > proven + CLOCK_SKEW)
    remarks.push(
      warning('claimed-time-after-proven-time', { claimedTime, provenTime: toTimestamp(proven) }),
    )
  return remarks
}

/** The signing-time attribute; undefined where there is none that can be read. @see RFC 5652, 11.3 */
function signingTimeIn(content: SignatureContent | undefined): Instant | undefined {
  try {
    const value = singleValue(content?.signer.signedAttributes?.attributes ?? [], ID_SIGNING_TIME)
    return typeof value === 'string' ? undefined : timeOf(value)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
