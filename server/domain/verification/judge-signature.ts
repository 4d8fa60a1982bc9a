import { isBrokenDigest } from '../certificates/digest-algorithm.ts'
import { type SignerFacts as CmsFacts, verifySigner } from '../cms/verify-signer.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { Certificate } from '../efirma/certificate.ts'
import { displayName } from '../efirma/name.ts'
import { decodeDate } from '../pdf/date-string.ts'
import type { SignatureDictionary } from '../pdf/signature-dictionaries.ts'
import type { CertificationLevel } from '../pdf/signature-permissions.ts'
import { type Instant, toTimestamp } from '../time.ts'
import type { CoverageFacts } from './coverage.ts'
import { judgeTrust, type TrustFacts, type VerificationPolicy } from './judge-trust.ts'
import { worstLevel } from './modification.ts'
import type {
  Change,
  Indication,
  ModificationLevel,
  SignatureReport,
  SignerFacts,
  SubIndication,
} from './report.ts'
import {
  cmsContentDigest,
  commitsToRange,
  printable,
  type ReadContent,
  type SignatureContent,
} from './signature-content.ts'

/** All that was read about one signature before it is judged. */
export type SignatureEvidence = {
  dictionary: SignatureDictionary
  coverage: CoverageFacts
  content: ReadContent
  /** Of the byte range, by the algorithm that the content asks for; absent when it cannot be computed. */
  rangeDigest?: Uint8Array
  /** The bytes of the range, which only a signature without signed attributes needs. */
  rangeBytes?: () => Uint8Array
  changes: readonly Change[]
  /** es-MX: why two programs might see two signatures, or one of them none. */
  doubts: readonly string[]
  /** es-MX: what is odd about where and how it stands in the file, and harmless. */
  oddities: readonly string[]
}

type Judgement = { indication: Indication; subIndication: SubIndication | null; reason?: string }

/** The report about one signature; the first row of the table of the contract that holds decides. */
export function judgeSignature(
  evidence: SignatureEvidence,
  policy: VerificationPolicy,
): SignatureReport {
  const { dictionary, coverage, content, changes } = evidence
  const isTimestamp = dictionary.subFilter === 'ETSI.RFC3161'
  const read = content.kind === 'read' ? content.content : undefined
  const cms = read && evidence.rangeDigest && verifyContent(read, evidence.rangeDigest, evidence)
  const isIntact = Boolean(cms?.isIntact && commitsToRange(read!, evidence.rangeDigest!))
  const claimedTime = claimedTimeOf(dictionary, read)
  const trust =
    cms?.certificate &&
    judgeTrust(cms.certificate, policy, {
      candidates: read!.signedData.certificates,
      claimedTime,
    })
  const modification = worstLevel(changes)
  const { indication, subIndication, reason } = judge({
    content,
    coverage,
    cms,
    isIntact,
    trust,
    isWeak: Boolean(cms?.isWeak || (read?.rangeDigest && isBrokenDigest(read.rangeDigest))),
    modification,
    allowed: allowedChanges(dictionary),
    requiresBinding: dictionary.subFilter === 'ETSI.CAdES.detached',
    doubts: evidence.doubts,
  })
  const isFuture = claimedTime !== undefined && claimedTime > policy.at
  const warnings = [
    ...(reason ? [reason] : []),
    ...(trust?.warnings ?? []),
    ...evidence.doubts,
    ...evidence.oddities,
    ...(isFuture ? ['La fecha que declara la firma está en el futuro.'] : []),
  ]
  return {
    field: harmless(dictionary.fieldNames[0] ?? ''),
    kind: isTimestamp ? 'document-timestamp' : 'signature',
    subFilter: printable(dictionary.subFilter),
    level: dictionary.subFilter === 'ETSI.CAdES.detached' && cms ? levelOf(cms) : 'NOT_PADES',
    indication,
    subIndication,
    intact: isIntact,
    valid: cms?.isValid ?? false,
    trusted: trust?.trusted ?? false,
    forTesting: trust?.forTesting ?? false,
    coverage: coverage.coverage,
    modification,
    docMdp: docMdpOf(dictionary, modification),
    changes: [...changes],
    signer: cms?.certificate ? signerOf(cms.certificate) : null,
    claimedTime: claimedTime === undefined ? null : toTimestamp(claimedTime),
    provenTime: null,
    timestamps: isTimestamp ? [timestampOf(read, isIntact, cms)] : [],
    revocation: {
      status: 'unknown',
      source: null,
      checkedAt: null,
      revokedAt: null,
      reason: null,
    },
    algorithms: cms ? algorithmsOf(cms) : null,
    warnings: [...new Set(warnings)],
  }
}

const LONGEST_NAME = 2000

/** A field by its whole name, because fields are told apart by it, without what would steer a screen. */
const harmless = (name: string) =>
  name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '·').slice(0, LONGEST_NAME) || 'sin nombre'

function verifyContent(
  content: SignatureContent,
  rangeDigest: Uint8Array,
  { rangeBytes }: SignatureEvidence,
): CmsFacts {
  const needsBytes = content.signer.signedAttributes === undefined
  const bytes = needsBytes ? (content.signedData.content ?? rangeBytes?.()) : undefined
  return verifySigner(content.signedData, content.signer, {
    contentDigest: cmsContentDigest(content, rangeDigest),
    ...(bytes && { content: bytes }),
  })
}

type Facts = {
  content: ReadContent
  coverage: CoverageFacts
  cms: CmsFacts | undefined
  isIntact: boolean
  isWeak: boolean
  trust: TrustFacts | undefined
  modification: ModificationLevel
  /** Undefined when the signature says nothing about later changes. */
  allowed: CertificationLevel | undefined
  requiresBinding: boolean
  doubts: readonly string[]
}

/** @see ETSI EN 319 102-1 V1.3.1, 5.1.3 and 5.3 */
function judge(facts: Facts): Judgement {
  return failureOf(facts) ?? doubtOf(facts) ?? { indication: 'TOTAL_PASSED', subIndication: null }
}

/** What makes a signature INVALID, the first that holds. */
function failureOf({ content, coverage, cms, ...facts }: Facts): Judgement | undefined {
  if (content.kind === 'refused' || content.kind === 'empty')
    return failed('FORMAT_FAILURE', content.reason)
  if (coverage.coverage === 'UNCLEAR') return failed('FORMAT_FAILURE', coverage.reason)
  if (
    cms &&
    (cms.problems.includes('message-digest-differs') || (hasCertificate(cms) && !facts.isIntact))
  )
    return failed('HASH_FAILURE', 'Lo firmado no es lo que contiene el archivo: fue modificado.')
  if (cms && hasCertificate(cms)) {
    if (!cms.isValid) return failed('SIG_CRYPTO_FAILURE', invalidReason(cms))
    if (cms.problems.some((problem) => FORMAT_PROBLEMS.has(problem)))
      return failed('FORMAT_FAILURE', 'Los atributos firmados no cumplen el formato.')
  }
  if (facts.modification === 'OTHER' || !isAllowed(facts.modification, facts.allowed))
    return failed('SIG_CONSTRAINTS_FAILURE', 'El documento fue modificado después de esta firma.')
  return undefined
}

/** What leaves a signature INDETERMINATE, the first that holds. */
function doubtOf({ content, cms, trust, ...facts }: Facts): Judgement | undefined {
  if (facts.modification === 'ANNOTATIONS' && facts.allowed !== 3)
    return undecided('SIG_CONSTRAINTS_FAILURE', 'Se agregaron anotaciones después de esta firma.')
  if (facts.doubts.length > 0) return undecided('SIG_CONSTRAINTS_FAILURE', facts.doubts[0])
  if (content.kind === 'unsupported') return undecided('SIG_CONSTRAINTS_FAILURE', content.reason)
  if (!cms) return undecided('CRYPTO_CONSTRAINTS_FAILURE', 'Se usó un algoritmo desconocido.')
  if (!trust || !hasCertificate(cms))
    return undecided(
      'NO_SIGNING_CERTIFICATE_FOUND',
      'La firma no trae el certificado del firmante: no se puede comprobar.',
    )
  if (facts.isWeak)
    return undecided('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'Se firmó con un algoritmo débil.')
  if (facts.requiresBinding && cms.certificateBinding === 'absent')
    return undecided('SIG_CONSTRAINTS_FAILURE', 'La firma no dice con qué certificado se hizo.')
  if (trust.subIndication) return undecided(trust.subIndication)
  return undefined
}

const FORMAT_PROBLEMS: ReadonlySet<CmsFacts['problems'][number]> = new Set([
  'message-digest-missing',
  'content-type-missing',
  'content-type-differs',
  'attribute-ambiguous',
  'signing-certificate-differs',
  'signed-attributes-missing',
  'malformed',
])

/** Without it nothing can be said about a signature: nobody knows its key. */
const hasCertificate = ({ problems }: CmsFacts) => !problems.includes('signer-certificate-missing')

function invalidReason({ problems }: CmsFacts): string {
  if (problems.includes('signature-algorithm-unsupported'))
    return 'El algoritmo de la firma no se admite.'
  return 'La firma no corresponde al certificado del firmante.'
}

const failed = (subIndication: SubIndication, reason?: string): Judgement => ({
  indication: 'TOTAL_FAILED',
  subIndication,
  ...(reason && { reason }),
})

const undecided = (subIndication: SubIndication, reason?: string): Judgement => ({
  indication: 'INDETERMINATE',
  subIndication,
  ...(reason && { reason }),
})

/** B-B wants the signing certificate bound; timestamps raise the level once they are judged. */
function levelOf({ certificateBinding, isValid }: CmsFacts): SignatureReport['level'] {
  return isValid && certificateBinding === 'matches' ? 'B-B' : 'NOT_PADES'
}

/** The time that the signer states: /M, or the genTime of a timestamp. */
function claimedTimeOf(
  dictionary: SignatureDictionary,
  content: SignatureContent | undefined,
): Instant | undefined {
  if (content?.tstInfo) return content.tstInfo.time
  return dictionary.signingTime === undefined ? undefined : decodeDate(dictionary.signingTime)
}

/** The strictest word of the signature about later changes: its certification or its lock. */
function allowedChanges({ references }: SignatureDictionary): CertificationLevel | undefined {
  const levels = references.flatMap((reference): CertificationLevel[] => {
    if (reference.method === 'DocMDP') return [reference.level]
    const level = reference.method === 'FieldMDP' ? reference.lock.level : undefined
    return level ? [level] : []
  })
  return levels.sort()[0]
}

const ALLOWED = { 1: 'LTA_UPDATES', 2: 'FORM_FILLING', 3: 'ANNOTATIONS' } as const

function isAllowed(
  modification: ModificationLevel,
  allowed: CertificationLevel | undefined,
): boolean {
  if (allowed === undefined) return true
  return worstLevel([{ level: modification }, { level: ALLOWED[allowed] }]) === ALLOWED[allowed]
}

function docMdpOf(
  { references }: SignatureDictionary,
  modification: ModificationLevel,
): SignatureReport['docMdp'] {
  const levels = references.flatMap((one) => (one.method === 'DocMDP' ? [one.level] : []))
  const level = levels.sort()[0]
  return level ? { level, respected: isAllowed(modification, level) } : null
}

function signerOf(certificate: Certificate): SignerFacts {
  return {
    name: certificate.name,
    rfc: certificate.rfc ?? null,
    curp: certificate.curp ?? null,
    certificateNumber: certificate.certificateNumber,
    issuer: displayName(certificate.issuer),
    notBefore: toTimestamp(certificate.notBefore as Instant),
    notAfter: toTimestamp(certificate.notAfter as Instant),
    sha256: sha256(certificate.der),
    kind: certificate.kind,
  }
}

function timestampOf(
  content: SignatureContent | undefined,
  isIntact: boolean,
  cms: CmsFacts | undefined,
): SignatureReport['timestamps'][number] {
  return {
    kind: 'document',
    valid: isIntact && (cms?.isValid ?? false),
    time: content?.tstInfo ? toTimestamp(content.tstInfo.time) : null,
    authority: cms?.certificate?.name ?? null,
  }
}

function algorithmsOf({ digest, signature }: CmsFacts): SignatureReport['algorithms'] {
  const bits = signature?.keyBits ? ` ${signature.keyBits}` : ''
  return {
    digest: digest ?? 'desconocido',
    signature: signature ? `${signature.scheme}${bits}` : 'desconocido',
  }
}
