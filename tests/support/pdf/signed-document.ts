import { randomBytes, randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Document } from '#server/domain/documents/document.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { verificationCodeFrom } from '#server/domain/documents/verification-code.ts'
import { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, before, days, type Instant } from '#server/domain/time.ts'
import { headline } from '#server/domain/verification/codes/headline-codes.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'

export function aDocument(
  author: Pick<User, 'id' | 'officeId'>,
  changes: Partial<Record<keyof Document, unknown>> = {},
): Document {
  return Document.parse({
    id: randomUUID(),
    officeId: author.officeId,
    folio: '2026-000001',
    verificationCode: verificationCodeFrom(randomBytes(10)),
    kind: 'act',
    title: 'Acta de fe de hechos',
    instrument: null,
    state: 'draft',
    stateSince: MORNING,
    stateBy: author.id,
    version: 1,
    createdAt: MORNING,
    createdBy: author.id,
    publicLookup: { state: 'on', since: MORNING, by: null },
    publicPictures: { state: 'off', since: MORNING, by: null },
    stampChoice: null,
    purged: null,
    blockedAt: null,
    ...changes,
  } satisfies Record<keyof Document, unknown>)
}

export function aVersion(document: Document, version = 1, at: Instant = MORNING): DocumentVersion {
  return DocumentVersion.parse({
    documentId: document.id,
    officeId: document.officeId,
    version,
    sha256: sha256(`${document.id} ${version}`),
    bytes: 1000 + version,
    pages: 3,
    cause: version === 1 ? 'uploaded' : 'signed',
    by: document.createdBy,
    signer: null,
    at,
    fileName: 'acta.pdf',
    signaturesBrought: 0,
  } satisfies Record<keyof DocumentVersion, unknown>)
}

export function aCertificate(
  user: User,
  changes: Partial<Record<keyof HeldCertificate, unknown>> = {},
): HeldCertificate {
  const der = new Uint8Array(randomBytes(40))
  return HeldCertificate.parse({
    id: randomUUID(),
    officeId: user.officeId,
    der,
    sha256: sha256(der),
    kind: 'efirma-natural',
    rfc: user.rfc,
    curp: user.curp,
    name: 'XIMENA CAÑEDO ÍÑIGUEZ',
    number: '30001000000500003416',
    issuer: 'AC de prueba',
    notBefore: before(MORNING, days(100)),
    notAfter: after(MORNING, days(1000)),
    userId: user.id,
    firstSeenAt: MORNING,
    provenance: 'real',
    ...changes,
  } satisfies Record<keyof HeldCertificate, unknown>)
}

/** A report for tests that only store and return it. */
export const someReport: VerificationReport = {
  file: 'acta.pdf',
  sha256: sha256('acta.pdf'),
  bytes: 1002,
  pages: 3,
  encrypted: false,
  verdict: 'VALID',
  headline: headline('signed-and-intact'),
  signatures: [],
  warnings: [],
}

/** A document with two versions and one signature, as rows without files, in a new office. */
export async function aSignedDocument(
  db: Database,
  changes: Parameters<typeof storedOffice>[1] = {},
): Promise<{
  office: Office
  author: User
  document: Document
  certificate: HeldCertificate
  signature: DocumentSignature
}> {
  const office = await storedOffice(db, changes)
  const author = await storedUser(db, office)
  const draft = aDocument(author)
  const document: Document = { ...draft, state: 'signed', version: 2 }
  const certificate = aCertificate(author)
  const signature = DocumentSignature.parse({
    id: randomUUID(),
    documentId: draft.id,
    version: 2,
    field: 'Firma1',
    certificateId: certificate.id,
    userId: author.id,
    signerId: null,
    character: { kind: 'notarial', capacity: 'titular' },
    method: 'browser',
    level: 'B-B',
    signedAt: MORNING,
  } satisfies Record<keyof DocumentSignature, unknown>)
  await db.transaction(async (trx) => {
    await insertDocument(trx, draft)
    await insertVersion(trx, aVersion(draft))
    await insertCertificate(trx, certificate)
    await insertVersion(trx, aVersion(draft, 2))
    await insertSignature(trx, { ...signature, report: someReport })
    await replaceDocument(trx, draft, document)
    await appendEvent(trx, {
      actor: asPerson(author),
      at: MORNING,
      action: 'document.signed',
      subject: { kind: 'document', id: document.id },
    })
  })
  return { office, author, document, certificate, signature }
}
