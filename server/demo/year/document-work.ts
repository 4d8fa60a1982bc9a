import { readFileSync } from 'node:fs'
import { findDocument } from '#server/db/documents/documents.ts'
import { findLease } from '#server/db/documents/prepared-signatures.ts'
import { listSessionsOf } from '#server/db/signing-sessions/session-documents.ts'
import { askedFrom } from '#server/demo/asked-signer.ts'
import { actorAs, actorFor } from '#server/demo/demo-actor.ts'
import type { DemoFiles } from '#server/demo/demo-files.ts'
import { renderSampleDeed } from '#server/demo/sample-deed.ts'
import { dayOf } from '#server/domain/day.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { archiveDocument } from '#server/features/archives/archive-document.ts'
import { addDocumentList } from '#server/features/checklists/change-document-list.ts'
import { listChecklists } from '#server/features/checklists/read-checklist.ts'
import { setCheckState } from '#server/features/checklists/set-check-state.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { readCopyForecast, recordCopy } from '#server/features/copies/record-copy.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import type { System } from '#server/system.ts'
import { ZONE } from './calendar.ts'
import type { DocumentWork, PlannedDocument } from './work.ts'

/** What the tasks of a document share. */
export type Scene = {
  files: DemoFiles
  users: readonly User[]
  /** The document of each place in the plan. */
  ids: Map<number, DocumentId>
}

type TaskOf<Kind extends DocumentWork['kind']> = {
  by: string
  document: PlannedDocument
  work: Extract<DocumentWork, { kind: Kind }>
}
type AnyTask = TaskOf<DocumentWork['kind']>
type Doing<Kind extends DocumentWork['kind']> = (
  system: System,
  scene: Scene,
  task: TaskOf<Kind>,
) => Promise<unknown>

const DOINGS: { [Kind in DocumentWork['kind']]: Doing<Kind> } = {
  upload,
  'create-session': createSession,
  'open-session': async (system, scene, task) =>
    openSigningSession(system, actorOf(system, scene, task), await sessionOf(system, scene, task)),
  'prepare-signature': prepare,
  'complete-signature': complete,
  archive: (system, scene, { document }) => archiveDocument(system, idOf(scene, document)),
  'issue-constancia': (system) => issueConstancias(system),
  reject: async (system, scene, task) =>
    rejectSigning(system, actorOf(system, scene, task), await endingOf(system, scene, task)),
  'note-rejection': noteRejection,
  'cancel-session': async (system, scene, task) =>
    cancelSigningSession(system, actorOf(system, scene, task), await endingOf(system, scene, task)),
  'expire-session': (system) => expireSigningSessions(system),
  cancel: (system, scene, task) =>
    cancelDocument(system, actorOf(system, scene, task), {
      documentId: idOf(scene, task.document),
      reason: Reason.parse(task.work.reason),
    }),
  'record-copy': copy,
  'add-list': async (system, scene, task) =>
    addDocumentList(system, actorOf(system, scene, task), await listOf(system, scene, task)),
  tick,
  'verify-in-public': verify,
}

/** Does it with the use case that the pages use. */
export async function doDocumentWork(system: System, scene: Scene, task: AnyTask): Promise<void> {
  const doing = DOINGS[task.work.kind] as Doing<DocumentWork['kind']>
  await doing(system, scene, task)
}

const actorOf = (system: System, { users }: Scene, { by }: { by: string }): Person =>
  actorFor(system, users, by)

function idOf({ ids }: Scene, { place }: PlannedDocument): DocumentId {
  const id = ids.get(place)
  if (!id) throw new Error(`document ${place} of the year was not uploaded`)
  return id
}

async function sessionOf(
  { db }: System,
  scene: Scene,
  { document }: { document: PlannedDocument },
): Promise<{ signingSessionId: SigningSessionId }> {
  const [session] = await listSessionsOf(db, idOf(scene, document), 1)
  if (!session) throw new Error(`document ${document.place} of the year has no session`)
  return { signingSessionId: session.id }
}

const endingOf = async (
  system: System,
  scene: Scene,
  task: { document: PlannedDocument; work: { reason: string } },
) => ({
  ...(await sessionOf(system, scene, task)),
  reason: Reason.parse(task.work.reason),
})

async function listOf(
  system: System,
  scene: Scene,
  task: { by: string; document: PlannedDocument; work: { act: string } },
) {
  const lists = await listChecklists(system, actorOf(system, scene, task))
  const list = lists.find(({ act }) => act.name === task.work.act)
  if (!list) throw new Error(`the office has no act ${task.work.act}`)
  return { documentId: idOf(scene, task.document), actId: list.act.id }
}

async function upload(system: System, scene: Scene, task: TaskOf<'upload'>): Promise<void> {
  const { deed, place } = task.document
  const { id } = await uploadDocument(system, actorOf(system, scene, task), {
    ...{ title: deed.title, kind: deed.kind, fileName: `${deed.title}.pdf` },
    instrument: deed.instrument ? Instrument.parse(deed.instrument) : null,
    content: [renderSampleDeed(deed)],
  })
  scene.ids.set(place, id)
}

async function createSession(
  system: System,
  scene: Scene,
  task: TaskOf<'create-session'>,
): Promise<void> {
  const { document, work } = task
  const { once, message, deadline, signers } = work.session
  const input = {
    ...{ once, message, deadline, title: document.deed.title },
    documentIds: [idOf(scene, document)],
    signers: signers.map((signer) => askedFrom(signer, scene.users)),
  }
  const session = CreateSigningSession.parse(input)
  await createSigningSession(system, actorOf(system, scene, task), session)
}

/** As the page does: the key stays with its owner, who signs what the server prepared. */
async function prepare(
  system: System,
  scene: Scene,
  task: TaskOf<'prepare-signature'>,
): Promise<void> {
  const documentId = idOf(scene, task.document)
  const document = await findDocument(system.db, documentId)
  const outcome = await prepareSignature(system, actorOf(system, scene, task), {
    ...{ documentId, version: document?.version ?? 0 },
    certificate: new Uint8Array(readFileSync(efirmaOf(scene, task).cer)),
  })
  if (outcome.kind === 'refused') throw new Error(`${task.by} cannot sign: ${outcome.sentence}`)
}

async function complete(
  system: System,
  scene: Scene,
  task: TaskOf<'complete-signature'>,
): Promise<void> {
  const lease = await findLease(system.db, idOf(scene, task.document), system.clock.now())
  if (!lease) throw new Error(`document ${task.document.place} of the year was not prepared`)
  const { key, keyPassword } = efirmaOf(scene, task)
  const file = new Uint8Array(readFileSync(key))
  const outcome = await system.signerKeys.openPrivateKey(file, keyPassword)
  if (outcome.kind !== 'opened') throw new Error(`the key of ${task.by} is ${outcome.kind}`)
  const signature = await signWith(outcome.opened, lease.signedAttributes)
  const completed = { preparedId: lease.id, signature }
  await completeSignature(system, actorOf(system, scene, task), completed)
}

function efirmaOf({ files }: Scene, { by }: { by: string }) {
  const efirma = files.efirmas.get(by)
  if (!efirma) throw new Error(`${by} has no e.firma`)
  return efirma
}

async function copy(system: System, scene: Scene, task: TaskOf<'record-copy'>): Promise<void> {
  const { once, recipient, sheets } = task.work
  const [actor, documentId] = [actorOf(system, scene, task), idOf(scene, task.document)]
  const { next } = await readCopyForecast(system, actor, { documentId })
  await recordCopy(system, actor, {
    ...{ documentId, once, kind: 'testimony', ordinal: next.testimony, part: null, note: null },
    recipient: { name: recipient, rfc: null, character: 'Parte interesada' },
    medium: { kind: 'paper', sheets },
    issuedOn: dayOf(system.clock.now(), ZONE),
  })
}

/** The author of the session and its signers have read why, and go on. */
async function noteRejection(
  system: System,
  scene: Scene,
  task: TaskOf<'note-rejection'>,
): Promise<void> {
  const { signingSessionId } = await sessionOf(system, scene, task)
  for (const user of scene.users) {
    const actor = actorAs(system, user)
    const { alerts } = await listAlerts(system, actor, ListAlerts.parse({}))
    for (const { id, kind, subjectId } of alerts)
      if (kind === 'signing-rejected' && subjectId === signingSessionId)
        await resolveAlert(system, actor, { alertId: id })
  }
}

async function tick(system: System, scene: Scene, task: TaskOf<'tick'>): Promise<void> {
  const { position } = task.work
  const item = { ...(await listOf(system, scene, task)), position }
  await setCheckState(system, actorOf(system, scene, task), { ...item, state: 'done', note: null })
}

async function verify(
  system: System,
  scene: Scene,
  { document, work }: TaskOf<'verify-in-public'>,
): Promise<void> {
  const visitor = { kind: 'anonymous', ip: work.ip, device: 'Chrome en Android' } as const
  const actor = { ...visitor, requestId: 'demo', browser: null }
  await readVerification(system, actor, { id: idOf(scene, document) })
}
