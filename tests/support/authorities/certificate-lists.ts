import { type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  element,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  time,
} from '#server/domain/asn1/der-writer.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

const SHA256_WITH_RSA = '1.2.840.113549.1.1.11'

export type ListMinting = {
  issuer: Certificate
  issuerKey: KeyObject
  thisUpdate: Instant
  nextUpdate?: Instant | undefined
  entries?: readonly {
    /** The octets of the INTEGER. */
    serial: Uint8Array
    at: Instant
    extensions?: readonly Uint8Array[]
  }[]
  extensions?: readonly Uint8Array[]
}

/** The DER of a signed certificate revocation list. @see RFC 5280, 5.1 */
export function mintCertificateList(minting: ListMinting): Uint8Array {
  const { issuer, issuerKey, thisUpdate, nextUpdate, entries = [], extensions = [] } = minting
  const algorithm = sequence(oid(SHA256_WITH_RSA), nullValue())
  const tbs = sequence(
    integer(1),
    algorithm,
    issuer.subject.bytes,
    time(thisUpdate),
    ...(nextUpdate === undefined ? [] : [time(nextUpdate)]),
    ...(entries.length > 0 ? [sequence(...entries.map(listEntry))] : []),
    ...(extensions.length > 0 ? [explicit(0, sequence(...extensions))] : []),
  )
  return sequence(tbs, algorithm, bitString(sign('sha256', tbs, issuerKey)))
}

function listEntry({ serial, at, extensions = [] }: NonNullable<ListMinting['entries']>[number]) {
  const optionalExtensions = extensions.length > 0 ? [sequence(...extensions)] : []
  return sequence(element(0x02, serial), time(at), ...optionalExtensions)
}

/** Entries about others that make a list some 10 MB long; each has to be read as a whole. */
export const TEN_MEGABYTES: NonNullable<ListMinting['entries']> = Array.from(
  { length: 25_000 },
  (_, number) => ({
    serial: Buffer.from(String(number).padStart(20, '1')),
    at: parseInstant('2026-01-01T00:00:00Z'),
    extensions: [sequence(oid('1.3.6.1.4.1.99999.1'), octetString(new Uint8Array(340)))],
  }),
)
