import { isBrokenDigest } from '../certificates/digest-algorithm.ts'
import { type SignerFacts as CmsFacts, verifySigner } from '../cms/verify-signer.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { Certificate } from '../efirma/certificate.ts'
import { displayName } from '../efirma/name.ts'
import { decodeDate } from '../pdf/date-string.ts'
import type { SignatureDictionary } from '../pdf/signature-dictionaries.ts'
import { type Instant, toTimestamp } from '../time.ts'
import { allowedChanges, docMdpOf, fieldMdpOf } from './allowed-changes.ts'
import { indicationOf } from './indication.ts'
import { judgeTrust, type VerificationPolicy } from './judge-trust.ts'
import { worstLevel } from './modification.ts'
import { remarksOf } from './remarks.ts'
import type { SignatureReport, SignerFacts } from './report.ts'
import {
  cmsContentDigest,
  commitsToRange,
  printable,
  type SignatureContent,
} from './signature-content.ts'
import type { SignatureEvidence } from './signature-evidence.ts'

/** The report about one signature. */
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
  const { indication, subIndication, reason } = indicationOf({
    content,
    coverage,
    cms,
    isIntact,
    trust,
    isWeak: Boolean(cms?.isWeak || (read?.rangeDigest && isBrokenDigest(read.rangeDigest))),
    modification,
    allowed: allowedChanges(evidence),
    requiresBinding: dictionary.subFilter === 'ETSI.CAdES.detached',
    doubts: evidence.doubts,
  })
  const isFuture = claimedTime !== undefined && claimedTime > policy.at
  const warnings = [
    ...(reason ? [reason] : []),
    ...(trust?.warnings ?? []),
    ...evidence.doubts,
    ...evidence.oddities,
    ...remarksOf(evidence),
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
    docMdp: docMdpOf(evidence, modification),
    fieldMdp: fieldMdpOf(evidence, changes),
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
