import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  basicConstraints,
  extension,
  keyUsage,
  mintCertificate,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import { type KeyPair, newKeyPair } from '#server/demo/certification-authority.ts'
import {
  element,
  implicit,
  octetString,
  sequence,
  utf8String,
} from '#server/domain/asn1/der-writer.ts'
import { instantOf, parseInstant } from '#server/domain/time.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import { findPath, pathIndicationOf } from '#server/domain/trust/path.ts'
import { signingProfileOf } from '#server/domain/trust/profile.ts'
import { signatureChecks } from '#server/domain/trust/signature-checks.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import {
  TEST_NOW,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'

const at = TEST_NOW
const TRUST = { label: 'de prueba', forTesting: true, revocation: 'when-available' } as const
const anchorOf = (certificate: Certificate): TrustAnchor => ({ certificate, ...TRUST })

let keys: { root: KeyPair; middle: KeyPair; leaf: KeyPair; other: KeyPair }
beforeAll(async () => {
  await testEfirma()
  const [root, middle, leaf, other] = await Promise.all([1, 2, 3, 4].map(() => newKeyPair(2048)))
  keys = { root, middle, leaf, other } as typeof keys
}, 60_000)

type Options = {
  subject?: string
  issuer?: string
  key?: keyof typeof keys
  by?: keyof typeof keys
  from?: string
  until?: string
  digest?: 'sha1' | 'sha256'
  extensions?: Uint8Array[]
}

const named = (text: string) => nameOf([{ oid: '2.5.4.3', value: utf8String(text) }])
const authority = (pathLength?: number) =>
  basicConstraints({ isAuthority: true, ...(pathLength === undefined ? {} : { pathLength }) })
let serial = 0

function mint(options: Options): Certificate {
  serial += 1
  return readCertificate(
    mintCertificate({
      serial: String(serial).padStart(20, '0'),
      issuer: named(options.issuer ?? 'Raíz Ñandú'),
      subject: named(options.subject ?? 'Firmante'),
      publicKey: keys[options.key ?? 'leaf'].publicKey,
      notBefore: parseInstant(options.from ?? '2020-01-01'),
      notAfter: parseInstant(options.until ?? '2040-01-01'),
      extensions: options.extensions ?? [],
      issuerKey: keys[options.by ?? 'root'].privateKey,
      digest: options.digest ?? 'sha256',
    }),
  )
}

const mintRoot = (options: Options = {}) =>
  mint({ subject: 'Raíz Ñandú', key: 'root', extensions: [authority()], ...options })
const mintMiddle = (options: Options = {}) =>
  mint({ subject: 'Intermedia', key: 'middle', extensions: [authority()], ...options })
const mintLeaf = (options: Options = {}) => mint({ issuer: 'Intermedia', by: 'middle', ...options })

function chain(changes: { root?: Options; middle?: Options; leaf?: Options } = {}, when = at) {
  const [root, middle] = [mintRoot(changes.root), mintMiddle(changes.middle)]
  const options = { candidates: [middle], anchors: [anchorOf(root)], at: when }
  return findPath(mintLeaf(changes.leaf), options)
}

test('an e.firma leads through the issuing authority to the root', async () => {
  const { certificate } = await testEfirma()
  const { issuing, root } = await testAuthority()
  const anchor = await testAnchor()
  const result = findPath(certificate, { candidates: [issuing], anchors: [anchor], at })
  expect(result).toMatchObject({ kind: 'found', anchor, path: [certificate, issuing, root] })
})

test('authorities with accents in their names lead to the anchor', () => {
  expect(chain()).toMatchObject({
    kind: 'found',
    path: [{ name: 'Firmante' }, { name: 'Intermedia' }, { name: 'Raíz Ñandú' }],
    signatures: [{ digest: 'sha256', keyBits: 2048 }, { digest: 'sha256' }],
  })
})

test.each([
  ['an expired signer', { leaf: { until: '2021-01-01' } }, 'expired', true],
  ['a signer of tomorrow', { leaf: { from: '2030-01-01' } }, 'not-yet-valid', true],
  ['an expired authority', { middle: { until: '2021-01-01' } }, 'expired', false],
  ['an expired anchor', { root: { until: '2021-01-01' } }, 'expired', false],
  [
    'an issuer without basic constraints',
    { middle: { extensions: [] } },
    'issuer-is-no-authority',
    false,
  ],
  [
    'an issuer that says that it is none',
    { middle: { extensions: [basicConstraints({ isAuthority: false })] } },
    'issuer-is-no-authority',
    false,
  ],
  [
    'an issuer that may only sign documents',
    { middle: { extensions: [authority(), keyUsage(0xc0, 6)] } },
    'issuer-may-not-sign-certificates',
    false,
  ],
  [
    'a path longer than the root allows',
    { root: { extensions: [authority(0)] } },
    'path-too-long',
    false,
  ],
  [
    'an unknown critical extension',
    { leaf: { extensions: [extension('1.2.3.4', Uint8Array.of(5, 0), true)] } },
    'unknown-critical-extension',
    true,
  ],
  [
    'name constraints that say nothing',
    { middle: { extensions: [authority(), extension('2.5.29.30', Uint8Array.of(0x30, 0), true)] } },
    'malformed',
    false,
  ],
  [
    'basic constraints twice',
    { middle: { extensions: [authority(), authority()] } },
    'unknown-critical-extension',
    false,
  ],
  [
    'key usage that cannot be read',
    { middle: { extensions: [authority(), extension('2.5.29.15', element(0x04))] } },
    'malformed',
    false,
  ],
  ['a namesake with another key', { leaf: { by: 'other' } }, 'bad-signature', true],
  ['a stranger', { leaf: { issuer: 'Nadie' } }, 'no-issuer', true],
] as const)('%s is refused', (_, changes, reason, isAboutSigner) => {
  expect(chain(changes as Parameters<typeof chain>[0])).toMatchObject({
    kind: 'none',
    reason,
    isAboutSigner,
  })
})

test('validity is judged at the instant that is asked', () => {
  const leaf = { leaf: { from: '2022-01-01', until: '2023-01-01' } }
  expect(chain(leaf, parseInstant('2022-06-01')).kind).toBe('found')
  expect(chain(leaf, parseInstant('2023-01-01')).kind).toBe('found')
  expect(chain(leaf, instantOf(parseInstant('2023-01-01') + 1000))).toMatchObject({
    reason: 'expired',
  })
})

test('an authority that renewed its key is found by trying both', () => {
  const [old, renewed, root] = [mintMiddle({ key: 'other' }), mintMiddle(), mintRoot()]
  const options = { candidates: [old, renewed], anchors: [anchorOf(root)], at }
  expect(findPath(mintLeaf(), options)).toMatchObject({ kind: 'found', path: [{}, renewed, root] })
})

test('an authority is found that spells its name otherwise than those it certifies do', () => {
  const twice = Buffer.from('Administración').toString('latin1')
  const misspelt = nameOf([{ oid: '2.5.4.3', value: element(0x13, Buffer.from('Administración')) }])
  const leaf = readCertificate(
    mintCertificate({
      serial: '00000000000000000777',
      issuer: misspelt,
      subject: named('Firmante'),
      publicKey: keys.leaf.publicKey,
      notBefore: parseInstant('2020-01-01'),
      notAfter: parseInstant('2040-01-01'),
      extensions: [],
      issuerKey: keys.middle.privateKey,
    }),
  )
  const options = {
    candidates: [mintMiddle({ subject: twice })],
    anchors: [anchorOf(mintRoot())],
    at,
  }
  expect(findPath(leaf, options).kind).toBe('found')
})

test('an expired way does not hide one that holds', () => {
  const [expired, valid, root] = [mintMiddle({ until: '2021-01-01' }), mintMiddle(), mintRoot()]
  const options = { candidates: [expired, valid], anchors: [anchorOf(root)], at }
  expect(findPath(mintLeaf(), options).kind).toBe('found')
})

test('a way by a weak signature does not hide one by strong ones, and is found without it', () => {
  const [weak, strong, root] = [mintMiddle({ digest: 'sha1' }), mintMiddle(), mintRoot()]
  const leaf = mintLeaf()
  const found = (...candidates: Certificate[]) => {
    const result = findPath(leaf, { candidates, anchors: [anchorOf(root)], at })
    return result.kind === 'found' ? result.path[1] : result.reason
  }
  expect([found(weak, strong), found(strong, weak), found(weak)]).toEqual([strong, strong, weak])
})

test('a leaf that is signed weakly has no way by strong signatures: none is looked for', () => {
  const candidates = Array.from({ length: 5 }, () => mintMiddle())
  const asked = (leaf: Certificate) => {
    const checks = signatureChecks(100)
    const check = vi.fn(checks.check)
    const options = { candidates, anchors: [anchorOf(mintRoot())], at, checks: { check } }
    expect(findPath(leaf, options).kind).toBe('found')
    return check.mock.calls.length
  }
  expect(asked(mintLeaf({ digest: 'sha1' }))).toBe(asked(mintLeaf()))
})

test('two authorities that certify each other are no way', () => {
  const a = mint({
    subject: 'A',
    issuer: 'B',
    key: 'root',
    by: 'middle',
    extensions: [authority()],
  })
  const b = mint({
    subject: 'B',
    issuer: 'A',
    key: 'middle',
    by: 'root',
    extensions: [authority()],
  })
  const options = { candidates: [a, b], anchors: [], at }
  expect(findPath(mintLeaf({ issuer: 'B' }), options)).toMatchObject({ reason: 'no-issuer' })
})

test('hundreds of namesakes end soon', async () => {
  const namesake = mintMiddle({ key: 'other' })
  const withKey = (number: number) => {
    const spki = Uint8Array.from(namesake.publicKey.spki)
    spki.set([number >> 8, number & 0xff], 100)
    return { ...namesake, publicKey: { ...namesake.publicKey, spki } }
  }
  const candidates = Array.from({ length: 500 }, (_, index) => withKey(index))
  const options = { candidates, anchors: [anchorOf(mintRoot())], at }
  expect(findPath(mintLeaf(), options)).toMatchObject({ reason: 'too-many-attempts' })
})

test('the same key under hundreds of certificates is tried once', () => {
  const namesake = mintMiddle({ key: 'other' })
  const candidates = [...Array.from({ length: 500 }, () => ({ ...namesake })), mintMiddle()]
  const options = { candidates, anchors: [anchorOf(mintRoot())], at }
  expect(findPath(mintLeaf(), options).kind).toBe('found')
})

test('the key that a certificate names is tried before its namesakes', () => {
  const identifier = Uint8Array.of(4, 5, 2, 1)
  const middle = mintMiddle({
    extensions: [authority(), extension('2.5.29.14', octetString(identifier))],
  })
  const leaf = mintLeaf({
    extensions: [extension('2.5.29.35', sequence(implicit(0, identifier)))],
  })
  const namesake = mintMiddle({ key: 'other' })
  const strangers = Array.from({ length: 300 }, (_, index) => {
    const spki = Uint8Array.from(namesake.publicKey.spki)
    spki.set([index >> 8, index & 0xff], 100)
    return { ...namesake, publicKey: { ...namesake.publicKey, spki } }
  })
  const options = { candidates: [...strangers, middle], anchors: [anchorOf(mintRoot())], at }
  expect(findPath(leaf, options).kind).toBe('found')
})

test('authorities that all certify each other end soon', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Malla ${index}`)
  const candidates = names.flatMap((subject) =>
    names
      .filter((issuer) => issuer !== subject)
      .map((issuer) =>
        mint({ subject, issuer, key: 'other', by: 'other', extensions: [authority()] }),
      ),
  )
  const options = { candidates, anchors: [anchorOf(mintRoot())], at }
  const leaf = mint({ issuer: 'Malla 0', by: 'other' })
  const time = await cpuTimeOf(() =>
    expect(findPath(leaf, options)).toMatchObject({ reason: 'too-many-attempts' }),
  )
  expect(time).toBeLessThan(2000)
})

test('thousands of authorities with other names cost little', async () => {
  const other = mintMiddle({ subject: 'Otra' })
  const candidates = [...Array.from({ length: 20_000 }, () => ({ ...other })), mintMiddle()]
  const options = { candidates, anchors: [anchorOf(mintRoot())], at }
  const leaf = mintLeaf()
  const time = await cpuTimeOf(() => expect(findPath(leaf, options).kind).toBe('found'))
  expect(time).toBeLessThan(2000)
})

test('a signer that is itself trusted needs no way', () => {
  const leaf = mintLeaf()
  const options = { candidates: [], anchors: [anchorOf(leaf)], at }
  expect(findPath(leaf, options)).toMatchObject({ kind: 'found', path: [leaf] })
})

test('an algorithm that differs inside and outside of the signed part is refused', () => {
  const leaf = mintLeaf()
  const changed = { ...leaf, signatureAlgorithm: { ...leaf.signatureAlgorithm, bytes: leaf.tbs } }
  const options = { candidates: [mintMiddle()], anchors: [anchorOf(mintRoot())], at }
  expect(findPath(changed, options)).toMatchObject({ reason: 'bad-signature' })
})

test('reasons have the names of the standard', () => {
  expect(pathIndicationOf('no-issuer')).toBe('NO_CERTIFICATE_CHAIN_FOUND')
  expect(pathIndicationOf('expired')).toBe('OUT_OF_BOUNDS')
  expect(pathIndicationOf('path-too-long')).toBe('CHAIN_CONSTRAINTS_FAILURE')
  expect(pathIndicationOf('malformed')).toBe('CERTIFICATE_CHAIN_GENERAL_FAILURE')
})

describe('a trust folder', () => {
  test('trusts self-signed certificates and uses the rest as intermediates', () => {
    const [root, middle, leaf] = [mintRoot(), mintMiddle(), mintLeaf()]
    const { anchors, candidates } = anchorsFromCertificates([leaf, middle, root], TRUST)
    expect(anchors).toEqual([anchorOf(root)])
    expect(candidates).toEqual([leaf, middle])
  })

  test('without a root trusts the authorities in it', () => {
    const [middle, leaf] = [mintMiddle(), mintLeaf()]
    const { anchors, candidates } = anchorsFromCertificates([leaf, middle], TRUST)
    expect(anchors).toEqual([anchorOf(middle)])
    expect(candidates).toEqual([leaf])
  })
})

describe('certificates for signing documents', () => {
  test('a person and a company with an e.firma', async () => {
    expect(signingProfileOf((await testEfirma()).certificate)).toEqual({
      kind: 'may-sign',
      holder: 'natural-person',
    })
  })

  test('neither a CSD nor an authority nor a certificate from elsewhere', async () => {
    const csd = await testEfirma({ kind: 'csd', branch: 'Matriz' })
    expect(signingProfileOf(csd.certificate)).toMatchObject({ reason: 'csd' })
    const { issuing } = await testAuthority()
    expect(signingProfileOf(issuing)).toMatchObject({ reason: 'authority-certificate' })
    expect(signingProfileOf(mintLeaf())).toMatchObject({ reason: 'unknown-kind' })
  })
})
