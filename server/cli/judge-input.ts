import type { ByteSource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { hasDynamicForm, unseenContentOf } from '#server/domain/pdf/unseen-content.ts'
import {
  requiredStatements,
  type UploadFinding,
} from '#server/domain/verification/upload-judgement.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { RevocationSource } from '#server/ports/revocation-source.ts'
import { FINDINGS } from '#server/words/judgements.ts'
import { sentenceOfProblem } from '#server/words/problems.ts'
import { sentenceOfHeadline } from '#server/words/verification/headlines.ts'
import { VERDICTS } from '#server/words/verification/terms.ts'
import { judgeInTime } from './judge-in-time.ts'

export type JudgedInput = {
  /** What to say about the file, es-MX; empty if there is nothing to say. */
  lines: string[]
  /** Whether it may be signed without an acknowledgement. */
  isGreen: boolean
  /** Why it can never be signed, es-MX. */
  refusal?: string
}

const DYNAMIC_XFA = { code: 'dynamic-xfa', kind: undefined, retryAfter: undefined } as const
const TOO_COMPLEX = { code: 'pdf-too-complex', kind: undefined, retryAfter: undefined } as const
const NOTHING: JudgedInput = { lines: [], isGreen: true }

/**
 * Judges a file that is about to be signed, like an upload. Says nothing about a file that cannot be read: signing
 * reports it.
 *
 * @param authorities asked about the certificates in the file; undefined when offline
 */
export async function judgeInput(
  source: ByteSource,
  file: string,
  policy: VerificationPolicy,
  authorities: RevocationSource | undefined,
): Promise<JudgedInput> {
  const content = contentOf(source)
  if (!content) return NOTHING
  if (content.isDynamicForm)
    return { lines: [], isGreen: false, refusal: sentenceOfProblem(DYNAMIC_XFA) }
  const { findings } = content
  if (!content.isSigned && findings.length === 0) return NOTHING
  const report = await judgeInTime(source, file, { policy, authorities })
  if (!report) return { lines: [], isGreen: false, refusal: sentenceOfProblem(TOO_COMPLEX) }
  const { verdict } = report
  const isSigned = verdict !== 'NO_SIGNATURE'
  return {
    lines: [
      ...(isSigned
        ? [`${file}: ${sentenceOfHeadline(report.headline)} [${VERDICTS[verdict].word}]`]
        : []),
      ...findings.map((one) => `${file}: ${FINDINGS[one].name}: ${FINDINGS[one].effect}.`),
    ],
    isGreen: requiredStatements({ verdict, findings }).length === 0,
  }
}

function contentOf(
  source: ByteSource,
): { isSigned: boolean; findings: UploadFinding[]; isDynamicForm: boolean } | undefined {
  try {
    const document = readDocument(source)
    if (document.isEncrypted || document.isRebuilt) return undefined
    return {
      isSigned: signatureDictionaries(document).length > 0,
      findings: unseenContentOf(document),
      isDynamicForm: hasDynamicForm(document),
    }
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
