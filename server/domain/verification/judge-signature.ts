import { isBoundTo } from '#server/domain/cms/signing-certificate.ts'
import { type SignerFacts as CmsFacts, verifySigner } from '#server/domain/cms/verify-signer.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { fieldLabel } from '#server/domain/text/shown-text.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { displayName } from '#server/domain/x509/name.ts'
import { allowedChanges, docMdpOf, fieldMdpOf } from './allowed-changes.ts'
import { isCovering } from './codes/change-codes.ts'
import { type Warning, warning } from './codes/warning.ts'
import { indicationOf, type Judgement } from './indication.ts'
import { isNameVouchedFor, judgeTrust } from './judge-trust.ts'
import { levelOf } from './level.ts'
import { worstLevel } from './modification.ts'
import type { Proofs } from './proofs.ts'
import type { ReadSignature } from './read-signatures.ts'
import { remarksOf } from './remarks.ts'
import type { SignatureReport, SignerFacts } from './report.ts'
import {
  cmsContentDigest,
  commitsToRange,
  printable,
  type SignatureContent,
} from './signature-content.ts'
import { claimedTimeOf, remarksAboutClaims } from './time/claimed-times.ts'
import type { FileTime, SignatureTime } from './time/judge-time.ts'
import { timestampFactsOf } from './time/timestamp-facts.ts'
import { type TrustFacts, UNKNOWN_REVOCATION } from './trust-facts.ts'
import { isWeakAt } from './weakness.ts'

/** The report about one signature. */
export function judgeSignature(
  evidence: ReadSignature,
  fileTime: FileTime,
  proofs: Proofs,
): SignatureReport {
  const basis = basisOf(evidence, fileTime)
  const judgement = indicationOf(basis)
  return reportOf(basis, {
    ...judgement,
    level: baselineLevelOf(basis, proofs, fileTime),
    warnings: warningsOf(basis, judgement.reason, fileTime),
  })
}

type Basis = ReturnType<typeof basisOf>

/** What the signature, its certificate and its times say; the indication follows from it. */
function basisOf(evidence: ReadSignature, fileTime: FileTime) {
  const { policy } = fileTime.circumstances
  const { dictionary, coverage, content, changes, doubts } = evidence
  const isTimestamp = dictionary.subFilter === 'ETSI.RFC3161'
  const read = content.kind === 'read' ? content.content : undefined
  const cms = read && evidence.rangeDigest && verifyContent(read, evidence.rangeDigest, evidence)
  const claimed = claimedTimeOf({ dictionary, read })
  const time = fileTime.timeOf(evidence)
  const trust = cms && trustIn(cms, { claimed, time, fileTime })
  const used = { signatures: [cms?.signature], digests: [cms?.digest, read?.rangeDigest] }
  return {
    ...{ evidence, isTimestamp, read, cms, claimed, time, trust, content, coverage, doubts },
    isIntact: Boolean(cms?.isIntact && commitsToRange(read!, evidence.rangeDigest!)),
    isVouched: isVouchedFor(cms, trust, isTimestamp ? 'stamping' : 'signing', fileTime),
    isWeak: isWeakAt(used, time.proven ?? policy.at, policy),
    modification: worstLevel(changes),
    allowed: allowedChanges(evidence),
    requiresBinding: dictionary.subFilter === 'ETSI.CAdES.detached',
    mayBeCovered: changes.some(({ code }) => isCovering(code)),
    isWrittenOver: changes.some(({ code }) => code === 'field-writes-over-content'),
  }
}

function warningsOf(
  { evidence, isTimestamp, read, cms, time, trust }: Basis,
  reason: Warning | undefined,
  { circumstances: { policy } }: FileTime,
): Warning[] {
  const claims = { dictionary: evidence.dictionary, read, certificate: cms?.certificate }
  return distinct([
    ...(reason ? [reason] : []),
    ...(trust?.warnings ?? []),
    ...(cms?.certificateBinding === 'matches-by-hash' ? [warning('issuer-misnamed')] : []),
    ...evidence.doubts,
    ...evidence.oddities,
    ...remarksOf(evidence),
    ...remarksAboutClaims(claims, time, policy.at),
    ...(isTimestamp ? [] : reasonsOf(time)),
  ])
}

const baselineLevelOf = (
  { evidence, cms, time }: Basis,
  proofs: Proofs,
  { circumstances }: FileTime,
): SignatureReport['level'] =>
  evidence.dictionary.subFilter === 'ETSI.CAdES.detached' && cms && isBound(cms)
    ? levelOf(cms.certificate!, time, proofs, circumstances)
    : 'NOT_PADES'

function reportOf(
  { evidence, isTimestamp, cms, isIntact, isVouched, claimed, time, trust, modification }: Basis,
  {
    indication,
    subIndication,
    level,
    warnings,
  }: Judgement & Pick<SignatureReport, 'level' | 'warnings'>,
): SignatureReport {
  const { dictionary, isTwofold, coverage, changes } = evidence
  return {
    field: fieldLabel(dictionary.fieldNames[0] ?? ''),
    kind: isTimestamp ? 'document-timestamp' : 'signature',
    subFilter: printable(dictionary.subFilter),
    level,
    indication,
    subIndication,
    intact: isIntact,
    valid: cms?.isValid ?? false,
    trusted: trust?.trusted ?? false,
    forTesting: isForTesting(trust, time),
    coverage: isTwofold ? 'UNCLEAR' : coverage.coverage,
    modification,
    docMdp: docMdpOf(evidence, modification),
    fieldMdp: fieldMdpOf(evidence, changes),
    changes: [...changes],
    signer: cms?.certificate ? signerOf(cms.certificate, isVouched) : null,
    claimedTime: claimed === undefined ? null : toTimestamp(claimed),
    provenTime: time.proven === undefined ? null : toTimestamp(time.proven),
    timestamps: timestampFactsOf(time),
    revocation: trust?.revocation ?? UNKNOWN_REVOCATION,
    algorithms: cms ? algorithmsOf(cms) : null,
    warnings,
  }
}

function verifyContent(
  content: SignatureContent,
  rangeDigest: Uint8Array,
  { rangeBytes }: ReadSignature,
): CmsFacts {
  const needsBytes = content.signer.signedAttributes === undefined
  const bytes = needsBytes ? (content.signedData.content ?? rangeBytes?.()) : undefined
  return verifySigner(content.signedData, content.signer, {
    contentDigest: cmsContentDigest(content, rangeDigest),
    ...(bytes && { content: bytes }),
  })
}

/** B-B, the lowest level, wants the signing certificate inside what is signed. */
const isBound = ({ certificateBinding, isValid }: CmsFacts) =>
  isValid && isBoundTo(certificateBinding)

/** A signer is trusted as of the time that is proven; who gave a timestamp, as its own judgement says. */
function trustIn(
  { certificate }: CmsFacts,
  options: { claimed: Instant | undefined; time: SignatureTime; fileTime: FileTime },
): TrustFacts | undefined {
  const { claimed, time, fileTime } = options
  if (!certificate || time.own) return time.own?.judgement.trust
  return judgeTrust(certificate, { claimed, proven: time.proven }, fileTime.circumstances)
}

/** Whether an authority answers for the name in the certificate, and the certificate's key made the signature. */
const isVouchedFor = (
  cms: CmsFacts | undefined,
  trust: TrustFacts | undefined,
  purpose: 'stamping' | 'signing',
  { circumstances }: FileTime,
): boolean =>
  cms?.isValid === true &&
  trust !== undefined &&
  isNameVouchedFor(cms.certificate!, trust, purpose, circumstances)

const isForTesting = (trust: TrustFacts | undefined, { stamps, beside }: SignatureTime) =>
  trust?.forTesting === true ||
  [...stamps, beside].some((stamp) => stamp?.judgement.isProof && stamp.judgement.trust.forTesting)

const reasonsOf = ({ stamps }: SignatureTime): Warning[] =>
  stamps.flatMap(({ judgement: { reason } }) => (reason ? [reason] : []))

function distinct(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((one) => [JSON.stringify(one), one])).values()]
}

function signerOf(certificate: Certificate, isVouched: boolean): SignerFacts {
  const { rfc, curp, certificateNumber, kind } = satProfileOf(certificate)
  return {
    name: certificate.name,
    rfc,
    curp,
    certificateNumber,
    issuer: displayName(certificate.issuer),
    notBefore: toTimestamp(certificate.notBefore),
    notAfter: toTimestamp(certificate.notAfter),
    sha256: sha256(certificate.der),
    kind,
    vouched: isVouched,
  }
}

function algorithmsOf({ digest, signature }: CmsFacts): SignatureReport['algorithms'] {
  const bits = signature?.keyBits ? ` ${signature.keyBits}` : ''
  return {
    digest: digest ?? 'desconocido',
    signature: signature ? `${signature.scheme}${bits}` : 'desconocido',
  }
}
