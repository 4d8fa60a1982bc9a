import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { explicitContent, latin1, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { ID_SUBJECT_ALTERNATIVE_NAME } from '#server/domain/asn1/object-identifiers.ts'
import type { Extension } from '#server/domain/x509/extensions.ts'
import { folded, type Name, readName } from '#server/domain/x509/name.ts'

/** A GeneralName. @see RFC 5280, 4.2.1.6 */
export type GeneralName =
  | { form: 'email' | 'dns' | 'uri'; text: string }
  | { form: 'directory'; rdns: readonly Name[] }
  /** An address, in a constraint followed by its mask. */
  | { form: 'ip'; bytes: Uint8Array }
  /** A form that we cannot compare; `tag` is its identifier octet. */
  | { form: 'other'; tag: number }

const TEXT_FORMS: Record<number, 'email' | 'dns' | 'uri'> = {
  129: 'email',
  130: 'dns',
  134: 'uri',
}

/** @throws {DerError} */
export function readGeneralName(node: DerNode): GeneralName {
  const form = TEXT_FORMS[node.tag]
  if (form) return { form, text: asciiOf(node.content) }
  if (node.tag === 0xa4) return { form: 'directory', rdns: rdnsOf(explicitContent(node)) }
  if (node.tag === 0x87) return { form: 'ip', bytes: node.content }
  return { form: 'other', tag: node.tag }
}

/** Names of the Internet are ASCII here: anything else could look like another name, or end early. */
function asciiOf(bytes: Uint8Array): string {
  if (bytes.some((octet) => octet <= 0x20 || octet >= 0x7f))
    throw new DerError('bad-value', 'a name that is not ASCII')
  return latin1(bytes)
}

/**
 * Each relative name as a name of its own, so that names can be compared one by one. Attributes of a set have no
 * order: that of their encodings depends on letters that do not count.
 */
export function rdnsOf(name: DerNode): Name[] {
  return sequenceOf(name).map((rdn) => {
    const { attributes } = readName({ ...name, children: () => [rdn] })
    return { bytes: rdn.bytes, attributes: attributes.toSorted(byTypeAndText) }
  })
}

type Attribute = Name['attributes'][number]

const byTypeAndText = (a: Attribute, b: Attribute) =>
  order(a.oid, b.oid) || order(folded(a.value), folded(b.value))

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The names beside the subject. @throws {DerError} if the extension is there and malformed */
export function alternativeNamesOf({
  extensions,
}: {
  extensions: readonly Extension[]
}): GeneralName[] {
  const extension = extensions.find(({ oid }) => oid === ID_SUBJECT_ALTERNATIVE_NAME)
  return extension ? sequenceOf(readDer(extension.value)).map(readGeneralName) : []
}
