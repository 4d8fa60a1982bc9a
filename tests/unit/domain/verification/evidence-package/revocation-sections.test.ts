import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { element, nullValue, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { ID_SHA1, ID_SHA256 } from '#server/domain/asn1/object-identifiers.ts'
import { after, hours, type Instant } from '#server/domain/time.ts'
import { type Chain, chainOver } from '#server/domain/verification/evidence-package/chain.ts'
import { revocationSections } from '#server/domain/verification/evidence-package/revocation-sections.ts'
import { pemOf } from '#server/domain/verification/evidence-package/section.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import {
  idOf,
  ocspAnswer,
  type RevocationCast,
  revocationCast,
  serialOf,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { runCommand } from '#tests/support/pdf/unpacked-evidence.ts'

let cast: RevocationCast
let chain: Chain
beforeAll(async () => {
  cast = await revocationCast()
  const trust = { anchors: [{ certificate: cast.root }], candidates: [cast.issuing] }
  chain = chainOver(cast.leaf, trust as never, TEST_NOW, 'firmas/01-cadena.pem') as Chain
})

const EARLIER = after(TEST_NOW, hours(-3))
const sectionsOf = (chains: readonly Chain[], responses: readonly Uint8Array[]) =>
  revocationSections(chains, { responses, now: TEST_NOW, zone: 'UTC' })
const answerAt = (thisUpdate: Instant, status: 'good' | 'unknown' = 'good') =>
  ocspAnswer(cast, { thisUpdate, status }).der

test('the newest good word of the authority is told once, with all that openssl needs', () => {
  const answers = [answerAt(TEST_NOW), answerAt(EARLIER)]
  const [section, ...more] = sectionsOf([chain, chain], answers)
  expect(more).toEqual([])
  expect(section).toMatchObject({
    title: { about: 'Revocación', of: { kind: 'certificate', name: cast.leaf.name } },
    commands: [
      `openssl ocsp -respin revocacion/01.ors -issuer revocacion/01-emisor.pem -cert revocacion/01-certificado.pem -CAfile revocacion/01-cadena.pem -attime ${TEST_NOW / 1000} -no_nonce > respuesta-01.txt`,
      "grep -q -E '(^|: )good$' respuesta-01.txt",
    ],
    files: [
      { name: 'revocacion/01.ors', bytes: answers[0] },
      { name: 'revocacion/01-certificado.pem', bytes: pemOf([cast.leaf]) },
      { name: 'revocacion/01-emisor.pem', bytes: pemOf([cast.issuing]) },
      { name: 'revocacion/01-cadena.pem', bytes: chain.file.bytes },
    ],
    roots: [chain.root],
  })
  expect(section?.sentences[0]).toContain('no estaba revocado')
})

test('a revocation is told as one', () => {
  const revoked = ocspAnswer(cast, { status: { at: EARLIER } }).der
  const [section] = sectionsOf([chain], [revoked])
  expect(section?.sentences[0]).toContain('que el certificado estaba revocado')
  expect(section?.commands[1]).toBe("grep -q -E '(^|: )revoked$' respuesta-01.txt")
})

test('an answer that knows nothing, one about another certificate and one that is none are left out', () => {
  const other = ocspAnswer(cast, { id: idOf(cast.issuing, cast.root) }).der
  expect(sectionsOf([chain], [answerAt(TEST_NOW, 'unknown'), other, Uint8Array.of(0)])).toEqual([])
})

/** The authority answers by its own key. */
const itself = () => ({
  ...{ responder: cast.issuing, responderKey: cast.issuingKey, certificates: [] },
})

test.each([
  ['SHA-1', ID_SHA1, 'sha1'],
  ['SHA-256', ID_SHA256, 'sha256'],
] as const)('openssl finds the certificate that the answer names by %s', (_, digestId, digest) => {
  const hash = (bytes: Uint8Array) => octetString(createHash(digest).update(bytes).digest())
  const id = sequence(
    sequence(oid(digestId), nullValue()),
    hash(cast.issuing.subject.bytes),
    hash(cast.issuing.publicKey.bits),
    element(0x02, serialOf(cast.leaf)),
  )
  const [section] = sectionsOf([chain], [ocspAnswer(cast, { id }).der])
  const folder = mkdtempSync(path.join(tmpdir(), 'answers-'))
  mkdirSync(path.join(folder, 'revocacion'))
  for (const { name, bytes } of section?.files ?? []) writeFileSync(path.join(folder, name), bytes)
  const results = section?.commands.map((command) => runCommand(folder, command))
  rmSync(folder, { recursive: true })
  expect(results).toMatchObject([{ status: 0 }, { status: 0 }])
})

test('an answer that the authority did not sign is left out, although it is the newest', () => {
  const stranger = { responder: cast.leaf, responderKey: cast.leafKey, certificates: [cast.leaf] }
  const forged = ocspAnswer(cast, { status: { at: EARLIER } }, stranger).der
  const genuine = answerAt(EARLIER)
  expect(sectionsOf([chain], [forged])).toEqual([])
  expect(sectionsOf([chain], [genuine, forged])[0]?.files[0]?.bytes).toBe(genuine)
})

test('a revocation is told whatever was answered later; a hold until it was lifted', () => {
  const revoked = (reason: number) =>
    ocspAnswer(cast, { thisUpdate: EARLIER, status: { at: EARLIER, reason } }).der
  const told = (reason: number) =>
    sectionsOf([chain], [revoked(reason), answerAt(TEST_NOW)])[0]?.sentences[0]
  expect(told(4)).toContain('que el certificado estaba revocado')
  expect(told(6)).toContain('no estaba revocado')
})

test('two authorities that number alike have a section each', () => {
  const alike = <T extends Certificate>(certificate: T): T => ({ ...certificate, serial: '01' })
  const answers = [
    ocspAnswer(cast, { id: idOf(alike(cast.leaf), cast.issuing) }).der,
    ocspAnswer(cast, { id: idOf(alike(cast.responder), cast.issuing) }, itself()).der,
  ]
  const chains = [cast.leaf, cast.responder].map((certificate) => ({
    ...{ ...chain, path: [alike(certificate), alike(cast.issuing)] },
  }))
  const names = sectionsOf(chains, answers).map(({ title }) => title.of)
  expect(names).toEqual(
    [cast.leaf, cast.responder].map(({ name }) => ({ kind: 'certificate', name })),
  )
})

test('a root that stands alone has nothing above it that could revoke it', () => {
  const alone: Chain = { ...chain, path: [cast.root] }
  expect(sectionsOf([alone], [answerAt(TEST_NOW)])).toEqual([])
})

test('two certificates of one authority have a section each, numbered in their order', () => {
  const responder: Chain = { ...chain, path: [cast.responder, cast.issuing] }
  const answers = [
    answerAt(TEST_NOW),
    ocspAnswer(cast, { id: idOf(cast.responder, cast.issuing) }, itself()).der,
  ]
  const names = sectionsOf([chain, responder], answers).map(({ files }) => files[0]?.name)
  expect(names).toEqual(['revocacion/01.ors', 'revocacion/02.ors'])
})
