import { readFileSync } from 'node:fs'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { insertConstanciaRequest } from '#server/db/trust/constancias.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import type { System } from '#server/system.ts'
import { actorFor } from './demo-actor.ts'
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
    const { id, version } = known ?? (await bringIn(system, clerk, deed))
    // A second run finds it signed and archived.
    const missing = [...deed.signers.entries()].slice(version - 1)
    for (const [index, slug] of missing) {
      const efirma = files.efirmas.get(slug)
      if (!efirma) throw new Error(`no e.firma for ${slug}`)
      const outcome = await signOnServer(system, actorFor(system, users, slug), {
        documentId: id,
        version: index + 1,
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
