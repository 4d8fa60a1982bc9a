import { DerError, type DerNode, readBer, readDer } from '#server/domain/asn1/der.ts'
import { sequenceOf } from '#server/domain/asn1/der-values.ts'
import { ID_EMAIL_ADDRESS, ID_NAME_CONSTRAINTS } from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { alternativeNamesOf, type GeneralName, rdnsOf, readGeneralName } from './general-names.ts'

/** The names that may appear in certificates below an authority. */
export type NameConstraints = {
  permitted: readonly GeneralName[]
  excluded: readonly GeneralName[]
}

/** @throws {DerError} if the extension is there and malformed @see RFC 5280, 4.2.1.10 */
export function nameConstraintsOf({ extensions }: Certificate): NameConstraints | undefined {
  const extension = extensions.find(({ oid }) => oid === ID_NAME_CONSTRAINTS)
  if (!extension) return undefined
  const fields = sequenceOf(readDer(extension.value))
  const subtrees = (tag: number) =>
    fields.filter((field) => field.tag === tag).flatMap((field) => field.children().map(readBase))
  if (fields.length === 0 || fields.some(({ tag }) => tag !== 0xa0 && tag !== 0xa1))
    throw new DerError('unexpected-structure', 'name constraints')
  return { permitted: subtrees(0xa0), excluded: subtrees(0xa1) }
}

/** RFC 5280 forbids minimum and maximum: their meaning is undefined. */
function readBase(subtree: DerNode): GeneralName {
  const [base, ...more] = sequenceOf(subtree)
  if (!base || more.length > 0) throw new DerError('unexpected-structure', 'subtree of names')
  return readGeneralName(base)
}

/** More comparisons than any honest certificate needs; a hostile one has thousands of names for thousands of rules. */
const MOST_COMPARISONS = 100_000

/**
 * Whether every name of the certificate, in its subject and beside it, is one that all these authorities
 * allow.
 *
 * @throws {DerError} if a name cannot be read, or there are too many
 * @see RFC 5280, 6.1.3 (b) and (c)
 */
export function areNamesAllowed(
  certificate: Certificate,
  constraints: readonly NameConstraints[],
): boolean {
  if (constraints.length === 0) return true
  const names = namesOf(certificate)
  const rules = constraints.reduce(
    (sum, { permitted, excluded }) => sum + permitted.length + excluded.length,
    0,
  )
  if (names.length * rules > MOST_COMPARISONS) throw new DerError('too-many-nodes', 'names')
  return constraints.every(({ permitted, excluded }) =>
    names.every((name) => {
      const rulesFor = permitted.filter((base) => isSameForm(base, name))
      const isPermitted = rulesFor.length === 0 || rulesFor.some((base) => isWithin(name, base))
      return (
        isPermitted && !excluded.some((base) => isSameForm(base, name) && mayBeWithin(name, base))
      )
    }),
  )
}

function namesOf(certificate: Certificate): GeneralName[] {
  const rdns = rdnsOf(readBer(certificate.subject.bytes))
  const emails = certificate.subject.attributes.filter(({ oid }) => oid === ID_EMAIL_ADDRESS)
  return [
    ...(rdns.length > 0 ? [{ form: 'directory', rdns } as const] : []),
    ...emails.map(({ value }) => ({ form: 'email', text: value }) as const),
    ...alternativeNamesOf(certificate),
  ]
}

const isSameForm = (a: GeneralName, b: GeneralName) =>
  a.form === 'other' ? b.form === 'other' && a.tag === b.tag : a.form === b.form

/** What we cannot compare is not shown to be allowed. */
function isWithin(name: GeneralName, base: GeneralName): boolean {
  if (name.form === 'directory' && base.form === 'directory')
    return base.rdns.every((rdn, index) => {
      const own = name.rdns[index]
      return own !== undefined && areSameName(own, rdn)
    })
  if (name.form === 'ip' && base.form === 'ip') return isAddressWithin(name.bytes, base.bytes)
  if (name.form === 'email' && base.form === 'email') return isEmailWithin(name.text, base.text)
  if (name.form === 'dns' && base.form === 'dns') return isHostBelow(name.text, base.text)
  if (name.form === 'uri' && base.form === 'uri') return isUriWithin(name.text, base.text)
  return false
}

/** What we cannot compare may well be what is forbidden. */
function mayBeWithin(name: GeneralName, base: GeneralName): boolean {
  if (name.form === 'other') return true
  if (name.form === 'uri' && hostOf(name.text) === undefined) return true
  return isWithin(name, base)
}

/** The address, then as many octets of mask. @see RFC 5280, 4.2.1.10; RFC 4632, 3.1 */
function isAddressWithin(address: Uint8Array, base: Uint8Array): boolean {
  const size = base.length / 2
  if ((address.length !== 4 && address.length !== 16) || (size !== 4 && size !== 16))
    throw new DerError('bad-value', 'an address of an unknown length')
  return (
    address.length === size &&
    address.every((octet, index) => {
      const mask = base[size + index] ?? 0
      return (octet & mask) === ((base[index] ?? 0) & mask)
    })
  )
}

/** A mailbox, all mailboxes of a host, or with a dot in front of all hosts below a domain. */
function isEmailWithin(email: string, base: string): boolean {
  const at = email.lastIndexOf('@')
  const baseAt = base.lastIndexOf('@')
  const host = email.slice(at + 1)
  if (at < 0) return false
  if (baseAt < 0) return isHostOrBelow(host, base)
  return email.slice(0, at) === base.slice(0, baseAt) && isSameHost(host, base.slice(baseAt + 1))
}

const isUriWithin = (uri: string, base: string) => {
  const host = hostOf(uri)
  return host !== undefined && isHostOrBelow(host, base)
}

/** By its name: an address, or no authority at all, is under no constraint of names. */
function hostOf(uri: string): string | undefined {
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri) ?? []
  const host = authority?.replace(/^.*@/, '').replace(/:\d*$/, '')
  const isName = host !== undefined && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i.test(host)
  return isName && !/^[\d.]+$/.test(host) ? host : undefined
}

const isSameHost = (a: string, b: string) => folded(a) === folded(b)

/** Exactly the host, or with a dot in front those below. */
const isHostOrBelow = (host: string, base: string) =>
  base === '' ||
  (base.startsWith('.') ? folded(host).endsWith(folded(base)) : isSameHost(host, base))

/** The host and all below. */
const isHostBelow = (host: string, base: string) =>
  isHostOrBelow(host, base) || folded(host).endsWith(`.${folded(base)}`)

const folded = (host: string) => host.replace(/\.$/, '').toLowerCase()
