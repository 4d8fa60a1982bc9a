import { DerError } from '#server/domain/asn1/der.ts'
import { latin1 } from '#server/domain/asn1/der-values.ts'
import { validationValuesOf } from '#server/domain/cms/validation-values.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import type { TimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import type { TstInfo } from '#server/domain/timestamp/tst-info.ts'
import {
  type TimeStampFacts,
  type TimeStampProblem,
  verifyTimeStamp,
} from '#server/domain/timestamp/verify-time-stamp.ts'
import type { DigestName } from '#server/domain/trust/digest-algorithm.ts'
import { MOST_CHECKS } from '#server/domain/trust/path.ts'
import { signatureChecks } from '#server/domain/trust/signature-checks.ts'
import { type Circumstances, nothingKnown } from '#server/domain/verification/circumstances.ts'
import {
  type ConstanciaHeadline,
  constanciaHeadline,
} from '#server/domain/verification/codes/constancia-codes.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import type { ConstanciaReport, SubIndication } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import type { FileTimeStamp } from './judge-time.ts'
import { judgeTimeStamp, type TimeStampJudgement } from './judge-time-stamp.ts'

/**
 * What a constancia of conservation, or any timestamp beside a file, says about the file. Providers hand out
 * the whole response or the token alone. Never throws for what the bytes hold.
 *
 * @param bytes DER of a TimeStampResp or of its token
 * @param sha256OfFile of exactly the bytes that were preserved
 * @see NOM-151-SCFI-2016; RFC 3161, 2.4.2
 */
export const judgeConstancia = (
  bytes: Uint8Array,
  sha256OfFile: Uint8Array,
  policy: VerificationPolicy,
): ConstanciaReport => weighConstancia(bytes, sha256OfFile, policy).report

export type WeighedConstancia = {
  report: ConstanciaReport
  /** For judging the signatures of the file by it; undefined when there is nothing to read. */
  stamp: Omit<FileTimeStamp, 'covers'> | undefined
}

/** The same, with what it proves about everything in the file. */
export function weighConstancia(
  bytes: Uint8Array,
  sha256OfFile: Uint8Array,
  policy: VerificationPolicy,
): WeighedConstancia {
  const token = tokenIn(bytes)
  if ('code' in token) return { report: noConstancia(token), stamp: undefined }
  const circumstances = circumstancesOf(token, policy)
  const isSha256 = (digest: DigestName) => digest === 'sha256'
  const facts = verifyTimeStamp(
    token,
    (digest) => (isSha256(digest) ? sha256OfFile : new Uint8Array()),
    {
      certificates: circumstances.candidates,
      issuers: policy.constancias?.issuers ?? [],
    },
  )
  const judgement = judgeTimeStamp(token, facts, {
    kind: 'document',
    provenAt: undefined,
    circumstances,
  })
  return {
    report: reportOf(token, facts, judgement),
    stamp: { token, judgement, certificate: facts.certificate },
  }
}

function tokenIn(bytes: Uint8Array): TimeStampToken | ConstanciaHeadline {
  try {
    const response = readTimeStampResponse(derIn(bytes))
    return response.kind === 'granted' ? response.token : constanciaHeadline('constancia-refused')
  } catch (error) {
    if (error instanceof DerError) return constanciaHeadline('constancia-unreadable')
    throw error
  }
}

/** Some providers hand it out as text. */
function derIn(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === SEQUENCE) return bytes
  const text = latin1(bytes).replace(/-----[^-]*-----|\s/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : bytes
}

const SEQUENCE = 0x30

/** What it is over by its own word; undefined where that is no SHA-256, or nothing can be read. */
export function imprintOfConstancia(bytes: Uint8Array): Uint8Array | undefined {
  const token = tokenIn(bytes)
  if ('code' in token || token.info.digest !== 'sha256') return undefined
  return token.info.imprint
}

/** DER of the certificates that it brings, its issuer's among them; none for what cannot be read. */
export function certificatesInConstancia(bytes: Uint8Array): Uint8Array[] {
  const token = tokenIn(bytes)
  if ('code' in token) return []
  return validationValuesOf(token.signedData).certificates.map(({ der }) => der.slice())
}

function circumstancesOf(
  { signedData }: TimeStampToken,
  policy: VerificationPolicy,
): Circumstances {
  const { certificates, ocsp, crls } = validationValuesOf(signedData)
  const embedded = (der: Uint8Array) => ({ der, source: 'embedded' as const })
  return {
    policy,
    candidates: [...policy.candidates, ...certificates],
    evidence: {
      ocsp: [...ocsp.map(embedded), ...(policy.evidence?.ocsp ?? [])],
      crls: [...crls.map(embedded), ...(policy.evidence?.crls ?? [])],
    },
    // It may come alone, to a thread that has others to answer.
    known: { ...nothingKnown(), checks: signatureChecks(MOST_CHECKS) },
  }
}

function reportOf(
  { info }: TimeStampToken,
  { doesMatch, constancia, isBound, problem }: TimeStampFacts,
  { trust, authority, isVouched, isValid, isProof, reason }: TimeStampJudgement,
): ConstanciaReport {
  const kind = constancia ? 'constancia' : 'timestamp'
  const isFatal = problem !== undefined && info.digest === 'sha256' && FATAL.includes(problem)
  const verdict = isFatal ? 'INVALID' : isProof ? 'VALID' : 'INDETERMINATE'
  const why = whyNot(info, problem, kind) ?? reason
  return {
    kind,
    verdict,
    subIndication: isFatal ? FAILURES[problem]! : trust.subIndication,
    headline: isProof
      ? constanciaHeadline('file-existed', { kind })
      : (why ?? constanciaHeadline('constancia-unreadable')),
    matches: doesMatch,
    valid: isValid,
    trusted: trust.trusted,
    forTesting: trust.forTesting,
    time: toTimestamp(info.time),
    authority,
    vouched: isVouched,
    policy: info.policy,
    serialNumber: info.serial,
    revocation: trust.revocation,
    warnings: [
      ...trust.warnings,
      ...(isValid && !isBound ? [warning('constancia-certificate-not-bound')] : []),
    ],
  }
}

/** Undefined where the judgement of the timestamp says it as well. */
function whyNot(
  { digest, policy }: TstInfo,
  problem: TimeStampProblem | undefined,
  kind: 'constancia' | 'timestamp',
): ConstanciaHeadline | undefined {
  if (digest !== 'sha256') return constanciaHeadline('constancia-digest-unsupported', { kind })
  if (problem === 'imprint-differs') return constanciaHeadline('constancia-of-other-file', { kind })
  if (problem === 'not-for-time-stamping' || problem === 'certificate-not-bound')
    return constanciaHeadline('constancia-policy-unconfirmed', { policy })
  return undefined
}

const FAILURES: Partial<Record<TimeStampProblem, SubIndication>> = {
  'imprint-differs': 'HASH_FAILURE',
  'content-differs': 'HASH_FAILURE',
  'signature-differs': 'SIG_CRYPTO_FAILURE',
}
const FATAL = Object.keys(FAILURES)

const noConstancia = (headline: ConstanciaHeadline): ConstanciaReport => ({
  kind: 'none',
  verdict: 'NOT_A_CONSTANCIA',
  subIndication: 'FORMAT_FAILURE',
  headline,
  matches: false,
  valid: false,
  trusted: false,
  forTesting: false,
  time: null,
  authority: null,
  vouched: false,
  policy: null,
  serialNumber: null,
  revocation: null,
  warnings: [],
})
