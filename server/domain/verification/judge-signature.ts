import { type SignerFacts as CmsFacts, verifySigner } from '../cms/verify-signer.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { Certificate } from '../efirma/certificate.ts'
import { displayName } from '../efirma/name.ts'
import { decodeDate } from '../pdf/date-string.ts'
import type { SignatureDictionary } from '../pdf/signature-dictionaries.ts'
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
  /** es-MX: what is odd about where and how it stands in the file. */
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
  const docMdp = docMdpOf(dictionary, modification)
  const { indication, subIndication, reason } = judge({
    content,
    coverage,
    cms,
    isIntact,
    trust,
    modification,
    isAllowed: docMdp?.respected ?? true,
    isCertifiedForAnnotations: docMdp?.level === 3,
    requiresBinding: dictionary.subFilter === 'ETSI.CAdES.detached',
  })
  const isFuture = claimedTime !== undefined && claimedTime > policy.at
  const warnings = [
    ...(reason ? [reason] : []),
    ...(trust?.warnings ?? []),
    ...evidence.oddities,
    ...(isFuture ? ['La fecha que declara la firma está en el futuro.'] : []),
  ]
  return {
    field: printable(dictionary.fieldNames[0] ?? ''),
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
    docMdp,
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
  trust: TrustFacts | undefined
  modification: ModificationLevel
  isAllowed: boolean
  isCertifiedForAnnotations: boolean
  requiresBinding: boolean
}

/** @see ETSI EN 319 102-1 V1.3.1, 5.1.3 and 5.3 */
function judge(facts: Facts): Judgement {
  const { content, coverage, cms, trust } = facts
  if (content.kind === 'refused') return failed('FORMAT_FAILURE', content.reason)
  if (content.kind === 'unsupported') return undecided('SIG_CONSTRAINTS_FAILURE', content.reason)
  if (coverage.coverage === 'UNCLEAR') return failed('FORMAT_FAILURE', coverage.reason)
  if (!cms) return undecided('CRYPTO_CONSTRAINTS_FAILURE', 'Se usó un algoritmo desconocido.')
  if (!facts.isIntact)
    return failed('HASH_FAILURE', 'Lo firmado no es lo que contiene el archivo: fue modificado.')
  if (!cms.isValid) return failed('SIG_CRYPTO_FAILURE', invalidReason(cms))
  const format = cms.problems.find((problem) => FORMAT_PROBLEMS.has(problem))
  if (format) return failed('FORMAT_FAILURE', 'Los atributos firmados no cumplen el formato.')
  if (facts.modification === 'OTHER' || !facts.isAllowed)
    return failed('SIG_CONSTRAINTS_FAILURE', 'El documento fue modificado después de esta firma.')
  if (facts.modification === 'ANNOTATIONS' && !facts.isCertifiedForAnnotations)
    return undecided('SIG_CONSTRAINTS_FAILURE', 'Se agregaron anotaciones después de esta firma.')
  if (cms.signature?.isWeak)
    return undecided('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'Se firmó con un algoritmo débil.')
  if (facts.requiresBinding && cms.certificateBinding === 'absent')
    return undecided('SIG_CONSTRAINTS_FAILURE', 'La firma no dice con qué certificado se hizo.')
  if (!trust) return undecided('NO_SIGNING_CERTIFICATE_FOUND', 'Falta el certificado del firmante.')
  if (trust.subIndication) return undecided(trust.subIndication)
  return { indication: 'TOTAL_PASSED', subIndication: null }
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

function invalidReason({ problems }: CmsFacts): string {
  if (problems.includes('signer-certificate-missing'))
    return 'La firma no trae el certificado del firmante.'
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

function docMdpOf(
  { references }: SignatureDictionary,
  modification: ModificationLevel,
): SignatureReport['docMdp'] {
  const certification = references.find(({ method }) => method === 'DocMDP')
  if (certification?.method !== 'DocMDP') return null
  const { level } = certification
  const allowed = level === 1 ? 'LTA_UPDATES' : level === 2 ? 'FORM_FILLING' : 'ANNOTATIONS'
  return { level, respected: worstLevel([{ level: modification }, { level: allowed }]) === allowed }
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
