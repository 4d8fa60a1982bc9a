import { DerError, type DerNode, readBer } from '#server/domain/asn1/der.ts'
import { oidOf, sequenceOf, setOf, TAG } from '#server/domain/asn1/der-values.ts'
import { element } from '#server/domain/asn1/der-writer.ts'

/** @see RFC 5652, 5.3 */
export type Attribute = {
  oid: string
  /** Each value as the whole element that came. */
  values: readonly Uint8Array[]
}

export type SignedAttributeSet = {
  /** What was signed: the attributes as they came, under the identifier of a SET OF (0x31). */
  setBytes: Uint8Array
  attributes: readonly Attribute[]
}

/**
 * Signed attributes from `[0] IMPLICIT`. Their order and octets stay: signers that do not sort a SET OF
 * signed what they wrote.
 *
 * @throws {DerError} @see RFC 5652, 5.4
 */
export function readSignedAttributeSet(node: DerNode): SignedAttributeSet {
  return { setBytes: element(TAG.set, node.content), attributes: readAttributes(node) }
}

/** The attributes inside `[0]` or `[1]`. @throws {DerError} */
export function readAttributes(node: DerNode): Attribute[] {
  return node.children().map((entry) => {
    const [type, values, ...more] = sequenceOf(entry)
    if (more.length > 0) throw new DerError('unexpected-structure', 'attribute')
    return { oid: oidOf(type), values: setOf(values).map(({ bytes }) => bytes) }
  })
}

/**
 * The value of an attribute that must be there once and hold one value.
 *
 * @returns `absent`, `ambiguous` when there is more than one, else the element
 */
export function singleValue(
  attributes: readonly Attribute[],
  oid: string,
): DerNode | 'absent' | 'ambiguous' {
  const found = attributes.filter((attribute) => attribute.oid === oid)
  const [value, ...more] = found.flatMap(({ values }) => values)
  if (!value) return found.length > 0 ? 'ambiguous' : 'absent'
  return found.length > 1 || more.length > 0 ? 'ambiguous' : readBer(value)
}

/** Every value of the attribute, as whole elements. */
export function valuesOf(attributes: readonly Attribute[], oid: string): readonly Uint8Array[] {
  return attributes.filter((attribute) => attribute.oid === oid).flatMap(({ values }) => values)
}
