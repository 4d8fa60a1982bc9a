import { beforeAll, describe, expect, test } from 'vitest'
import { basicConstraints, extension, keyUsage } from '#server/demo/certificate-minting.ts'
import type { KeyPair } from '#server/demo/certification-authority.ts'
import {
  element,
  explicit,
  implicit,
  integer,
  nullValue,
  oid,
  sequence,
} from '#server/domain/asn1/der-writer.ts'
import type { PolicyRequirements } from '#server/domain/trust/policy-rules.ts'
import {
  chainKeys,
  isAuthority,
  judgedChain,
  type Link,
  mintChain,
  nameFrom,
  openSslAccepts,
} from '#tests/support/authorities/certificate-chains.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'

/*
 * The sections of NIST's Public Key Interoperability Test Suite that are about paths, with authorities of our
 * own. OpenSSL is asked about each chain as well.
 */

let keys: KeyPair[]
beforeAll(async () => {
  keys = await chainKeys()
}, 60_000)

type Case = readonly [what: string, links: readonly Link[], answer: string, PolicyRequirements?]

function cases(...rows: readonly Case[]) {
  test.each(rows.map((row) => [row[0], row] as const))('%s', (_, row) => {
    const [, links, answer, policies] = row
    const chain = mintChain(keys, links)
    expect(judgedChain(chain, policies)).toBe(answer)
    const { accepts, why } = openSslAccepts(chain, policies)
    expect(accepts, why).toBe(answer === 'found')
  })
}

const [ca, leaf]: [Link, Link] = [{}, {}]
const with_ = (...extensions: Uint8Array[]): Link => ({
  extensions: [...isAuthority(), ...extensions],
})
const having = (...extensions: Uint8Array[]): Link => ({ extensions })

describe('4.1 signatures', () => {
  cases(
    ['all right', [ca, ca, leaf], 'found'],
    ['an authority signed by another key', [ca, { by: 5 }, leaf], 'bad-signature'],
    ['a leaf signed by another key', [ca, ca, { by: 5 }], 'bad-signature'],
  )
})

describe('4.2 validity', () => {
  cases(
    ['an authority not yet valid', [ca, { from: '2030-01-01' }, leaf], 'not-yet-valid'],
    [
      'a leaf not yet valid',
      [ca, ca, { from: '2047-01-01', until: '2049-01-01' }],
      'not-yet-valid',
    ],
    ['from before 2000', [ca, ca, { from: '1951-01-01' }], 'found'],
    ['until after 2050, as GeneralizedTime', [ca, ca, { until: '2051-01-01' }], 'found'],
    ['an expired authority', [ca, { until: '2021-01-01' }, leaf], 'expired'],
    ['an expired leaf', [ca, ca, { until: '2021-01-01' }], 'expired'],
  )
})

describe('4.3 names', () => {
  cases(
    ['of another issuer', [ca, ca, { issuer: 'CN=Other,O=Test' }], 'no-issuer'],
    ['in another order', [ca, ca, { issuer: 'O=Test,CN=Link 1' }], 'no-issuer'],
    ['with other spaces', [ca, ca, { issuer: 'CN= Link  1,O=Test' }], 'found'],
    ['in other letters', [ca, ca, { issuer: 'CN=LINK 1,O=test' }], 'found'],
  )
})

describe('4.5 authorities with several keys', () => {
  const renewed = 'CN=Authority,O=Test'
  cases(
    ['the new key certified by the old', [ca, { name: renewed }, { name: renewed }, leaf], 'found'],
    [
      'the new key does not count towards the length of the path',
      [ca, { name: renewed, extensions: isAuthority(0) }, { name: renewed }, leaf],
      'found',
    ],
    [
      'another authority does',
      [ca, { name: renewed, extensions: isAuthority(0) }, { name: renewed }, ca, leaf],
      'path-too-long',
    ],
  )
})

describe('4.6 basic constraints', () => {
  const constrained = (isCa: boolean, isCritical: boolean) =>
    having(basicConstraints({ isAuthority: isCa }, isCritical), keyUsage(0x06, 1))
  cases(
    ['absent', [ca, having(keyUsage(0x06, 1)), leaf], 'issuer-is-no-authority'],
    ['critical, no authority', [ca, constrained(false, true), leaf], 'issuer-is-no-authority'],
    ['no authority', [ca, constrained(false, false), leaf], 'issuer-is-no-authority'],
    ['not critical', [ca, constrained(true, false), leaf], 'found'],
    [
      'no length left for one authority',
      [ca, having(...isAuthority(0)), ca, leaf],
      'path-too-long',
    ],
    ['length 0 for a leaf', [ca, having(...isAuthority(0)), leaf], 'found'],
    [
      'length 0 for a leaf that is an authority',
      [ca, having(...isAuthority(0)), having(...isAuthority())],
      'found',
    ],
    [
      'length 6 of the anchor, 0 below',
      [having(...isAuthority(6)), having(...isAuthority(0)), ca, leaf],
      'path-too-long',
    ],
    ['length 1 for two', [ca, having(...isAuthority(1)), ca, ca, leaf], 'path-too-long'],
    [
      'lengths 4, 1 and 1',
      [having(...isAuthority(4)), having(...isAuthority(1)), having(...isAuthority(1)), leaf],
      'found',
    ],
  )
})

describe('4.7 key usage', () => {
  const usage = (octet: number, isCritical: boolean) =>
    having(basicConstraints({ isAuthority: true }), keyUsage(octet, 1, isCritical))
  cases(
    [
      'critical, without keyCertSign',
      [ca, usage(0x02, true), leaf],
      'issuer-may-not-sign-certificates',
    ],
    ['without keyCertSign', [ca, usage(0x02, false), leaf], 'issuer-may-not-sign-certificates'],
    ['not critical', [ca, usage(0x06, false), leaf], 'found'],
  )
})

const P = (number: number) => `2.16.840.1.101.3.2.1.48.${number}`
const ANY = '2.5.29.32.0'
const policies = (...ids: string[]) =>
  extension('2.5.29.32', sequence(...ids.map((id) => sequence(oid(id)))))
const mapping = (...pairs: [string, string][]) =>
  extension('2.5.29.33', sequence(...pairs.map(([a, b]) => sequence(oid(a), oid(b)))), true)
const octet = (count: number) => Uint8Array.of(count)
const requireExplicit = (count: number) =>
  extension('2.5.29.36', sequence(implicit(0, octet(count))), true)
const inhibitMapping = (count: number) =>
  extension('2.5.29.36', sequence(implicit(1, octet(count))), true)
const inhibitAny = (count: number) => extension('2.5.29.54', integer(count), true)
const mustHave = (...acceptable: string[]): PolicyRequirements => ({
  acceptable,
  requireExplicit: true,
})
const explicitly: PolicyRequirements = { requireExplicit: true }

describe('4.8 certificate policies', () => {
  const both = [ca, with_(policies(P(1))), having(policies(P(1)))]
  cases(
    ['one that is asked for', both, 'found', mustHave(P(1))],
    ['another one', both, 'no-valid-policy', mustHave(P(2))],
    ['one of several that are asked for', both, 'found', mustHave(P(2), P(1))],
    ['any explicit one', both, 'found', explicitly],
    ['none, and none is asked for', [ca, ca, leaf], 'found'],
    ['none, and one is asked for', [ca, ca, leaf], 'no-valid-policy', explicitly],
    ['lost on the way', [ca, ca, having(policies(P(1)))], 'no-valid-policy', explicitly],
    [
      'changed on the way',
      [ca, with_(policies(P(1))), having(policies(P(2)))],
      'no-valid-policy',
      explicitly,
    ],
    [
      'changed on the path, not required',
      [ca, with_(policies(P(1))), having(policies(P(2)))],
      'found',
    ],
    [
      'the one that all have',
      [ca, with_(policies(P(1), P(2))), with_(policies(P(2), P(3))), having(policies(P(2)))],
      'found',
      mustHave(P(2)),
    ],
    [
      'one that the authority above lacks',
      [ca, with_(policies(P(1), P(2))), with_(policies(P(2), P(3))), having(policies(P(3)))],
      'no-valid-policy',
      mustHave(P(3)),
    ],
    [
      'any policy, above',
      [ca, with_(policies(ANY)), having(policies(P(1)))],
      'found',
      mustHave(P(1)),
    ],
    [
      'any policy, below',
      [ca, with_(policies(P(1))), having(policies(ANY))],
      'found',
      mustHave(P(1)),
    ],
    [
      'any policy, below, but not that',
      [ca, with_(policies(P(1))), having(policies(ANY))],
      'no-valid-policy',
      mustHave(P(2)),
    ],
    [
      'any policy throughout',
      [ca, with_(policies(ANY)), having(policies(ANY))],
      'found',
      mustHave(P(7)),
    ],
  )
})

describe('4.9 require explicit policy', () => {
  cases(
    ['much later', [ca, with_(requireExplicit(10)), ca, ca, leaf], 'found'],
    ['after more than there are', [ca, with_(requireExplicit(4)), ca, ca, leaf], 'found'],
    [
      'after as many as there are',
      [ca, with_(requireExplicit(3)), ca, ca, leaf],
      'no-valid-policy',
    ],
    [
      'at once, with a policy',
      [
        ca,
        with_(policies(P(1)), requireExplicit(0)),
        with_(policies(P(1))),
        having(policies(P(1))),
      ],
      'found',
    ],
    [
      'at once, without',
      [ca, with_(policies(P(1)), requireExplicit(0)), with_(policies(P(1))), leaf],
      'no-valid-policy',
    ],
    [
      'at once although an authority below says later',
      [ca, with_(requireExplicit(2)), with_(requireExplicit(5)), ca, leaf],
      'no-valid-policy',
    ],
    ['by the leaf itself', [ca, ca, having(requireExplicit(0))], 'no-valid-policy'],
    [
      'a renewed key does not count',
      [ca, { name: 'CN=A', ...with_(requireExplicit(2)) }, { name: 'CN=A', key: 4 }, { by: 4 }],
      'found',
    ],
  )
})

describe('4.10 policy mappings', () => {
  const mapped = [ca, with_(policies(P(1)), mapping([P(1), P(2)])), having(policies(P(2)))]
  cases(
    ['by its name above', mapped, 'found', mustHave(P(1))],
    ['by its name below', mapped, 'no-valid-policy', mustHave(P(2))],
    [
      'not when mapping is forbidden',
      mapped,
      'no-valid-policy',
      { ...mustHave(P(1)), inhibitMapping: true },
    ],
    [
      'without the new name',
      [ca, mapped[1] as Link, having(policies(P(1)))],
      'no-valid-policy',
      explicitly,
    ],
    [
      'twice',
      [
        ca,
        with_(policies(P(1)), mapping([P(1), P(2)])),
        with_(policies(P(2)), mapping([P(2), P(3)])),
        having(policies(P(3))),
      ],
      'found',
      mustHave(P(1)),
    ],
    [
      'one to two',
      [ca, with_(policies(P(1)), mapping([P(1), P(2)], [P(1), P(3)])), having(policies(P(3)))],
      'found',
      mustHave(P(1)),
    ],
    [
      'two to one',
      [
        ca,
        with_(policies(P(1), P(2)), mapping([P(1), P(3)], [P(2), P(3)])),
        having(policies(P(3))),
      ],
      'found',
      mustHave(P(2)),
    ],
    [
      'from any policy',
      [ca, with_(policies(ANY), mapping([ANY, P(1)])), having(policies(P(1)))],
      'no-valid-policy',
    ],
    [
      'to any policy',
      [ca, with_(policies(P(1)), mapping([P(1), ANY])), having(policies(P(1)))],
      'no-valid-policy',
    ],
    [
      'of one that is there as any policy',
      [ca, with_(policies(ANY), mapping([P(1), P(2)])), having(policies(P(2)))],
      'found',
      mustHave(P(1)),
    ],
  )
})

describe('4.11 inhibit policy mapping', () => {
  const maps = with_(policies(P(1)), mapping([P(1), P(2)]))
  const end = having(policies(P(2)))
  cases(
    [
      'at once',
      [ca, with_(policies(P(1)), inhibitMapping(0)), maps, end],
      'no-valid-policy',
      explicitly,
    ],
    ['after one', [ca, with_(policies(P(1)), inhibitMapping(1)), maps, end], 'found', explicitly],
    [
      'after one, in the second',
      [ca, with_(policies(P(1)), inhibitMapping(1)), with_(policies(P(1))), maps, end],
      'no-valid-policy',
      explicitly,
    ],
    [
      'the least counts',
      [
        ca,
        with_(policies(P(1)), inhibitMapping(0)),
        with_(policies(P(1)), inhibitMapping(5)),
        maps,
        end,
      ],
      'no-valid-policy',
      explicitly,
    ],
  )
})

describe('4.12 inhibit any policy', () => {
  const only = with_(policies(P(1)), inhibitAny(0))
  cases(
    ['at once', [ca, only, having(policies(ANY))], 'no-valid-policy', explicitly],
    ['at once, with a name', [ca, only, having(policies(ANY, P(1)))], 'found', explicitly],
    [
      'after one',
      [ca, with_(policies(P(1)), inhibitAny(1)), having(policies(ANY))],
      'found',
      explicitly,
    ],
    [
      'after one, in the second',
      [ca, with_(policies(P(1)), inhibitAny(1)), with_(policies(ANY)), having(policies(ANY))],
      'no-valid-policy',
      explicitly,
    ],
    [
      'a renewed key may still say any',
      [
        ca,
        { name: 'CN=A', ...only },
        { name: 'CN=A', key: 4, ...with_(policies(ANY)) },
        { by: 4, ...having(policies(P(1))) },
      ],
      'found',
      explicitly,
    ],
    [
      'asked for by us',
      [ca, with_(policies(ANY)), having(policies(ANY))],
      'no-valid-policy',
      { ...explicitly, inhibitAny: true },
    ],
  )
})

const text = (tag: number, value: string) => implicit(tag, Buffer.from(value, 'latin1'))
const email = (value: string) => text(1, value)
const dns = (value: string) => text(2, value)
const uri = (value: string) => text(6, value)
const ip = (...octets: number[]) => implicit(7, Uint8Array.from(octets))
const directory = (name: string) => explicit(4, nameFrom(name))
const subtrees = (number: number, bases: readonly Uint8Array[]) =>
  bases.length > 0 ? [explicit(number, ...bases.map((base) => sequence(base)))] : []
const names = (permitted: readonly Uint8Array[], excluded: readonly Uint8Array[] = []) =>
  with_(extension('2.5.29.30', sequence(...subtrees(0, permitted), ...subtrees(1, excluded)), true))
const also = (...alternatives: Uint8Array[]): Link => ({
  name: 'CN=Ana,O=Good',
  ...having(extension('2.5.29.17', sequence(...alternatives))),
})

// OpenSSL compares the letters as they are written.
test.each([
  ['wide letters', 'O=Good', 'O=Ｇｏｏｄ'],
  ['composed letters', 'O=Más', 'O=Ma\u0301s'],
  ['a mark that is not seen', 'O=Good', 'O=Go\u00adod'],
  ['a mark that a script takes for a space', 'O=Good', 'O=Go\ufeffod'],
  ['a mark between spaces', 'O=Very Good', 'O=Very \u00ad Good'],
  ['a next line', 'O=Very Good', 'O=Very\u0085Good'],
  ['letters that grow', 'O=Straße', 'O=STRASSE'],
])('4.13 name constraints: excluded in %s', (_, base, name) => {
  const links = (own: string) => [ca, names([], [directory(base)]), { name: `${own},CN=Ana` }]
  expect(judgedChain(mintChain(keys, links(name)))).toBe('name-not-allowed')
  expect(judgedChain(mintChain(keys, links('O=Other')))).toBe('found')
})

describe('4.13 name constraints', () => {
  const excluding = (base: string, name: string) => [ca, names([], [directory(base)]), { name }]
  const good: Link = { name: 'CN=Ana,O=Good' }
  // The organization first, as names of directories are built.
  const inside: Link = { name: 'O=Good,OU=Notary,CN=Ana' }
  const outside: Link = { name: 'O=Other,CN=Ana' }
  cases(
    ['a directory name inside', [ca, names([directory('O=Good')]), inside], 'found'],
    ['a directory name outside', [ca, names([directory('O=Good')]), outside], 'name-not-allowed'],
    ['inside in other letters', [ca, names([directory('O=GOOD')]), inside], 'found'],
    [
      'a part that is not at the beginning',
      [ca, names([directory('O=Good')]), good],
      'name-not-allowed',
    ],
    ['one of two', [ca, names([directory('O=Other'), directory('O=Good')]), inside], 'found'],
    ['excluded', [ca, names([], [directory('O=Good')]), inside], 'name-not-allowed'],
    ['not excluded', [ca, names([], [directory('O=Good')]), outside], 'found'],
    [
      'excluded with attributes in another order',
      excluding('CN=Ana+O=Good', 'CN= Ana  +O=Good'),
      'name-not-allowed',
    ],
    [
      'excluded with two attributes of one type, whose order is that of their letters',
      excluding('O=a+O=B', 'O=A+O=b'),
      'name-not-allowed',
    ],
    [
      'not excluded with two attributes of one type, of which one is another',
      excluding('O=a+O=B', 'O=A+O=c'),
      'found',
    ],
    [
      'with attributes in another order',
      [ca, names([directory('CN=Ana+O=Good')]), { name: 'CN= Ana  +O=Good' }],
      'found',
    ],
    [
      'permitted, but a part of it excluded',
      [ca, names([directory('O=Good')], [directory('O=Good,OU=Notary')]), inside],
      'name-not-allowed',
    ],
    [
      'permitted by one authority, not by the next',
      [
        ca,
        names([directory('O=Good')]),
        { name: 'O=Good,CN=B', ...names([directory('O=Good,OU=Broker')]) },
        inside,
      ],
      'name-not-allowed',
    ],
    [
      'an authority on the way that is outside',
      [ca, names([directory('O=Good')]), { name: 'O=Other,CN=B' }, inside],
      'name-not-allowed',
    ],
    [
      'a renewed key is not named',
      [
        ca,
        { name: 'CN=A', ...names([directory('O=Good')]) },
        { name: 'CN=A', key: 4 },
        { by: 4, ...inside },
      ],
      'found',
    ],
    [
      'a name beside the subject is named as well',
      [
        ca,
        names([directory('O=Good')]),
        { ...inside, ...having(extension('2.5.29.17', sequence(directory('O=Other')))) },
      ],
      'name-not-allowed',
    ],
    [
      'of another form than the constraint',
      [ca, names([dns('notaria.mx')]), also(email('a@b.mx'))],
      'found',
    ],

    [
      'a mailbox of the host',
      [ca, names([email('notaria.mx')]), also(email('ana@notaria.mx'))],
      'found',
    ],
    [
      'a mailbox of a host below',
      [ca, names([email('notaria.mx')]), also(email('ana@a.notaria.mx'))],
      'name-not-allowed',
    ],
    [
      'a mailbox below the domain',
      [ca, names([email('.notaria.mx')]), also(email('ana@a.notaria.mx'))],
      'found',
    ],
    [
      'a mailbox of the domain itself',
      [ca, names([email('.notaria.mx')]), also(email('ana@notaria.mx'))],
      'name-not-allowed',
    ],
    [
      'that very mailbox',
      [ca, names([email('ana@notaria.mx')]), also(email('ana@NOTARIA.mx'))],
      'found',
    ],
    [
      'another mailbox',
      [ca, names([email('ana@notaria.mx')]), also(email('eva@notaria.mx'))],
      'name-not-allowed',
    ],
    [
      'an excluded mailbox',
      [ca, names([], [email('notaria.mx')]), also(email('ana@notaria.mx'))],
      'name-not-allowed',
    ],
    [
      'a mailbox in the subject',
      [ca, names([email('notaria.mx')]), { name: 'CN=Ana,E=ana@otra.mx' }],
      'name-not-allowed',
    ],
    [
      'a good mailbox in the subject',
      [ca, names([email('notaria.mx')]), { name: 'CN=Ana,E=ana@notaria.mx' }],
      'found',
    ],

    ['the host', [ca, names([dns('notaria.mx')]), also(dns('Notaria.MX'))], 'found'],
    ['a host below', [ca, names([dns('notaria.mx')]), also(dns('www.notaria.mx'))], 'found'],
    [
      'a host that only ends alike',
      [ca, names([dns('notaria.mx')]), also(dns('otranotaria.mx'))],
      'name-not-allowed',
    ],
    [
      'an excluded host',
      [ca, names([], [dns('notaria.mx')]), also(dns('www.notaria.mx'))],
      'name-not-allowed',
    ],
    [
      'one host of two outside',
      [ca, names([dns('notaria.mx')]), also(dns('notaria.mx'), dns('otra.mx'))],
      'name-not-allowed',
    ],

    [
      'an address of the host',
      [ca, names([uri('notaria.mx')]), also(uri('https://notaria.mx:8443/a?b'))],
      'found',
    ],
    [
      'an address of another host',
      [ca, names([uri('notaria.mx')]), also(uri('https://otra.mx/notaria.mx'))],
      'name-not-allowed',
    ],
    [
      'an address below the domain',
      [ca, names([uri('.notaria.mx')]), also(uri('https://a.notaria.mx'))],
      'found',
    ],
    [
      'an address without a host',
      [ca, names([uri('notaria.mx')]), also(uri('urn:notaria.mx'))],
      'name-not-allowed',
    ],

    [
      'an address of the network',
      [ca, names([ip(10, 1, 0, 0, 255, 255, 0, 0)]), also(ip(10, 1, 7, 7))],
      'found',
    ],
    [
      'an address of another network',
      [ca, names([ip(10, 1, 0, 0, 255, 255, 0, 0)]), also(ip(10, 2, 7, 7))],
      'name-not-allowed',
    ],
    [
      'an excluded address',
      [ca, names([], [ip(10, 1, 0, 0, 255, 255, 0, 0)]), also(ip(10, 1, 7, 7))],
      'name-not-allowed',
    ],
    [
      'a long address where short ones are permitted',
      [ca, names([ip(10, 1, 0, 0, 255, 255, 0, 0)]), also(ip(...Array(16).fill(1)))],
      'name-not-allowed',
    ],
    [
      'a name form that is not compared',
      [ca, names([implicit(8, Uint8Array.of(42, 3))]), also(implicit(8, Uint8Array.of(42, 3)))],
      'name-not-allowed',
    ],
    [
      'a name form that is not compared, not used',
      [ca, names([implicit(8, Uint8Array.of(42, 3))]), good],
      'found',
    ],
  )
})

test('thousands of names under thousands of constraints end soon', async () => {
  const many = Array.from({ length: 600 }, (_, index) => dns(`a${index}.mx`))
  const chain = mintChain(keys, [ca, names(many), also(...many)])
  const time = await cpuTimeOf(() => expect(judgedChain(chain)).toBe('malformed'))
  expect(time).toBeLessThan(1000)
})

test('mappings of all policies to all policies end soon', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => P(index))
  const all = ids.flatMap((a) => ids.map((b): [string, string] => [a, b]))
  const link = with_(policies(...ids), mapping(...all))
  const chain = mintChain(keys, [ca, link, link, link, link, having(policies(P(1)))])
  const time = await cpuTimeOf(() => expect(judgedChain(chain, mustHave(P(2)))).toBe('found'))
  expect(time).toBeLessThan(1000)
})

describe('4.16 extensions', () => {
  cases(
    ['an unknown extension', [ca, ca, having(extension('1.2.3.4', nullValue()))], 'found'],
    [
      'an unknown critical extension',
      [ca, ca, having(extension('1.2.3.4', nullValue(), true))],
      'unknown-critical-extension',
    ],
    [
      'on an authority',
      [ca, with_(extension('1.2.3.4', nullValue(), true)), leaf],
      'unknown-critical-extension',
    ],
    [
      'constraints of names that cannot be read',
      [ca, with_(extension('2.5.29.30', element(4), true)), leaf],
      'malformed',
    ],
    [
      'constraints of policies that cannot be read',
      [ca, with_(extension('2.5.29.36', element(4), true)), leaf],
      'malformed',
    ],
  )
})
