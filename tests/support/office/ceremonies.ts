import type { Efirma } from '#server/demo/certification-authority.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { UserId } from '#server/domain/ids.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { beginFurtherSession } from '#server/features/signing-sessions/begin-further-session.ts'
import {
  type CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { addSessionSigner } from '#server/features/signing-sessions/edit-session-signers.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'
import type { System } from '#server/system.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'
import { aDraft, aScene, type Scene, signBytes } from './signing-system.ts'

/** A user of the office who can sign, with an e.firma. */
export type Party = { person: Person; efirma: Efirma; asked: RequestedSigner }

const RFCS = [
  'GOPR850312QA1',
  'SOLJ900704TB2',
  'CURM780921HC3',
  'VEGA920115LD4',
  'NAVE811130PE5',
  'ROSA950606KF6',
  'IBAC870818JG7',
  'LUNF930227MH8',
  'PENA890514NI9',
  'OCHO840923RJ1',
]

/** A notary with a draft, and as many parties as the steps that are given. */
export async function aCeremony(
  system: TestSystem,
  steps: readonly number[],
  documents = 1,
): Promise<Scene & { drafts: Document[]; parties: Party[] }> {
  const scene = await aScene(system)
  const drafts = [scene.document]
  while (drafts.length < documents)
    drafts.push(await aDraft(system, scene.person, undefined, `Poder ${drafts.length + 1}`))
  const parties: Party[] = []
  for (const [index, step] of steps.entries())
    parties.push(await aParty(system, scene, RFCS[index] ?? '', step))
  return { ...scene, drafts, parties }
}

export async function aParty(
  system: TestSystem,
  { office }: Pick<Scene, 'office'>,
  rfc: string,
  step: number,
): Promise<Party> {
  const user = await storedUser(system.db, office, ['CLERK'], { rfc, capacity: null })
  const person = asPerson(user)
  const efirma = await testEfirma({ rfc, name: `${user.firstName} ${user.lastName}`.toUpperCase() })
  const asked = {
    kind: 'user',
    userId: UserId.parse(user.id),
    character: 'Compareciente' as NonNullable<RequestedSigner['character']>,
    step,
  } as const
  return { person, efirma, asked }
}

/** The input of the session form. */
export function sessionOf(
  documents: readonly Pick<Document, 'id'>[],
  signers: readonly RequestedSigner[],
  changes: Partial<CreateSigningSession> = {},
): CreateSigningSession {
  return {
    title: 'Compraventa de la casa' as CreateSigningSession['title'],
    message: null,
    deadline: null,
    documentIds: documents.map(({ id }) => id),
    signers: [...signers],
    ...changes,
  }
}

export async function anOpenSession(
  system: System,
  by: Person,
  input: CreateSigningSession,
): Promise<SigningSession> {
  const { id } = await createSigningSession(system, by, input)
  return await openSigningSession(system, by, { signingSessionId: id })
}

/** An open session that adds signatures to a complete document. */
export async function aFurtherSession(
  system: TestSystem,
  by: Person,
  { id: documentId, version }: Pick<Document, 'id' | 'version'>,
  signers: readonly RequestedSigner[],
): Promise<SigningSession> {
  const signingSessionId = await beginFurtherSession(system, by, { documentId, version })
  for (const signer of signers)
    await addSessionSigner(system, by, { signingSessionId, signer, again: true })
  return await openSigningSession(system, by, { signingSessionId })
}

/** Both halves, for any signer. */
export async function signInSession(
  system: TestSystem,
  { person, efirma }: { person: Actor; efirma: Efirma },
  document: Pick<Document, 'id'>,
  version: number,
) {
  const prepared = await prepareSignature(system, person, {
    documentId: document.id,
    version,
    certificate: efirma.cer,
  })
  if (prepared.kind === 'refused') throw new Error(prepared.sentence)
  const signature = await signBytes(efirma, prepared.toBeSigned)
  return await completeSignature(system, person, { preparedId: prepared.id, signature })
}
