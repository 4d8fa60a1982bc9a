import { listMail } from '#server/db/mail/outbox.ts'
import type { Efirma } from '#server/demo/certification-authority.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { rejectionStatement } from '#server/domain/efirma/rejection-statement.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Guest } from '#server/domain/identity/actor.ts'
import { privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import type { SignerId, SigningSessionId } from '#server/domain/ids.ts'
import { RejectionCode } from '#server/domain/signing/session/rejection-code.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { openBody } from '#server/features/mail/open-body.ts'
import { readRejection } from '#server/features/rejections/read-rejection.ts'
import {
  type RejectWithEfirma,
  rejectWithEfirma,
} from '#server/features/rejections/reject-with-efirma.ts'
import type { CreateSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { readSignerLink } from '#server/features/signing-sessions/read-signer-link.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import { renewSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import type { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'
import type { System } from '#server/system.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { origin, stranger } from '#tests/support/builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'
import { aCeremony, anOpenSession, sessionOf } from './ceremonies.ts'
import { aDraft, type Scene, signBytes } from './signing-system.ts'

type External = Extract<RequestedSigner, { kind: 'external' }>

export const external = (changes: Partial<Record<keyof External, unknown>> = {}): External =>
  ({
    kind: 'external',
    name: 'Benito Núñez Peña',
    email: null,
    rfc: 'NUPB801201QX7',
    character: 'Comprador',
    step: 1,
    ...changes,
  }) as External

export type GuestInvitation = Scene & {
  drafts: Document[]
  sessionId: SigningSessionId
  signerIds: SignerId[]
  /** Of the first of them. */
  efirma: Efirma
}

/** An open session that waits for people from outside. */
export async function aGuestInvitation(
  system: TestSystem,
  signers: readonly External[] = [external()],
  options: {
    documents?: number
    changes?: Partial<CreateSigningSession>
    /** In the office of this scene, with a draft of its own. */
    beside?: Scene
  } = {},
): Promise<GuestInvitation> {
  const scene = options.beside
    ? await besideOf(system, options.beside)
    : await aCeremony(system, [], options.documents ?? 1)
  const input = sessionOf(scene.drafts, signers, options.changes)
  const { id: sessionId } = await anOpenSession(system, scene.person, input)
  const { ceremony } = await readSigningSession(system, scene.person, {
    signingSessionId: sessionId,
  })
  const [first] = signers
  const efirma = await testEfirma({ rfc: first?.rfc ?? '', name: 'BENITO NÚÑEZ PEÑA' })
  return { ...scene, sessionId, signerIds: ceremony.signers.map(({ id }) => id), efirma }
}

async function besideOf(system: TestSystem, scene: Scene) {
  const document = await aDraft(system, scene.person, undefined, 'Otro poder')
  return { ...scene, document, drafts: [document] }
}

/** The code of a new link, as the screen of the office shows it. */
export async function aLink(
  system: System,
  { person, sessionId, signerIds }: Pick<GuestInvitation, 'person' | 'sessionId' | 'signerIds'>,
  place = 0,
): Promise<ActivationCode> {
  const asked = { signingSessionId: sessionId, signerId: signerIds[place] as SignerId }
  const { link, isLive } = await readSignerLink(system, person, asked)
  const replaces = isLive && link ? link.id : null
  return (await renewSigningLink(system, person, { ...asked, replaces })).code
}

/** The codes of the links in the pending mail of the office, newest first. */
export async function mailedCodes(
  system: TestSystem,
  { office }: Pick<GuestInvitation, 'office'>,
): Promise<ActivationCode[]> {
  const filter = { officeId: office.id, limit: 100 }
  const mail = (await listMail(system.db, filter)).filter(({ body }) => body.kind === 'sealed')
  return mail.flatMap((one) => {
    const [, code] = /\/sign#(\S+)/.exec(openBody(system, one).text) ?? []
    return code ? [ActivationCode.parse(code.replaceAll('-', ''))] : []
  })
}

/** Opens the link in a new browser; returns the value of its cookie. */
export async function opened(system: System, code: ActivationCode): Promise<string> {
  const answer = await openSigningLink(system, stranger(), { code, held: undefined })
  if (answer.kind !== 'opened') throw new Error('this browser holds it already')
  return answer.token
}

export async function mustResume(system: System, token: string): Promise<Guest> {
  const guest = await resumeGuest(system, origin, token)
  if (!guest) throw new Error('the token opens nothing')
  return guest
}

/** A guest who opened the link and accepted the aviso de privacidad. */
export async function aGuest(
  system: System,
  scene: Pick<GuestInvitation, 'office' | 'person' | 'sessionId' | 'signerIds'>,
  place = 0,
) {
  const token = await opened(system, await aLink(system, scene, place))
  const { sha256: notice } = privacyNoticeOf(scene.office)
  await acceptPrivacyNotice(system, await mustResume(system, token), { notice })
  return { token, guest: await mustResume(system, token) }
}

/** A guest rejects: their e.firma signs the statement, as the page does it. */
export async function rejectedWith(
  system: System,
  guest: Guest,
  efirma: Efirma,
  reason: Reason,
  changes: Partial<RejectWithEfirma> = {},
) {
  const at = system.clock.now()
  const { facts } = await readRejection(system, guest)
  const signature = await signBytes(efirma, rejectionStatement(facts, { reason, at }))
  const input = { reason, at, certificate: efirma.cer, signature, ...changes }
  return await rejectWithEfirma(system, guest, input)
}

/** The code of the pending mail with which an external signer of this office rejects. */
export async function mailedRejectionCode(
  system: System,
  { office }: Pick<GuestInvitation, 'office'>,
): Promise<RejectionCode> {
  const filter = { officeId: office.id, state: 'waiting' as const, limit: 100 }
  const mail = (await listMail(system.db, filter)).find(({ kind }) => kind === 'rejection-code')
  if (!mail) throw new Error('no mail with a code')
  return RejectionCode.parse(/Código: (\S+)/.exec(openBody(system, mail).text)?.[1])
}
