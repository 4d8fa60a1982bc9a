import { readFileSync } from 'node:fs'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { System } from '#server/system.ts'
import { askedFrom } from './asked-signer.ts'
import { actorFor } from './demo-actor.ts'
import type { DemoFiles } from './demo-files.ts'
import { findSample } from './find-sample.ts'
import { renderSampleDeed } from './sample-deed.ts'
import { SAMPLE_SESSIONS, type SampleSession } from './sample-sessions.ts'

/**
 * Signing sessions of the demo office, through the use cases that the pages use. Begun anew for what is
 * missing when an earlier start was interrupted.
 */
export async function seedSessions(
  system: System,
  files: DemoFiles,
  users: readonly User[],
): Promise<void> {
  const clerk = actorFor(system, users, 'auxiliar')
  for (const sample of SAMPLE_SESSIONS)
    if (!(await findSample(system, clerk, sample.deed.title)))
      await seed(system, files, users, sample)
}

async function seed(
  system: System,
  files: DemoFiles,
  users: readonly User[],
  sample: SampleSession,
): Promise<void> {
  const clerk = actorFor(system, users, 'auxiliar')
  const { deed, ending } = sample
  const { id } = await uploadDocument(system, clerk, {
    title: deed.title,
    kind: deed.kind,
    fileName: `${deed.title}.pdf`,
    content: [renderSampleDeed(deed)],
  })
  const session = await createSigningSession(
    system,
    clerk,
    CreateSigningSession.parse({
      title: deed.title,
      message: sample.message,
      deadline: null,
      documentIds: [id],
      signers: sample.signers.map((signer) => askedFrom(signer, users)),
    }),
  )
  const to = { signingSessionId: session.id }
  await openSigningSession(system, clerk, to)
  for (const slug of sample.signed)
    await sign(system, files, actorFor(system, users, slug), slug, id)
  if (!ending) return
  const ended = { ...to, reason: Reason.parse(ending.reason) }
  if (ending.kind === 'cancelled') await cancelSigningSession(system, clerk, ended)
  else await rejectSigning(system, actorFor(system, users, ending.by), ended)
}

async function sign(
  system: System,
  files: DemoFiles,
  actor: Actor,
  slug: string,
  documentId: DocumentId,
): Promise<void> {
  const efirma = files.efirmas.get(slug)
  const document = await findDocument(system.db, documentId)
  if (!efirma || !document) throw new Error(`${slug} has no e.firma, or nothing to sign`)
  const outcome = await signOnServer(system, actor, {
    documentId,
    version: document.version,
    certificate: new Uint8Array(readFileSync(efirma.cer)),
    privateKey: new Uint8Array(readFileSync(efirma.key)),
    password: efirma.keyPassword,
    consent: true,
  })
  if (outcome.kind !== 'signed')
    throw new Error(`${slug} could not sign: ${JSON.stringify(outcome.sentences)}`)
}
