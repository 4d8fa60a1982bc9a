import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { chainOver } from '#server/domain/verification/evidence-package/chain.ts'
import {
  materialIn,
  type SignatureMaterial,
} from '#server/domain/verification/evidence-package/material.ts'
import {
  signatureSections,
  type Trusts,
} from '#server/domain/verification/evidence-package/signature-sections.ts'
import {
  TEST_NOW,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  sealWithStamps,
  withDocumentStamp,
  withValidationData,
} from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned } from '#tests/support/pdf/signed-pdfs.ts'
import { aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

let efirma: Efirma
let authority: StampingAuthority
let trusts: Trusts
let file: Uint8Array
beforeAll(async () => {
  efirma = await testEfirma()
  authority = await stampingAuthority()
  const trust = { anchors: [await testAnchor()], candidates: [(await testAuthority()).issuing] }
  trusts = { signing: trust, stamping: trust, zone: 'UTC' }
  file = await handSigned({ seal: sealWithStamps(efirma, (signature) => [stamp(signature)]) })
}, 60_000)

const stamp = (over: Uint8Array) => stampOver(over, { by: authority, time: TEST_NOW })
const materialOf = (bytes: Uint8Array) => materialIn(readDocument(memorySource(bytes)))
const NO_TRUST = { anchors: [], candidates: [] }
const claimed = aSignatureReport({ claimedTime: new Date(TEST_NOW).toISOString() })

function sectionsOf(
  material: SignatureMaterial,
  { number = 1, report = claimed, by = trusts } = {},
) {
  return signatureSections({ number, material, report }, by)
}

test('a signature and the timestamp over it have a section each', () => {
  const [material] = materialOf(file).signatures
  const [signature, timestamp, ...more] = sectionsOf(material!)
  expect(more).toEqual([])
  const chain = chainOver(efirma.certificate, trusts.signing, TEST_NOW, 'firmas/01-cadena.pem')!
  const [, head, tail, rest] = material!.byteRange
  expect(signature).toMatchObject({
    title: { about: 'Firma 1', of: { kind: 'signer', signer: claimed.signer } },
    commands: [
      `{ head -c ${head} firmado.pdf; tail -c +${tail + 1} firmado.pdf | head -c ${rest}; } > cubierto-01.bin`,
      `openssl cms -verify -binary -inform DER -in firmas/01.p7s -content cubierto-01.bin ${chain.options} -purpose any -out /dev/null`,
    ],
    files: [
      { name: 'firmas/01.p7s', bytes: material!.cms },
      { name: 'firmas/01-firmante.cer', bytes: efirma.certificate.der },
      chain.file,
    ],
    roots: [chain.root],
    chains: [{ options: chain.options }],
  })
  expect(signature!.sentences).toEqual([
    'Hecha el 20 nov 2026, 15:00 (UTC).',
    'El primer comando toma del documento los bytes que la firma cubre; el segundo comprueba que la firma es de esos bytes y del certificado.',
  ])
  expect(timestamp).toMatchObject({
    title: {
      about: 'Sello de tiempo de la firma 1',
      of: { kind: 'authority', authority: { name: authority.certificate.name, isConfirmed: true } },
    },
    files: [
      { name: 'firmas/01-valor.bin', bytes: material!.signatureValue },
      { name: 'sellos/01-1.tst', bytes: material!.timestamps[0] },
      { name: 'sellos/01-1-cadena.pem' },
    ],
  })
  expect(timestamp!.commands).toHaveLength(2)
  expect(timestamp!.roots).toEqual([chain.root])
})

test('without a known authority openssl proves the bytes alone, and the section says so', () => {
  const [material] = materialOf(file).signatures
  const by = { ...trusts, signing: NO_TRUST, stamping: NO_TRUST }
  const [signature, timestamp] = sectionsOf(material!, { by })
  expect(signature).toMatchObject({ roots: [], chains: [] })
  expect(signature!.commands[1]).toContain(' -noverify ')
  expect(signature!.sentences.at(-1)).toContain('No se conoce a la autoridad')
  expect(timestamp).toMatchObject({
    title: { of: { authority: { isConfirmed: false } } },
    roots: [],
    chains: [],
  })
  expect(timestamp!.commands).toHaveLength(1)
})

test('a signature without a time has none in its section, and no chain', () => {
  const [material] = materialOf(file).signatures
  const report = aSignatureReport({ claimedTime: null, provenTime: null })
  const [signature] = sectionsOf(material!, { report })
  expect(signature!.sentences[0]).toMatch(/^El primer comando/)
  expect(signature!.chains).toEqual([])
})

test('the timestamp of the document has a section of its own', () => {
  const [, material] = materialOf(withDocumentStamp(file, stamp)).signatures
  const [section, ...more] = sectionsOf(material!, { number: 2 })
  expect(more).toEqual([])
  expect(section).toMatchObject({
    title: { about: 'Sello de tiempo del documento 2' },
    sentences: ['Prueba que el documento existía así el 20 nov 2026, 15:00 (UTC).'],
    files: [{ name: 'firmas/02.tst', bytes: material!.cms }, { name: 'firmas/02-cadena.pem' }],
  })
  const [covered, verified] = section!.commands
  expect(covered).toMatch(/> cubierto-02\.bin$/)
  expect(verified).toMatch(
    /^openssl ts -verify -data cubierto-02\.bin -in firmas\/02\.tst -token_in -CAfile/,
  )
})

test('material of a file: taken out as it stands, in bytes of its own', async () => {
  const answer = await answerAbout(efirma.certificate, TEST_NOW)
  const { issuing } = await testAuthority()
  const stored = withValidationData(file, { certificates: [issuing], ocsp: [answer] })
  const { signatures, certificates, ocsp, crls } = materialOf(stored)
  expect(signatures).toMatchObject([
    { field: 'Firma1', kind: 'signature', signer: efirma.certificate.der },
  ])
  expect(ocsp).toEqual([answer])
  expect(crls).toEqual([])
  expect(certificates).toContainEqual(issuing.der)
  for (const { buffer, byteLength } of [...certificates, ...ocsp])
    expect(buffer.byteLength).toBe(byteLength)
})

test('a token that cannot be read is no timestamp', async () => {
  const bad = await handSigned({
    seal: sealWithStamps(efirma, (signature) => [Uint8Array.of(0x30, 0), stamp(signature)]),
  })
  const [material] = materialOf(bad).signatures
  expect(material!.timestamps).toHaveLength(1)
})

test('a signature of a kind that openssl does not check is left out', async () => {
  const old = await handSigned({
    seal: sealWithStamps(efirma, () => []),
    subFilter: 'adbe.pkcs7.sha1',
  })
  expect(materialOf(old).signatures).toEqual([null])
})
