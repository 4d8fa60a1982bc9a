import { findVersion } from '#server/db/document-versions.ts'
import { findPath } from '#server/domain/certificates/path.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { Certificate } from '#server/domain/efirma/certificate.ts'
import { completeIncrement } from '#server/domain/signing/complete-signature.ts'
import { faultOfOwnSignature } from '#server/domain/verification/fault-of-own-signature.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { StagedBlob, System } from '#server/system.ts'

export type AssembledSignature = {
  /** The signed file, which nobody can see yet. */
  staged: StagedBlob
  /** What our own verifier says of it. */
  report: VerificationReport
  /** The version that was signed. */
  base: DocumentVersion
}

/**
 * The signed file as our own verifier passed it.
 *
 * @throws {Error} when it did not pass, which is a bug; nothing stays behind
 */
export async function assembleSigned(
  system: System,
  prepared: PreparedSignature,
  certificate: Certificate,
  signature: Uint8Array,
): Promise<AssembledSignature> {
  const base = await findVersion(system.db, prepared.documentId, prepared.version)
  if (!base) throw new Error(`${prepared.documentId} has no version ${prepared.version}`)
  const cms = await signedDataFor(system, prepared, certificate, signature)
  const increment = completeIncrement(
    { baseLength: prepared.baseLength, bytes: prepared.increment, contents: prepared.contents },
    cms,
  )
  const staged = await system.blobs.stage(
    withIncrement(system, prepared, increment),
    prepared.baseLength + increment.length,
  )
  try {
    const report = await verifyOwn(system, prepared, base, certificate, staged)
    return { staged, report, base }
  } catch (error) {
    await staged.discard()
    throw error
  }
}

/** With the way to the anchor, but without the anchor: whoever verifies has to know that one already. */
async function signedDataFor(
  { trust }: System,
  prepared: PreparedSignature,
  signer: Certificate,
  signature: Uint8Array,
): Promise<Uint8Array> {
  const { signedAttributes, createdAt } = prepared
  const found = findPath(signer, await trust.policy(createdAt))
  const path = found.kind === 'found' ? found.path.slice(0, -1) : []
  const certificates = path.map(({ der }) => der)
  return buildSignedData({
    signedAttributes,
    signature,
    signer,
    certificates,
    digestAlgorithm: 'sha256',
  })
}

async function* withIncrement(
  { blobs }: System,
  { baseSha256, baseLength }: PreparedSignature,
  increment: Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of blobs.stream(baseSha256, 0, baseLength)) yield chunk
  yield increment
}

async function verifyOwn(
  system: System,
  prepared: PreparedSignature,
  base: DocumentVersion,
  certificate: Certificate,
  staged: StagedBlob,
): Promise<VerificationReport> {
  const { pdf, blobs, clock, trust, revocation } = system
  const trusted = await trust.policy(clock.now())
  const evidence = await revocation.answersAbout(await pdf.certificates(staged.path), trusted)
  const policy = { ...trusted, evidence }
  const hadSignatures = base.cause === 'signed' || base.signaturesBrought > 0
  const before = hadSignatures
    ? await blobs.withFile(base.sha256, (path) => pdf.verify(path, base.fileName, policy))
    : undefined
  const report = await pdf.verify(staged.path, base.fileName, policy)
  const fault = faultOfOwnSignature(report, {
    field: prepared.fieldName,
    certificateSha256: sha256(certificate.der),
    before,
  })
  if (fault) throw new Error(`own signature of ${prepared.documentId} does not pass: ${fault}`)
  return report
}
