import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { latin1, oidOf, sequenceOf } from '#server/domain/asn1/der-values.ts'
import {
  ID_AUTHORITY_INFORMATION_ACCESS,
  ID_CRL_DISTRIBUTION_POINTS,
  ID_OCSP,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

const URI = 0x86

/** Where a certificate says that its issuer answers; what cannot be read says nothing. @see RFC 5280, 4.2.2.1 */
export const ocspAddressesOf = (certificate: Certificate): string[] =>
  addressesIn(certificate, ID_AUTHORITY_INFORMATION_ACCESS, (extension) =>
    sequenceOf(extension)
      .map((description) => sequenceOf(description))
      .flatMap(([method, location]) => (location && oidOf(method) === ID_OCSP ? [location] : [])),
  )

/**
 * Where a certificate says that a list of its issuer is published: one for all reasons, of the issuer itself.
 *
 * @see RFC 5280, 4.2.1.13
 */
export const listAddressesOf = (certificate: Certificate): string[] =>
  addressesIn(certificate, ID_CRL_DISTRIBUTION_POINTS, (extension) =>
    sequenceOf(extension)
      .map((point) => sequenceOf(point))
      .filter((point) => point.length === 1 && point[0]?.tag === POINT)
      .flatMap(([name]) => name?.children() ?? [])
      .flatMap((name) => (name.tag === FULL_NAME ? name.children() : [])),
  )

/** distributionPoint and fullName, both tagged [0] */
const POINT = 0xa0
const FULL_NAME = 0xa0

/** Whether it says anything about where one can ask, be it an address that we cannot use. */
export const namesPlaceToAsk = ({ extensions }: Pick<Certificate, 'extensions'>): boolean =>
  extensions.some(
    ({ oid }) => oid === ID_AUTHORITY_INFORMATION_ACCESS || oid === ID_CRL_DISTRIBUTION_POINTS,
  )

function addressesIn(
  { extensions }: Certificate,
  wanted: string,
  namesIn: (extension: DerNode) => readonly DerNode[],
): string[] {
  const extension = extensions.find(({ oid }) => oid === wanted)
  if (!extension) return []
  try {
    return namesIn(readDer(extension.value, { maxNodes: 200 }))
      .filter(({ tag }) => tag === URI)
      .map(({ content }) => latin1(content))
      .filter((address) => hostOf(address) !== undefined)
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

/** Scheme, host and port; undefined for what is no address of the web or carries a name and a password. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, username, password } = new URL(address)
  const isPlain = username === '' && password === ''
  return isPlain && /^https?:$/.test(protocol) ? `${protocol}//${host}` : undefined
}

/** Whether the address is one of a list of revoked certificates and not of an OCSP responder. */
export const isAddressOfList = (address: string) => new URL(address).pathname.endsWith('.crl')
