import type { DerNode } from '#server/domain/asn1/der.ts'
import {
  areEqual,
  expectTag,
  oidOf,
  sequenceOf,
  setOf,
  TAG,
  textOf,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_COMMON_NAME,
  ID_NAME,
  ID_ORGANIZATION_NAME,
  ID_ORGANIZATIONAL_UNIT_NAME,
} from '#server/domain/asn1/object-identifiers.ts'
import { foreignText } from '#server/domain/text/shown-text.ts'

/** A distinguished name: the bytes decide, the attributes are for people. */
export type Name = {
  bytes: Uint8Array
  attributes: readonly { oid: string; value: string }[]
}

/** @throws {DerError} @see RFC 5280, 4.1.2.4 */
export function readName(node: DerNode | undefined): Name {
  const { bytes } = expectTag(node, TAG.sequence)
  const attributes = sequenceOf(node).flatMap((rdn) =>
    setOf(rdn).map((attribute) => {
      const [type, value] = sequenceOf(attribute)
      return { oid: oidOf(type), value: value ? textOf(value) : '' }
    }),
  )
  return { bytes, attributes }
}

/** The first value of attribute `oid`, else undefined. */
export function attributeOf(name: Name, oid: string): string | undefined {
  return name.attributes.find((attribute) => attribute.oid === oid)?.value
}

/**
 * For people: the common name, else the name, the organization or the unit, else every attribute. One line that is fit
 * to be quoted. Of several of one type the last one, which is nearest to the holder in a directory; NSS and Windows
 * show the last common name, too.
 *
 * @see ITU-T X.501 (10/2019), 9.2: from the root of the directory to the object
 */
export function displayName({ attributes }: Name): string {
  const isShown = ({ value }: Attribute) => foreignText(value) !== ''
  for (const type of SPOKEN) {
    const spoken = attributes.findLast((one) => one.oid === type && isShown(one))
    if (spoken) return foreignText(spoken.value)
  }
  const every = attributes.filter(isShown).map(({ value }) => value)
  return foreignText(every.join(', '))
}

type Attribute = Name['attributes'][number]

const SPOKEN = [ID_COMMON_NAME, ID_NAME, ID_ORGANIZATION_NAME, ID_ORGANIZATIONAL_UNIT_NAME]

/**
 * Whether two names may mean the same authority: the same bytes, or the same text once case, spaces, forms of
 * one letter and string types are put aside. The text may also be UTF-8 that was encoded again: certificates issued by
 * AC6 of the SAT spell their issuer in another string type than AC6 spells itself. A name is a hint about
 * which keys to try; a signature decides.
 *
 * @see RFC 5280, 7.1
 */
export function areSameName(a: Name, b: Name): boolean {
  if (a.attributes.length === 0 || b.attributes.length === 0) return areEqual(a.bytes, b.bytes)
  return preparedOf(a) === preparedOf(b)
}

/** A file can bring hundreds of long names, and each is compared with all others: the text of each is prepared once. */
const prepared = new WeakMap<Name, string>()

function preparedOf(name: Name): string {
  const known =
    prepared.get(name) ??
    // A prepared value has no control characters.
    name.attributes.map(({ oid, value }) => `${oid}\0${folded(value)}`).join('\0')
  prepared.set(name, known)
  return known
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text without what does not count when names are compared. @see RFC 4518, 2 */
export function folded(text: string): string {
  let plain = text
  // Two rounds undo a value that was encoded twice on its way; text that is right does not survive one.
  for (let round = 0; round < 2; round++) plain = decodedOnceMore(plain)
  const seen = plain.replace(SPACES, ' ').replace(UNSEEN, '')
  return caseless(seen.normalize('NFKC')).normalize('NFKC').replace(/ +/g, ' ').trim()
}

/** `\s` has U+FEFF, which is none, and lacks U+0085. @see RFC 4518, 2.2 */
const SPACES = /[\t\n\v\f\r\u0085\p{Z}]/gu
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1806\ufffc]/gu

/** First lower, then upper letters: both ß and ẞ become SS. Names with İ are also written with I. */
const caseless = (text: string) =>
  text
    .toLowerCase()
    .toUpperCase()
    .replace(/I\u0307/g, 'I')

function decodedOnceMore(text: string): string {
  // Plain ASCII stays what it is, and UTF-8 has octets alone.
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\u{10ffff}]/u.test(text)) return text
  try {
    return utf8.decode(Uint8Array.from(text, (character) => character.charCodeAt(0)))
  } catch {
    return text
  }
}
