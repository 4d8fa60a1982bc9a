import { documentRow } from '#app/http/documents/document-row.ts'
import { dayOf } from '#server/domain/day.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { requestedText } from '#server/domain/signing/character-text.ts'
import { hasSignedAll, signedByOn, signersInTurn } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { orderOf } from '#server/domain/signing/session/turns.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { SigningSessionDetail } from '#server/features/signing-sessions/read-signing-session.ts'
import { actView } from './act-view.ts'

const ORDERS = {
  ordered: 'Uno después del otro',
  parallel: 'En cualquier orden',
  mixed: 'Por turnos: quienes tienen el mismo número firman en cualquier orden',
} as const

/** The session as texts for its page. */
export function sessionView(detail: SigningSessionDetail, person: Person, zone: string) {
  const { ceremony, author, documents, hindrances, progress } = detail
  const { session, signers } = ceremony
  const inTurn = new Set(signersInTurn(ceremony).map(({ id }) => id))
  const signing = signers.filter(({ state }) => state !== 'replaced')
  const own = signers.filter(({ userId }) => userId === person.userId)
  const { deadline } = session
  return {
    id: session.id as string,
    title: session.title,
    message: session.message,
    act: actView(session.act),
    state: session.state,
    reason: session.stateReason,
    since: formatInstant(session.stateSince, zone),
    sinceAt: session.stateSince as number,
    deadline: deadline === null ? null : formatInstant(deadline, zone),
    deadlineDay: deadline === null ? '' : dayOf(deadline, zone),
    author: fullName(author),
    order: signing.length > 1 ? ORDERS[orderOf(signing)] : null,
    progress,
    documents: documents.map(({ document, version }) => ({
      ...documentRow(document, zone),
      pages: version.pages,
      made: signedByOn(ceremony, document.id).size,
      wanted: signing.length,
    })),
    signers: signers.map((signer) => ({
      ...signerRow(signer, zone),
      isInTurn: inTurn.has(signer.id),
      hindrance: hindrances.get(signer.id) ?? null,
      isYou: signer.userId === person.userId,
      hasBegun: ceremony.documents.some(({ id }) => signedByOn(ceremony, id).has(signer.id)),
      isDone: hasSignedAll(ceremony, signer.id),
      replacedBy: signers.find(({ id }) => id === signer.replacedBy)?.name ?? null,
    })),
    canManage: isAllowed(person.roles, 'signing-sessions.manage'),
    isYourTurn: own.some(({ id }) => inTurn.has(id)),
    canReject: session.state === 'open' && own.some(({ state }) => state === 'pending'),
  }
}

export type SessionView = ReturnType<typeof sessionView>
export type SignerView = SessionView['signers'][number]

function signerRow(signer: Signer, zone: string) {
  const { id, step, name, email, rfc, character, state, userId } = signer
  return {
    ...{ id: id as string, step, name, email: email as string | null, rfc: rfc as string },
    ...{ character: requestedText(character), state },
    isExternal: userId === null,
    since: formatInstant(signer.stateSince, zone),
    sinceAt: signer.stateSince as number,
    reason: signer.stateReason,
    proof: signer.stateProof,
    reminded: signer.remindedAt === null ? null : formatInstant(signer.remindedAt, zone),
  }
}
