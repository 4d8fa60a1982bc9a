import { readDer } from '#server/domain/asn1/der.ts'
import { areEqual, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { explicit } from '#server/domain/asn1/der-writer.ts'
import { ID_CRL_DISTRIBUTION_POINTS } from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'

/** Of which certificates a list speaks. @see RFC 5280, 5.2.5 */
export type DistributionScope = {
  /** The elements of the names by which the partition is known; undefined when it is no partition. */
  names: readonly Uint8Array[] | undefined
  /** Each one rules all others out; a list that says two of them is about nothing. */
  only: readonly (typeof KINDS)[number][]
  hasSomeReasons: boolean
  /** It may list certificates of other issuers. */
  isIndirect: boolean
}

const KINDS = ['users', 'authorities', 'attributes'] as const

/** @throws {DerError} */
export function readDistributionScope(value: Uint8Array | undefined): DistributionScope {
  const fields = value ? sequenceOf(readDer(value)) : []
  const point = fields.find(({ tag }) => tag === 0xa0)
  const isSet = (number: number) =>
    fields.some(({ tag, content }) => tag === (0x80 | number) && content[0] !== 0)
  const kinds = { users: isSet(1), authorities: isSet(2), attributes: isSet(5) }
  return {
    names: point?.children().flatMap((name) => name.children().map(({ bytes }) => bytes)),
    only: KINDS.filter((kind) => kinds[kind]),
    hasSomeReasons: fields.some(({ tag }) => tag === 0x83),
    isIndirect: isSet(4),
  }
}

/**
 * Whether a certificate that the list does not name is known to stand: the list is about all certificates
 * of its kind, for all reasons, in the partition where the certificate says that it will be.
 *
 * @throws {DerError} if the certificate's own extensions cannot be read
 * @see RFC 5280, 6.3.3 (b)
 */
export function doesCover(scope: DistributionScope, certificate: Certificate): boolean {
  const isAuthority = basicConstraintsOf(certificate)?.isAuthority === true
  const kind = isAuthority ? 'authorities' : 'users'
  if (scope.isIndirect || scope.hasSomeReasons) return false
  if (scope.only.some((other) => other !== kind)) return false
  if (!scope.names) return true
  const expected = [explicit(4, certificate.issuer.bytes), ...distributionNamesOf(certificate)]
  return scope.names.some((name) => expected.some((other) => areEqual(name, other)))
}

function distributionNamesOf({ extensions }: Certificate): Uint8Array[] {
  const extension = extensions.find(({ oid }) => oid === ID_CRL_DISTRIBUTION_POINTS)
  if (!extension) return []
  return sequenceOf(readDer(extension.value)).flatMap((point) => {
    const name = sequenceOf(point).find(({ tag }) => tag === 0xa0)
    return name ? name.children().flatMap((kind) => kind.children().map(({ bytes }) => bytes)) : []
  })
}
