import { readFileSync } from 'node:fs'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { insertConstanciaRequest } from '#server/db/trust/constancias.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { System } from '#server/system.ts'
import { actorFor, userFor } from './demo-actor.ts'
import type { DemoFiles } from './demo-files.ts'
import { findSample } from './find-sample.ts'
import { renderSampleDeed, type SampleDeed } from './sample-deed.ts'
import { SAMPLE_DEEDS } from './sample-deeds.ts'

/**
 * Documents of the demo office, brought in and signed by its people through the use cases that the pages
 * use. Begun anew for what is missing when an earlier start was interrupted.
 */
export async function seedDocuments(
  system: System,
  files: DemoFiles,
  users: readonly User[],
): Promise<void> {
  const clerk = actorFor(system, users, 'auxiliar')
  for (const deed of SAMPLE_DEEDS) {
    const known = await findSample(system, clerk, deed.title)
    const { id, state } = known ?? (await bringIn(system, clerk, deed))
    // A second run finds it signed and archived.
    if (state === 'signed') continue
    // A document that one person signed is complete.
    if (state === 'draft' && deed.signers.length > 1) await openForSigners(system, users, deed, id)
    const made = await listSignatures(system.db, id)
    const missing = deed.signers.slice(made.length)
    for (const slug of missing) {
      const efirma = files.efirmas.get(slug)
      const document = await findDocument(system.db, id)
      if (!efirma || !document) throw new Error(`no e.firma for ${slug}, or nothing to sign`)
      const outcome = await signOnServer(system, actorFor(system, users, slug), {
        documentId: id,
        version: document.version,
        certificate: new Uint8Array(readFileSync(efirma.cer)),
        privateKey: new Uint8Array(readFileSync(efirma.key)),
        password: efirma.keyPassword,
        consent: true,
      })
      if (outcome.kind !== 'signed')
        throw new Error(`${slug} could not sign: ${JSON.stringify(outcome.sentences)}`)
    }
    if (missing.length > 0) await requestMissingConstancia(system, id)
  }
}

/** Opens a session in which the people of the deed sign one after the other. */
export async function openForSigners(
  system: System,
  users: readonly User[],
  { title, signers }: Pick<(typeof SAMPLE_DEEDS)[number], 'title' | 'signers'>,
  documentId: DocumentId,
): Promise<void> {
  const clerk = actorFor(system, users, 'auxiliar')
  const asked = signers.map((slug, index) => ({
    kind: 'user',
    userId: userFor(users, slug).id,
    character: null,
    step: index + 1,
  }))
  const input = { title, message: null, deadline: null, documentIds: [documentId], signers: asked }
  const { id } = await createSigningSession(system, clerk, CreateSigningSession.parse(input))
  await openSigningSession(system, clerk, { signingSessionId: id })
}

const bringIn = (system: System, clerk: Actor, deed: SampleDeed) =>
  uploadDocument(system, clerk, {
    title: deed.title,
    kind: deed.kind,
    instrument: deed.instrument ? Instrument.parse(deed.instrument) : null,
    fileName: `${deed.title}.pdf`,
    content: [renderSampleDeed(deed)],
  })

/** As the policy of the demo office has it; the job fetches it as soon as the provider of the demo answers. */
async function requestMissingConstancia({ db, clock }: System, id: DocumentId): Promise<void> {
  const document = await findDocument(db, id)
  const version = document && (await findVersion(db, id, document.version))
  if (!version) throw new Error(`the demo lost ${id}`)
  const { officeId } = document
  const { sha256, version: number } = version
  const wanted = { officeId, documentId: id, version: number, sha256, by: null, at: clock.now() }
  await db.transaction((trx) => insertConstanciaRequest(trx, wanted))
}
