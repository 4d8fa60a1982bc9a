import { createHash, type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  element,
  explicit,
  generalizedTime,
  implicit,
  nullValue,
  octetString,
  oid,
  sequence,
} from '#server/domain/asn1/der-writer.ts'
import { ID_OCSP_BASIC, ID_RSA_SHA256 } from '#server/domain/asn1/object-identifiers.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

const ENUMERATED = 0x0a

export type Revocation = {
  at: Instant
  /** The number of a CRLReason. */
  reason?: number
}

export type MintedSingle = {
  /** The whole CertID. */
  id: Uint8Array
  status: 'good' | 'unknown' | Revocation
  thisUpdate: Instant
  nextUpdate?: Instant
  /** Each one a whole Extension. */
  extensions?: readonly Uint8Array[]
}

export type OcspMinting = {
  singles: readonly MintedSingle[]
  producedAt: Instant
  /** Who answers; named by the hash of its key. */
  responder: Certificate
  responderKey: KeyObject
  isNamedBySubject?: boolean
  certificates?: readonly Certificate[]
  extensions?: readonly Uint8Array[]
}

/** The DER of a signed OCSP response. @see RFC 6960, 4.2.1 */
export function mintOcspResponse(minting: OcspMinting): Uint8Array {
  const { singles, producedAt, responder, responderKey, certificates = [] } = minting
  const algorithm = sequence(oid(ID_RSA_SHA256), nullValue())
  const tbs = sequence(
    minting.isNamedBySubject
      ? explicit(1, responder.subject.bytes)
      : explicit(2, octetString(createHash('sha1').update(responder.publicKey.bits).digest())),
    generalizedTime(producedAt),
    sequence(...singles.map(singleResponse)),
    ...optional(1, minting.extensions),
  )
  const signature = bitString(sign('sha256', tbs, responderKey))
  const brought = certificates.map(({ der }) => der)
  const basic = sequence(tbs, algorithm, signature, ...optional(0, brought))
  const bytes = sequence(oid(ID_OCSP_BASIC), octetString(basic))
  return sequence(element(ENUMERATED, Uint8Array.of(0)), explicit(0, bytes))
}

/** A response that says nothing but why not: 3 is "try later". */
export const mintOcspRefusal = (status: number) =>
  sequence(element(ENUMERATED, Uint8Array.of(status)))

function singleResponse({ id, status, thisUpdate, nextUpdate, extensions }: MintedSingle) {
  return sequence(
    id,
    certificateStatus(status),
    generalizedTime(thisUpdate),
    ...(nextUpdate === undefined ? [] : [explicit(0, generalizedTime(nextUpdate))]),
    ...optional(1, extensions),
  )
}

function certificateStatus(status: MintedSingle['status']): Uint8Array {
  if (status === 'good') return implicit(0, new Uint8Array())
  if (status === 'unknown') return implicit(2, new Uint8Array())
  const reason = status.reason === undefined ? [] : [explicit(0, reasonCode(status.reason))]
  return explicit(1, generalizedTime(status.at), ...reason)
}

const reasonCode = (reason: number) => element(ENUMERATED, Uint8Array.of(reason))

const optional = (number: number, elements: readonly Uint8Array[] = []) =>
  elements.length > 0 ? [explicit(number, sequence(...elements))] : []
