import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { listSignaturesWith } from '#server/db/documents/signatures.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { listRevocationAnswers } from '#server/db/trust/revocation-answers.ts'
import {
  ID_COMMON_NAME,
  ID_COUNTRY_NAME,
  ID_NAME,
  ID_ORGANIZATION_NAME,
  ID_ORGANIZATIONAL_UNIT_NAME,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type {
  CertificateStanding,
  HeldCertificate,
} from '#server/domain/identity/held-certificate.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { CertificateId, SignatureId, type UserId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { CertificateFacts } from '#server/domain/trust/certificate-facts.ts'
import { listedDocument } from '#server/steps/documents/listed-document.ts'
import type { System } from '#server/system.ts'
import { findReadableCertificate } from './find-readable-certificate.ts'
import { maySeeHolder } from './may-see-holder.ts'
import { withStanding } from './with-standing.ts'

/** Signatures of a page. */
const PAGE = 20

export const ReadCertificate = z.object({
  certificateId: CertificateId,
  /** The `next` of the previous page of signatures. */
  behind: pageCursor(SignatureId).optional(),
})
export type ReadCertificate = z.infer<typeof ReadCertificate>

/** A signature that was made with the certificate, and its document. */
export type SignedWith = Pick<DocumentSignature, 'id' | 'signedAt'> & {
  document: Pick<Document, 'id' | 'folio' | 'title' | 'kind' | 'state'>
}

export type CertificateDetail = {
  certificate: Omit<HeldCertificate, 'der' | 'rfc' | 'curp'>
  standing: CertificateStanding
  /** The user whose it is; null for an external signer. */
  owner: { id: UserId; name: string; hasPage: boolean } | null
  /** Null if the reader may not see the personal data of the holder; then `facts` lack them too. */
  holder: Pick<HeldCertificate, 'rfc' | 'curp'> | null
  facts: CertificateFacts
  /** When the issuer last answered about its revocation; null if no answer is kept. */
  answeredAt: Instant | null
  /** Newest first. */
  signed: SignedWith[]
  /** The `behind` of the next page of signatures; undefined on the last page. */
  next: string | undefined
  timeZone: string
}

/**
 * Everything about one certificate. It is read, and its chain built, in a worker.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `pdf-too-complex`
 */
export async function readCertificate(
  system: System,
  actor: Actor,
  { certificateId, behind }: ReadCertificate,
): Promise<CertificateDetail> {
  const { db, clock, trust, pdf } = system
  const now = clock.now()
  const found = await findReadableCertificate(system, actor, certificateId, now)
  const { der, rfc, curp, ...certificate } = found.certificate
  const office = await findOffice(db, certificate.officeId)
  if (!office) throw new Problem('not-found', `no office ${certificate.officeId}`)
  const [entry] = await withStanding(db, [found.certificate], now)
  if (!entry) throw new Error('a certificate without a standing')
  const facts = await pdf.describeCertificate(der, await trust.policy(now, office.id))
  const isSeen = maySeeHolder(found.person, certificate)
  const mayOpenUsers = isAllowed(found.person.roles, 'users.read')
  return {
    certificate,
    standing: entry.standing,
    owner: certificate.userId && (await ownerOf(db, certificate.userId, mayOpenUsers)),
    holder: isSeen ? { rfc, curp } : null,
    facts: isSeen ? facts : withoutHolder(facts),
    answeredAt: await lastAnswerAbout(db, certificate, facts),
    ...(await signedWith(db, found.person, { certificateId, behind })),
    timeZone: office.timeZone,
  }
}

async function ownerOf(db: Reader, id: UserId, hasPage: boolean) {
  const user = await findUser(db, id)
  return user ? { id, name: fullName(user), hasPage } : null
}

/** The attributes without personal data but the name; authorities write RFC, CURP and addresses into others. */
const SHOWN_TO_ALL = [
  ID_COMMON_NAME,
  ID_NAME,
  ID_ORGANIZATION_NAME,
  ID_ORGANIZATIONAL_UNIT_NAME,
  ID_COUNTRY_NAME,
]

const withoutHolder = (facts: CertificateFacts): CertificateFacts => ({
  ...facts,
  subject: facts.subject.filter(({ oid }) => SHOWN_TO_ALL.includes(oid)),
  representative: null,
})

async function lastAnswerAbout(
  db: Reader,
  { sha256 }: Pick<HeldCertificate, 'sha256'>,
  { chain }: CertificateFacts,
): Promise<Instant | null> {
  const issuer = chain.kind === 'found' ? chain.authorities[0] : undefined
  if (!issuer) return null
  const about = { certificate: sha256, issuer: issuer.sha256 }
  const [newest] = await listRevocationAnswers(db, about)
  return newest?.fetchedAt ?? null
}

async function signedWith(
  db: Reader,
  reader: Person,
  { certificateId, behind }: ReadCertificate,
): Promise<Pick<CertificateDetail, 'signed' | 'next'>> {
  const found = await listSignaturesWith(db, { certificateId, behind, limit: PAGE + 1 })
  const shown = found.slice(0, PAGE)
  const documents = await findDocuments(
    db,
    shown.map(({ documentId }) => documentId),
  )
  const last = found.length > PAGE ? shown.at(-1) : undefined
  return {
    signed: shown.flatMap(({ id, signedAt, documentId }) => {
      const document = documents.get(documentId)
      return document ? [{ id, signedAt, document: listedDocument(reader, document) }] : []
    }),
    next: last && cursorText({ at: last.signedAt, id: last.id }),
  }
}
