import { listVersions } from '#server/db/documents/document-versions.ts'
import { listPictureConsents } from '#server/db/documents/picture-consents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import {
  type PictureConsent,
  partiesWithoutConsent,
} from '#server/domain/documents/public-pictures.ts'

export type PictureConsents = {
  /** Of the file: each party that signed it here. */
  signatures: DocumentSignature[]
  consents: PictureConsent[]
  missing: DocumentSignature[]
  /** False for a file that has signatures of parties who cannot be asked here, or none. */
  canBeAsked: boolean
}

/** Who signed a version of a document, and who of them consents to pictures of its pages. */
export async function findPictureConsents(
  db: Reader,
  { id }: Pick<Document, 'id'>,
  { version }: Pick<DocumentVersion, 'version'>,
): Promise<PictureConsents> {
  const earlier = (await listVersions(db, id)).filter((one) => one.version <= version)
  const restored = earlier.filter(({ cause }) => cause === 'restored')
  // Signatures before the newest of these are not in the file.
  const begin = Math.max(0, ...restored.map((one) => one.version))
  const signatures = (await listSignatures(db, id)).filter(
    (signature) => signature.version > begin && signature.version <= version,
  )
  const consents = await listPictureConsents(db, id)
  return {
    ...{ signatures, consents, missing: partiesWithoutConsent(signatures, consents) },
    canBeAsked:
      signatures.length > 0 && earlier.every(({ signaturesBrought }) => signaturesBrought === 0),
  }
}

/** Whether the public sees pictures of a complete version: it does not after a further signer who did not consent. */
export async function arePicturesPublic(
  db: Reader,
  document: Document,
  completed: Pick<DocumentVersion, 'version'>,
): Promise<boolean> {
  if (document.publicLookup.state === 'off' || document.publicPictures.state === 'off') return false
  const { missing, canBeAsked } = await findPictureConsents(db, document, completed)
  return canBeAsked && missing.length === 0
}
