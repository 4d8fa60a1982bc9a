import { memorySource } from '#server/domain/bytes.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { deedBodies, edited, look, revised } from '#tests/attacks/deed.ts'
import { SETTINGS } from '#tests/attacks/settings.ts'
import { certifying, signDeed, signedDeed } from '#tests/attacks/sign-deed.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  sealWithStamps,
  withDocumentStamp,
  withValidationData,
} from '#tests/support/pdf/long-term-pdfs.ts'
import { pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { PDF_MUTATIONS } from './pdf-mutations.ts'
import type { Origin, Reader } from './reader.ts'

/** Signed deeds in every layout, one filled in, one with validation data, and one unsigned. */
export async function pdfReader(): Promise<Reader> {
  const policy = await testPolicy()
  const files: Record<string, Uint8Array> = { unsigned: pdfWithTable(deedBodies()) }
  for (const { name, layout, style, isSignedTwice } of SETTINGS) {
    const deed = await signedDeed({ layout, style })
    files[name] = isSignedTwice ? (await signDeed(deed, { number: 42, style })).file : deed.file
  }
  const certified = await signedDeed({ entries: certifying(2) })
  files.filled = revised(certified, {
    ...edited(certified, 5, '(1000)', '(2000)'),
    7: look('2000'),
  }).file
  files['for long'] = await longTerm()
  return {
    name: 'PDF',
    weight: 8,
    mutations: PDF_MUTATIONS,
    origins: Object.entries(files).map(([name, bytes]) => originOf(name, bytes, policy)),
  }
}

async function longTerm(): Promise<Uint8Array> {
  const efirma = await testEfirma()
  const by = await stampingAuthority()
  const { root, issuing } = await testAuthority()
  const stamp = (over: Uint8Array) => stampOver(over, { by, time: TEST_NOW })
  const signed = await handSigned({ seal: sealWithStamps(efirma, (value) => [stamp(value)]) })
  const ocsp = [
    await answerAbout(efirma.certificate, TEST_NOW),
    await answerAbout(by.certificate, TEST_NOW),
  ]
  const stored = withValidationData(signed, { certificates: [issuing, root], ocsp })
  return withDocumentStamp(stored, stamp)
}

function originOf(name: string, bytes: Uint8Array, policy: VerificationPolicy): Origin {
  const judge = (file: Uint8Array) => verifyFile(memorySource(file), name, policy)
  const original = judge(bytes)
  const signed = signedParts(bytes, original)
  return {
    name,
    bytes,
    faultOf(file) {
      const report = judge(file)
      // A report is plain values, whatever the file held.
      structuredClone(report)
      if (report.verdict !== 'VALID') return undefined
      if (original.verdict !== 'VALID') return `VALID, and the original was ${original.verdict}`
      return isEarned(file, report, bytes, signed)
        ? undefined
        : 'VALID, and what was signed differs'
    },
  }
}

type SignedParts = { ends: number[]; gaps: { start: number; end: number }[] }

/** The end of each signature's range, in order, and the bytes of the file that no range covers. */
function signedParts(bytes: Uint8Array, { signatures }: VerificationReport): SignedParts {
  const ranges = [...textOf(bytes).matchAll(/\/ByteRange ?\[ ?0 (\d+) (\d+) (\d+) *\]/g)]
    .map(([, start, end, length]) => ({
      start: Number(start),
      end: Number(end),
      last: Number(end) + Number(length),
    }))
    .sort((a, b) => a.last - b.last)
  const count = signatures.filter(({ kind }) => kind === 'signature').length
  return { ends: ranges.slice(0, count).map(({ last }) => last), gaps: ranges }
}

/** As many signatures as the report knows were made over exactly these bytes, but for their own contents. */
function isEarned(
  file: Uint8Array,
  { signatures }: VerificationReport,
  original: Uint8Array,
  { ends, gaps }: SignedParts,
): boolean {
  const count = signatures.filter(({ kind }) => kind === 'signature').length
  const end = ends[count - 1]
  if (end === undefined) return false
  for (let at = 0; at < end; at++)
    if (file[at] !== original[at] && !gaps.some((gap) => gap.start <= at && at < gap.end))
      // A last line end counts as the end of a revision, with or without it.
      return at === end - 1
  return true
}
