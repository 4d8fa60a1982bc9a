import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import type { Certificate } from '#server/domain/efirma/certificate.ts'
import { DerError } from '#server/domain/efirma/der.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { parseInstant } from '#server/domain/time.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'

/*
 * Published signed PDFs by the answer that is right, where the data for tests is at hand. Every certificate
 * inside a file is trusted, so that no wrong verdict hides behind an unknown authority.
 */
const FOLDER = '../shared/data/signed-pdfs'
const AT = parseInstant('2026-11-20T15:00:00Z')
const LIMIT_SECONDS = 10

function judged(file: string) {
  const bytes = new Uint8Array(readFileSync(path.join(FOLDER, file)))
  const start = performance.now()
  const reports = [policyOf([]), policyOf(certificatesIn(bytes))].map((policy) =>
    verifyFile(memorySource(bytes), file, policy),
  )
  return { file, reports, seconds: (performance.now() - start) / 1000 }
}

const policyOf = (certificates: readonly Certificate[]): VerificationPolicy => ({
  anchors: certificates.map((certificate) => ({
    certificate,
    label: 'Del archivo',
    forTesting: true,
    revocation: 'when-available',
  })),
  candidates: [],
  at: AT,
})

function certificatesIn(bytes: Uint8Array): Certificate[] {
  try {
    return signatureDictionaries(readDocument(memorySource(bytes))).flatMap(({ contents }) => {
      try {
        return contents ? [...readSignedData(contents).certificates] : []
      } catch (error) {
        if (error instanceof DerError) return []
        throw error
      }
    })
  } catch (error) {
    if (error instanceof PdfError) return []
    throw error
  }
}

const isUpToForms = ({ modification }: SignatureReport) =>
  modification !== 'ANNOTATIONS' && modification !== 'OTHER'
const isSound = (one: SignatureReport) => one.intact && one.valid

/** What "right" means, class by class. */
const RIGHT: Record<string, (report: VerificationReport) => boolean> = {
  intact: ({ signatures, verdict }) =>
    signatures.every((one) => isSound(one) && isUpToForms(one) && one.coverage !== 'UNCLEAR') &&
    (verdict === 'VALID' || verdict === 'INDETERMINATE'),
  modified: ({ signatures, verdict }) =>
    verdict === 'INVALID' ||
    signatures.some((one) => !isUpToForms(one) || one.coverage === 'UNCLEAR'),
  'form-filled': ({ signatures }) =>
    signatures.some(
      ({ modification, changes }) => modification === 'FORM_FILLING' && changes.length > 0,
    ),
  broken: ({ signatures }) =>
    signatures.some((one) => !isSound(one) || one.indication === 'TOTAL_FAILED'),
  'bad-timestamp': ({ signatures }) =>
    signatures.some((one) => one.kind === 'signature' && isSound(one)) &&
    signatures.some(({ timestamps }) => timestamps.some(({ valid }) => !valid)),
  'no-signature': ({ verdict }) => verdict === 'NO_SIGNATURE',
  terminates: () => true,
}

/** Never, whomever we trust. */
const NEVER_VALID = ['broken', 'modified', 'no-signature']
/** Every file of these classes is right already. */
const ALL_RIGHT = ['intact', 'form-filled', 'broken', 'bad-timestamp', 'no-signature', 'terminates']

function register() {
  describe.each(Object.keys(RIGHT).filter((kind) => existsSync(path.join(FOLDER, kind))))(
    '%s',
    (kind) => {
      const files = readdirSync(path.join(FOLDER, kind))
        .filter((name) => name.endsWith('.pdf'))
        .map((name) => `${kind}/${name}`)

      test(`${files.length} files`, { timeout: files.length * LIMIT_SECONDS * 2000 }, () => {
        const all = files.map(judged)
        const isRight = RIGHT[kind]!
        const wrong = all.filter(({ reports }) => !reports.every(isRight)).map(({ file }) => file)
        console.info(
          `${kind}: ${files.length - wrong.length} right, ${wrong.length} wrong ${wrong.join(' ')}`,
        )
        expect(all.filter(({ seconds }) => seconds > LIMIT_SECONDS)).toEqual([])
        if (ALL_RIGHT.includes(kind)) expect(wrong).toEqual([])
        if (NEVER_VALID.includes(kind))
          expect(
            all.filter(({ reports }) => reports.some(({ verdict }) => verdict === 'VALID')),
          ).toEqual([])
      })
    },
  )
}

register()
