import type { DigestName } from '../certificates/digest-algorithm.ts'
import { validationValuesOf } from '../cms/validation-values.ts'
import { DerError } from '../efirma/der.ts'
import { type Instant, toTimestamp } from '../time.ts'
import { readTimeStampResponse } from '../timestamp/time-stamp-response.ts'
import type { TimeStampToken } from '../timestamp/time-stamp-token.ts'
import type { TstInfo } from '../timestamp/tst-info.ts'
import {
  type TimeStampFacts,
  type TimeStampProblem,
  verifyTimeStamp,
} from '../timestamp/verify-time-stamp.ts'
import { type Circumstances, nothingKnown } from './circumstances.ts'
import { judgeTimeStamp, type TimeStampJudgement } from './judge-time-stamp.ts'
import type { RevocationFacts, SubIndication } from './report.ts'
import type { VerificationPolicy } from './verification-policy.ts'

/** What is said about a constancia that lies beside a file. Plain JSON values; times are RFC 3339 in UTC. */
export type ConstanciaReport = {
  /** `timestamp`: of an authority that gives timestamps, but is not known to give constancias. */
  kind: 'constancia' | 'timestamp' | 'none'
  verdict: 'VALID' | 'INDETERMINATE' | 'INVALID' | 'NOT_A_CONSTANCIA'
  subIndication: SubIndication | null
  /** es-MX, for people. */
  sentence: string
  /** It is over the file that was shown with it. */
  matches: boolean
  valid: boolean
  trusted: boolean
  forTesting: boolean
  /** Since when the file is proven to exist. */
  time: string | null
  authority: string | null
  /** Dotted decimal of the rules under which the authority works. */
  policy: string | null
  serialNumber: string | null
  revocation: RevocationFacts | null
  /** es-MX. */
  warnings: string[]
}

/**
 * What a constancia of conservation, or any timestamp beside a file, says about the file. Providers hand out
 * the whole response or the token alone. Never throws for what the bytes hold.
 *
 * @param bytes DER of a TimeStampResp or of its token
 * @param sha256OfFile of exactly the bytes that were preserved
 * @see NOM-151-SCFI-2016; RFC 3161, 2.4.2
 */
export function judgeConstancia(
  bytes: Uint8Array,
  sha256OfFile: Uint8Array,
  policy: VerificationPolicy,
): ConstanciaReport {
  const token = tokenIn(bytes)
  if (typeof token === 'string') return noConstancia(token)
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
  return reportOf(token, facts, judgement)
}

function tokenIn(bytes: Uint8Array): TimeStampToken | string {
  try {
    const response = readTimeStampResponse(bytes)
    return response.kind === 'granted'
      ? response.token
      : 'La autoridad no otorgó la constancia: esta es su negativa.'
  } catch (error) {
    if (error instanceof DerError) return 'El archivo no es una constancia que se pueda leer.'
    throw error
  }
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
    known: nothingKnown(),
  }
}

function reportOf(
  { info }: TimeStampToken,
  { doesMatch, constancia, isBound, problem }: TimeStampFacts,
  { trust, authority, isValid, isProof, reason }: TimeStampJudgement,
): ConstanciaReport {
  const noun = constancia ? 'La constancia' : 'El sello de tiempo'
  const isFatal = problem !== undefined && info.digest === 'sha256' && FATAL.includes(problem)
  const verdict = isFatal ? 'INVALID' : isProof ? 'VALID' : 'INDETERMINATE'
  const why = whyNot(info, problem, noun) ?? reason
  return {
    kind: constancia ? 'constancia' : 'timestamp',
    verdict,
    subIndication: isFatal ? FAILURES[problem]! : trust.subIndication,
    sentence: isProof ? `${noun} prueba que el archivo existía en su fecha.` : (why ?? noun),
    matches: doesMatch,
    valid: isValid,
    trusted: trust.trusted,
    forTesting: trust.forTesting,
    time: toTimestamp(info.time as Instant),
    authority,
    policy: info.policy,
    serialNumber: info.serial,
    revocation: trust.revocation,
    warnings: [
      ...trust.warnings,
      ...(isValid && !isBound
        ? ['La constancia no nombra con exactitud el certificado con el que se firmó.']
        : []),
    ],
  }
}

/** es-MX; undefined where the judgement of the timestamp says it as well. */
function whyNot(
  { digest, policy }: TstInfo,
  problem: TimeStampProblem | undefined,
  noun: string,
): string | undefined {
  if (digest !== 'sha256')
    return `${noun} no es sobre una huella SHA-256, y con otra no se puede comparar aquí.`
  if (problem === 'imprint-differs') return `${noun} es de otro archivo.`
  if (problem === 'not-for-time-stamping' || problem === 'certificate-not-bound')
    return `Nadie ha confirmado quién emite constancias bajo la política ${policy}.`
  return undefined
}

const FAILURES: Partial<Record<TimeStampProblem, SubIndication>> = {
  'imprint-differs': 'HASH_FAILURE',
  'content-differs': 'HASH_FAILURE',
  'signature-differs': 'SIG_CRYPTO_FAILURE',
}
const FATAL = Object.keys(FAILURES)

const noConstancia = (sentence: string): ConstanciaReport => ({
  kind: 'none',
  verdict: 'NOT_A_CONSTANCIA',
  subIndication: 'FORMAT_FAILURE',
  sentence,
  matches: false,
  valid: false,
  trusted: false,
  forTesting: false,
  time: null,
  authority: null,
  policy: null,
  serialNumber: null,
  revocation: null,
  warnings: [],
})
