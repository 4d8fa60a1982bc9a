import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { DerError } from '#server/domain/asn1/der.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { plainFile } from '#tests/support/stored-files.ts'
import { CLASSES } from './classes.ts'
import type { Sample } from './samples.ts'

export type Examined = Sample & {
  seconds: number
  /** Undefined when the answers are right. */
  fault: string | undefined
  /** The answers without trust, and with trust in every certificate of the file. */
  verdicts: string[]
}

/** Any file ends within it. */
const LIMIT_SECONDS = 10

/**
 * Judges samples as the product does, in threads that can be killed: first without trust, then trusting
 * every certificate that a file brings along, so that no wrong verdict hides behind an unknown authority.
 */
export async function examine(
  folder: string,
  samples: readonly Sample[],
  at: Instant,
): Promise<Examined[]> {
  const work = createPdfWork()
  try {
    const examined: Examined[] = []
    for (const sample of samples) {
      const file = path.join(folder, sample.file)
      const start = performance.now()
      const answers = [
        await answerOf(() => work.verify(plainFile(file), sample.file, trusting([], at))),
      ]
      const seconds = (performance.now() - start) / 1000
      // A file that could not be read in a thread is not read here.
      if (typeof answers[0] !== 'string')
        answers.push(
          await answerOf(() =>
            work.verify(plainFile(file), sample.file, trusting(certificatesIn(file), at)),
          ),
        )
      examined.push({ ...sample, seconds, ...judged(sample, answers, seconds) })
    }
    return examined
  } finally {
    await work.close()
  }
}

type Answer = VerificationReport | string

/** The report, or why there is none. */
async function answerOf(ask: () => Promise<VerificationReport>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    return error instanceof Problem ? error.code : `crashed: ${error}`
  }
}

function judged({ kind }: Sample, answers: readonly Answer[], seconds: number) {
  const faults = answers.map((answer) =>
    typeof answer === 'string' ? answer : CLASSES[kind]!(answer),
  )
  const isLate = seconds > LIMIT_SECONDS
  return {
    fault: faults.find((fault) => fault !== undefined) ?? (isLate ? 'too slow' : undefined),
    verdicts: answers.map((answer) => (typeof answer === 'string' ? answer : answer.verdict)),
  }
}

const trusting = (certificates: readonly Certificate[], at: Instant): VerificationPolicy => ({
  anchors: certificates.map((certificate) => ({
    certificate,
    label: 'Del archivo',
    forTesting: true,
    revocation: 'when-available',
  })),
  candidates: [],
  at,
})

function certificatesIn(file: string): Certificate[] {
  try {
    const document = readDocument(memorySource(new Uint8Array(readFileSync(file))))
    return signatureDictionaries(document).flatMap(({ contents }) =>
      contents ? certificatesOf(contents) : [],
    )
  } catch (error) {
    if (error instanceof PdfError) return []
    throw error
  }
}

function certificatesOf(cms: Uint8Array): Certificate[] {
  try {
    return [...readSignedData(cms).certificates]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}
