import { listNamedVersions } from '#server/db/documents/document-versions.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { RejectionFacts } from '#server/domain/efirma/rejection-statement.ts'
import type { InvitedGuest } from '#server/steps/signing/find-guest.ts'

/** The facts of the statement with which this external signer rejects. */
export async function findRejectionFacts(
  db: Reader,
  { ceremony, signer, office }: InvitedGuest,
): Promise<RejectionFacts> {
  const { session, documents } = ceremony
  const bases = documents.flatMap(({ id: documentId, baseVersion: version }) =>
    version === null ? [] : [{ documentId, version }],
  )
  const versions = await listNamedVersions(db, bases)
  const digests = new Map(versions.map(({ documentId, sha256 }) => [documentId, sha256]))
  return {
    office: office.name,
    session: { id: session.id, title: session.title },
    signer: { name: signer.name, rfc: signer.rfc },
    documents: documents.map(({ id }) => {
      const sha256 = digests.get(id)
      if (!sha256) throw new Error(`${session.id} was opened without a version of ${id}`)
      return { id, sha256 }
    }),
  }
}
