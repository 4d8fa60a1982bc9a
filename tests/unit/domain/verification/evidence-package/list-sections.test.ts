import { beforeAll, expect, test } from 'vitest'
import { basicConstraints, keyUsage } from '#server/demo/certificate-minting.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { after, days, hours, type Instant } from '#server/domain/time.ts'
import { type Chain, chainOver } from '#server/domain/verification/evidence-package/chain.ts'
import { listSections } from '#server/domain/verification/evidence-package/list-sections.ts'
import { mintCertificateList } from '#tests/support/authorities/certificate-lists.ts'
import {
  mintAuthority,
  type RevocationCast,
  revocationCast,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

let cast: RevocationCast
let chain: Chain
beforeAll(async () => {
  cast = await revocationCast()
  const trust = { anchors: [{ certificate: cast.root }], candidates: [cast.issuing] }
  chain = chainOver(cast.leaf, trust as never, TEST_NOW, 'firmas/01-cadena.pem') as Chain
})

const listAt = (thisUpdate: Instant, issuerKey = cast.issuingKey) =>
  mintCertificateList({
    issuer: cast.issuing,
    issuerKey,
    thisUpdate,
    nextUpdate: after(thisUpdate, hours(1)),
  })

const sections = (lists: Uint8Array[], candidates = [cast.issuing], now = TEST_NOW) =>
  listSections([chain, chain], { lists, candidates, now, zone: 'UTC', firstNumber: 3 })

test('the newest list is told once, at the time at which it was right', () => {
  const lists = [listAt(after(TEST_NOW, hours(-3))), listAt(after(TEST_NOW, hours(-1)))]
  const [section, ...more] = sections([...lists, Uint8Array.of(0)])
  expect(more).toEqual([])
  expect(section?.files.map(({ name }) => name)).toEqual([
    'revocacion/lista-01.crl',
    'revocacion/03-certificado.pem',
    'revocacion/03-cadena.pem',
  ])
  expect(section?.files[0]?.bytes).toEqual(lists[1])
  expect(section?.commands).toEqual([
    `openssl verify -crl_check -CRLfile revocacion/lista-01.crl -CAfile revocacion/03-cadena.pem -attime ${(TEST_NOW - hours(1)) / 1000} revocacion/03-certificado.pem`,
  ])
})

test('a list that states no end is checked at its time', () => {
  const { issuing: issuer, issuingKey: issuerKey } = cast
  const [section] = sections([mintCertificateList({ issuer, issuerKey, thisUpdate: TEST_NOW })])
  expect(section?.commands[0]).toContain(`-attime ${TEST_NOW / 1000} `)
})

test('a list that was over before the certificates began is checked without its time', () => {
  const [section] = sections([listAt(after(cast.leaf.notBefore, days(-1)))])
  expect(section?.commands[0]).toContain('-no_check_time')
})

test('a list of after the certificate ended is checked without its time', () => {
  const late = after(cast.leaf.notAfter, days(1))
  const [section] = sections([listAt(late)], [cast.issuing], after(late, hours(1)))
  expect(section?.commands[0]).toContain('-no_check_time')
})

test('a list with another key of the authority lies there without a command', async () => {
  const { publicKey, privateKey } = await newKeyPair()
  const renewed = mintAuthority({
    subject: cast.issuing.subject.bytes,
    issuer: cast.root,
    issuerKey: cast.rootKey,
    publicKey,
    extensions: [basicConstraints({ isAuthority: true }), keyUsage(0x06, 1)],
  })
  const [section] = sections([listAt(TEST_NOW, privateKey)], [cast.issuing, renewed])
  expect(section).toMatchObject({
    commands: [],
    files: [{ name: 'revocacion/lista-01.crl' }, {}, {}],
  })
  expect(section?.sentences.at(-1)).toContain('otra clave')
})

test('a list of another issuer is ignored', () => {
  const foreign = mintCertificateList({
    issuer: cast.root,
    issuerKey: cast.issuingKey,
    thisUpdate: TEST_NOW,
  })
  expect(sections([foreign])).toEqual([])
})

test('a list that speaks about several certificates lies there once', () => {
  const { issuing, issuingKey, leaf } = cast
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: issuing, issuerKey: issuingKey, publicKeyOf: leaf },
    extensions: [basicConstraints({ isAuthority: false }), keyUsage(0xc0, 6)],
  })
  const trust = { anchors: [{ certificate: cast.root }], candidates: [issuing] } as never
  const other = chainOver(certificate, trust, TEST_NOW, 'firmas/02-cadena.pem')!
  const [lists, candidates] = [[listAt(TEST_NOW)], [issuing]]
  const found = listSections([chain, other], {
    ...{ lists, candidates, now: TEST_NOW, zone: 'UTC', firstNumber: 3 },
  })
  expect(found.map(({ files }) => files.map(({ name }) => name))).toEqual([
    ['revocacion/lista-01.crl', 'revocacion/03-certificado.pem', 'revocacion/03-cadena.pem'],
    ['revocacion/04-certificado.pem', 'revocacion/04-cadena.pem'],
  ])
  for (const { sentences } of found)
    expect(sentences[0]).toMatch(/ no lo nombra: no estaba revocado\.$/)
})
