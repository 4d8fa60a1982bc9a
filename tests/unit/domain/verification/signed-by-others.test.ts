import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { type Deed, edited, textStream } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { signedDeed, someSeal } from '#tests/attacks/sign-deed.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import {
  bodiesWithPages,
  pdfWithObjectStream,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'

/* Whole files that two other programs signed, and what comes after them. */

const [openssl, certutil, pk12util] = [judge('openssl'), judge('certutil'), judge('pk12util')]
const [pdfsig, mutool] = [judge('pdfsig'), judge('mutool')]
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-others-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => path.join(folder, name)
const store = `sql:${folder}`
const PASSWORD = 'prueba'

let policy: VerificationPolicy
beforeAll(async () => {
  // Their clock is the real one.
  policy = await testPolicy({ at: Math.max(TEST_NOW, Date.now()) as typeof TEST_NOW })
  const { root, issuing } = await testAuthority()
  const { cer, keyPair } = await testEfirma()
  const pem = (der: Uint8Array) => new X509Certificate(der).toString()
  writeFileSync(at('key.pem'), keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(at('signer.pem'), pem(cer))
  writeFileSync(at('chain.pem'), pem(issuing.der) + pem(root.der))
  writeFileSync(at('root.pem'), pem(root.der))
  const holder = ['-inkey', at('key.pem'), '-in', at('signer.pem'), '-certfile', at('chain.pem')]
  const output = ['-name', 'ana', '-passout', `pass:${PASSWORD}`, '-out', at('ana.p12')]
  mustRun(openssl('pkcs12', '-export', ...holder, ...output))
  mustRun(certutil('-N', '-d', store, '--empty-password'))
  mustRun(certutil('-A', '-d', store, '-n', 'root', '-t', 'CT,C,C', '-i', at('root.pem')))
  mustRun(pk12util('-i', at('ana.p12'), '-d', store, '-W', PASSWORD))
})

function mustRun({ status, output, errors }: ReturnType<typeof openssl>): void {
  if (status !== 0) throw new Error(errors || output)
}

/** The file with a signature that pdfsig adds. */
function signedByPdfsig(file: Uint8Array): Uint8Array {
  writeFileSync(at('in.pdf'), file)
  const options = ['-add-signature', '-nick', 'ana', '-new-signature-field-name', 'Otra']
  mustRun(pdfsig('-nssdir', store, at('in.pdf'), at('out.pdf'), ...options))
  return new Uint8Array(readFileSync(at('out.pdf')))
}

/** The file with the signature that mutool makes in an empty field. */
function signedByMutool(file: Uint8Array, field: number): Uint8Array {
  writeFileSync(at('in.pdf'), file)
  const key = ['-s', at('ana.p12'), '-P', PASSWORD]
  mustRun(mutool('sign', ...key, '-o', at('out.pdf'), at('in.pdf'), String(field)))
  return new Uint8Array(readFileSync(at('out.pdf')))
}

/** The size of a page as a word processor writes it: with more digits than other programs keep. */
const longDigits = (deed: Deed) =>
  edited(deed, 10, '0 0 300 300', '0 0 595.303937007874 841.889763779528')

const plain = bodiesWithPages(2)
const listed = { ...bodiesWithPages(2, '/AcroForm 8 0 R'), 8: '<</Fields[]/SigFlags 3>>' }

describe('pdfsig', () => {
  test.each([
    ['a table', pdfWithTable(plain)],
    ['object streams', pdfWithObjectStream(plain)],
    ['a form', pdfWithTable(listed)],
  ])('signs a file with %s', async (_, base) => {
    const file = signedByPdfsig(base)
    const report = await verified(file, policy)
    expect(report).toMatchObject({
      verdict: 'VALID',
      signatures: [{ field: 'Otra', intact: true, valid: true, coverage: 'ENTIRE_FILE' }],
    })
    const root = Number(/\/Root (\d+)/.exec(Buffer.from(base).toString('latin1'))![1])
    const forged = appendRevision(file, { 11: textStream('Otra cosa') }, { root })
    expect(await verified(forged, policy)).toMatchObject({
      verdict: 'INVALID',
      signatures: [{ modification: 'OTHER' }],
    })
  })

  test('signs after us, and writes a page anew with fewer digits', async () => {
    const { file } = await signedDeed({ changes: longDigits })
    const report = await verified(signedByPdfsig(file), policy)
    expect(report).toMatchObject({
      verdict: 'VALID',
      signatures: [
        { field: 'Firma40', coverage: 'ENTIRE_REVISION', modification: 'FORM_FILLING' },
        { field: 'Otra', coverage: 'ENTIRE_FILE', modification: 'NONE' },
      ],
    })
  })

  test('forgets a form that is written into the catalog: its own signature belongs to no field', async () => {
    const file = await handSigned({ seal: await someSeal() })
    const report = await verified(signedByPdfsig(file), policy)
    expect(report).toMatchObject({
      verdict: 'INDETERMINATE',
      signatures: [
        { field: 'Firma1', indication: 'TOTAL_PASSED', modification: 'FORM_FILLING' },
        { field: '', indication: 'INDETERMINATE', intact: true, valid: true },
      ],
    })
  })
})

describe('mutool', () => {
  test('signs in an empty field after us, with a digest that is weak by now', async () => {
    const { file } = await signedDeed()
    expect(await verified(signedByMutool(file, 6), policy)).toMatchObject({
      verdict: 'INDETERMINATE',
      signatures: [
        { field: 'Notario', subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE', intact: true },
        { field: 'Firma40', indication: 'TOTAL_PASSED', modification: 'FORM_FILLING' },
      ],
    })
  })
})
