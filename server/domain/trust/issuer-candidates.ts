import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { areEqual, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { ID_AUTHORITY_KEY_IDENTIFIER } from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { subjectKeyIdentifierOf } from '#server/domain/x509/extensions.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { isIssuedBy } from './issued-by.ts'

/**
 * Those of `candidates` that have the name of the issuer, first the ones whose key the certificate names. That
 * is a hint that saves attempts, never a reason to leave one out: e.firmas name no key, and some authorities
 * name a wrong one.
 */
export function namedIssuersOf(
  certificate: Certificate,
  candidates: readonly Certificate[],
): Certificate[] {
  const named = candidates.filter(({ subject }) => areSameName(certificate.issuer, subject))
  const wanted = authorityKeyIdentifierOf(certificate)
  if (named.length < 2 || !wanted) return named
  const isWanted = (candidate: Certificate) => {
    const own = readable(() => subjectKeyIdentifierOf(candidate))
    return own !== undefined && areEqual(own, wanted)
  }
  return [...named.filter(isWanted), ...named.filter((candidate) => !isWanted(candidate))]
}

/** Who of `candidates` issued the certificate: of those with the right name, the first few are tried. */
export const issuerOf = (certificate: Certificate, candidates: readonly Certificate[]) =>
  namedIssuersOf(certificate, candidates)
    .slice(0, MOST_NAMESAKES)
    .find((candidate) => isIssuedBy(certificate, candidate))

const MOST_NAMESAKES = 20

/** @see RFC 5280, 4.2.1.1 */
function authorityKeyIdentifierOf({ extensions }: Certificate): Uint8Array | undefined {
  const extension = extensions.find(({ oid }) => oid === ID_AUTHORITY_KEY_IDENTIFIER)
  return (
    extension &&
    readable(() => sequenceOf(readDer(extension.value)).find(({ tag }) => tag === 0x80)?.content)
  )
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
