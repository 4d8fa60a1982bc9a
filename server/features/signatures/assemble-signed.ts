import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import {
  carriesOwnSignatures,
  type DocumentVersion,
} from '#server/domain/documents/document-version.ts'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { completeIncrement, roomIn } from '#server/domain/signing/complete-increment.ts'
import { signatureTimeStampAttribute } from '#server/domain/timestamp/signature-time-stamps.ts'
import { findPath } from '#server/domain/trust/path.ts'
import { faultOfOwnSignature } from '#server/domain/verification/fault-of-own-signature.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { ReadableFile, StagedBlob } from '#server/ports/blobs.ts'
import type { FileBudget } from '#server/ports/file-budget.ts'
import type { TimestampFailure, TimestampOutcome } from '#server/ports/timestamp-authorities.ts'
import { requestTimestamp, type Stamping } from '#server/steps/signing/request-timestamp.ts'
import type { System } from '#server/system.ts'

export type AssembledSignature = {
  /** The signed file, not visible yet. */
  staged: StagedBlob
  /** Our own verifier's report on it. */
  report: VerificationReport
  /** The version that was signed. */
  base: DocumentVersion
  timestamping: Timestamping
}

/** The authority that gave the timestamp, and those that failed. */
type Timestamping = {
  /** The office's name for the authority; null without a timestamp. */
  by: string | null
  failures: readonly TimestampFailure[]
}

type Verifying = Pick<System, 'pdf' | 'blobs' | 'revocation'>

/** A prepared document with its verified signature value. */
export type CheckedSignature = {
  prepared: PreparedSignature
  /** The version that was prepared for signing. */
  base: DocumentVersion
  office: Office
  certificate: Certificate
  signature: Uint8Array
}

/**
 * Assembles the signed file, with a timestamp where an authority of the office gives one, and verifies it with
 * our own verifier.
 *
 * @throws {Problem} `timestamp-unavailable` when the office requires a timestamp and no authority gives one;
 *   the prepared signature can be retried
 * @throws {Error} when verification fails, which is a bug; nothing is stored
 */
export async function assembleSigned(
  system: Stamping & Verifying & Pick<System, 'trust' | 'clock'>,
  checked: CheckedSignature,
): Promise<AssembledSignature> {
  const { prepared, base, certificate } = checked
  const trusted = await system.trust.policy(system.clock.now(), base.officeId)
  const made = await signedDataFor(system, checked, trusted)
  const increment = completeIncrement(
    { baseLength: prepared.baseLength, bytes: prepared.increment, contents: prepared.contents },
    made.cms,
  )
  const { timestamping, certificates } = made
  const appended = await system.blobs.append(
    { officeId: base.officeId, sha256: prepared.baseSha256 },
    increment,
  )
  try {
    const { file } = appended
    // A timestamp took a while: what was trusted may have changed since.
    const isLate = timestamping.by !== null || timestamping.failures.length > 0
    const current = isLate ? await system.trust.policy(system.clock.now(), base.officeId) : trusted
    const own = { prepared, base, certificate, file, timestamping, certificates, trusted: current }
    const report = await verifyOwn(system, own)
    return { staged: appended.named(Sha256.parse(report.sha256)), report, base, timestamping }
  } catch (error) {
    await appended.discard()
    throw error
  }
}

type MadeSignature = {
  cms: Uint8Array
  timestamping: Timestamping
  /** All certificates in the signature; undefined if a timestamp token brings more. */
  certificates: readonly Uint8Array[] | undefined
}

/** With the chain but without its anchor: a verifier must know the anchor already. */
async function signedDataFor(
  system: Stamping & Pick<System, 'trust' | 'clock'>,
  checked: CheckedSignature,
  trusted: VerificationPolicy,
): Promise<MadeSignature> {
  const { prepared, certificate: signer, signature } = checked
  const { signedAttributes, createdAt } = prepared
  const found = findPath(signer, { ...trusted, at: createdAt })
  const path = found.kind === 'found' ? found.path.slice(0, -1) : []
  const certificates = path.map(({ der }) => der)
  const build = (...unsignedAttributes: Uint8Array[]) =>
    buildSignedData({
      signedAttributes,
      signature,
      signer,
      certificates,
      digestAlgorithm: 'sha256',
      unsignedAttributes,
    })
  const isFitting = (cms: Uint8Array) => cms.length <= roomIn(prepared)
  const stamped = await stampedBy(system, checked, (token) =>
    isFitting(build(signatureTimeStampAttribute(token))),
  )
  const { token, timestamping } = stamped
  if (!token) return { cms: build(), timestamping, certificates: [signer.der, ...certificates] }
  const cms = build(signatureTimeStampAttribute(token))
  return { cms, timestamping, certificates: undefined }
}

type Stamped = { token: Uint8Array | undefined; timestamping: Timestamping }

/**
 * The timestamp that the office's policy requires for this signature.
 *
 * @throws {Problem} `timestamp-unavailable`
 */
async function stampedBy(
  system: Stamping & Pick<System, 'trust' | 'clock'>,
  { prepared: { documentId }, office, signature }: CheckedSignature,
  isFitting: (token: Uint8Array) => boolean,
): Promise<Stamped> {
  if (office.timestampPolicy === 'none')
    return { token: undefined, timestamping: { by: null, failures: [] } }
  const digest = Buffer.from(sha256(signature), 'hex')
  const policy = await system.trust.policy(system.clock.now(), office.id)
  const outcome = await requestTimestamp(system, office, digest, policy)
  if (outcome.kind === 'stamped' && isFitting(outcome.token)) {
    const { token, by, failures } = outcome
    return { token, timestamping: { by, failures } }
  }
  const failures = outcome.kind === 'stamped' ? withTooLong(outcome) : outcome.failures
  if (office.timestampPolicy === 'required')
    throw new Problem('timestamp-unavailable', `${documentId}: ${JSON.stringify(failures)}`)
  return { token: undefined, timestamping: { by: null, failures } }
}

const withTooLong = ({ byId, by, failures }: TimestampOutcome & { kind: 'stamped' }) => [
  ...failures,
  { id: byId, name: by, reason: 'too long', isSilent: false },
]

async function verifyOwn(
  system: Verifying,
  made: Pick<AssembledSignature, 'base' | 'timestamping'> & {
    prepared: PreparedSignature
    file: ReadableFile
    certificate: Certificate
    certificates: readonly Uint8Array[] | undefined
    trusted: VerificationPolicy
  },
): Promise<VerificationReport> {
  const { pdf, blobs, revocation } = system
  const { prepared, base, certificate, file, timestamping, trusted } = made
  const hadSignatures = carriesOwnSignatures(base) || base.signaturesBrought > 0
  // If the file has no other signature, its certificates are known without reading it.
  const own = hadSignatures ? undefined : made.certificates
  const budget: FileBudget = {}
  const evidence = own
    ? await revocation.answersAbout(own, trusted)
    : await revocation.answersTo(await pdf.questions(file, trusted, { budget }), trusted, {
        budget,
      })
  const policy = { ...trusted, evidence }
  const before = hadSignatures
    ? await blobs.withFile(base, (signed) => pdf.verify(signed, base.fileName, policy))
    : undefined
  const report = await pdf.verify(file, base.fileName, policy, { budget })
  const fault =
    faultOfOwnSignature(report, {
      field: prepared.fieldName,
      certificateSha256: sha256(certificate.der),
      before,
    }) ?? faultOfTimestamp(report, prepared.fieldName, timestamping)
  if (fault) throw new Error(`own signature of ${prepared.documentId} does not pass: ${fault}`)
  return report
}

function faultOfTimestamp(report: VerificationReport, field: string, { by }: Timestamping) {
  const own = report.signatures.find((one) => one.field === field)
  return by !== null && own?.level === 'B-B' ? `the timestamp of ${by} does not count` : undefined
}
