import { z } from 'zod'
import { canonicalJson } from '#server/domain/canonical-json.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { DocumentId, Sha256, SignerId, UserId } from '#server/domain/ids.ts'
import { UNSEEN_CONTENT } from '#server/domain/pdf/unseen-content.ts'
import { Instant } from '#server/domain/time.ts'
import type { Headline } from './codes/headline-codes.ts'

/**
 * Grows with every change of the verifier after which stored judgements may be wrong, or their headlines unknown;
 * those of an earlier edition are judged again. 0 stands for a file that was not judged yet.
 */
export const JUDGEMENT_EDITION = 2

/** Edition 1 drew no pages of a file larger than this, in bytes. */
const LARGEST_DRAWN_BY_FIRST = 64 << 20

/** The findings of an earlier judgement that still hold for this one. */
export function findingsThatStay(
  { findings, edition }: { findings: readonly UploadFinding[]; edition: number },
  { bytes }: { bytes: number },
): UploadFinding[] {
  const wasNotTried = edition === 1 && bytes > LARGEST_DRAWN_BY_FIRST
  return findings.filter((one) => one !== 'not-drawable' || !wasNotTried)
}

/** What a signer must know about a file: its unseen content, and pages that we cannot draw. */
export const UploadFinding = z.enum([...UNSEEN_CONTENT, 'not-drawable'])
export type UploadFinding = z.infer<typeof UploadFinding>

const UploadVerdict = z.enum(['VALID', 'INDETERMINATE', 'INVALID', 'NO_SIGNATURE', 'NOT_A_PDF'])

/** Its codes are those of the edition that stored it. */
const StoredHeadline = z.custom<Headline>(
  (value) => z.object({ code: z.string(), parameters: z.object({}) }).safeParse(value).success,
)

/** What our verifier says about a file as it arrived. */
export const UploadJudgement = z.object({
  documentId: DocumentId,
  /** The version that was uploaded. */
  version: z.int().positive(),
  sha256: Sha256,
  verdict: UploadVerdict,
  /** Null for a file without signatures and unseen content. */
  headline: StoredHeadline.nullable(),
  findings: z.array(UploadFinding),
  at: Instant,
})
export type UploadJudgement = z.infer<typeof UploadJudgement>

/** What a signer states: that they saw the judgement; that they read the pages in another program. */
export const Statement = z.enum(['judgement-seen', 'read-elsewhere'])
export type Statement = z.infer<typeof Statement>

/** The statements of a signer about a judgement that was shown to them. Never changed. */
export const Acknowledgement = z.object({
  documentId: DocumentId,
  userId: UserId.nullable(),
  signerId: SignerId.nullable(),
  /** Digest of the judgement: see `judgementDigest`. */
  judgement: Sha256,
  statements: z.array(Statement),
  verdict: UploadVerdict,
  /** The sentence that was shown, es-MX. */
  sentence: z.string(),
  findings: z.array(UploadFinding),
  at: Instant,
})
export type Acknowledgement = z.infer<typeof Acknowledgement>

/** Verdicts with which a file may be signed as it is. */
const GREEN: readonly z.infer<typeof UploadVerdict>[] = ['VALID', 'NO_SIGNATURE']

/** What a signer must state before signing; empty if the file is green. */
export function requiredStatements({
  verdict,
  findings,
}: Pick<UploadJudgement, 'verdict' | 'findings'>): Statement[] {
  const isGreen = GREEN.includes(verdict) && findings.every((one) => one === 'not-drawable')
  return [
    ...(isGreen ? [] : (['judgement-seen'] as const)),
    ...(findings.includes('not-drawable') ? (['read-elsewhere'] as const) : []),
  ]
}

/** Equal for judgements of the same file that say the same. */
export function judgementDigest({
  documentId,
  sha256: file,
  verdict,
  findings,
}: Pick<UploadJudgement, 'documentId' | 'sha256' | 'verdict' | 'findings'>): Sha256 {
  return sha256(canonicalJson({ documentId, file, verdict, findings: findings.toSorted() }))
}

/** Whether one of the acknowledgements of a signer covers everything that this judgement requires. */
export function isAcknowledged(
  judgement: UploadJudgement,
  acknowledgements: readonly Acknowledgement[],
): boolean {
  const required = requiredStatements(judgement)
  if (required.length === 0) return true
  const digest = judgementDigest(judgement)
  return acknowledgements.some(
    (one) =>
      one.judgement === digest &&
      one.documentId === judgement.documentId &&
      required.every((statement) => one.statements.includes(statement)),
  )
}
