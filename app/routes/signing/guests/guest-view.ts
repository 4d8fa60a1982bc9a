import { leavesProtocol } from '#server/domain/signing/act/act.ts'
import { declaredText } from '#server/domain/signing/character-text.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { GuestDocument, GuestSession } from '#server/features/guests/read-guest-session.ts'

const ENDINGS: Partial<Record<SigningSessionState, string>> = {
  rejected: 'Uno de los firmantes rechazó firmar y la sesión terminó',
  cancelled: 'La notaría canceló la sesión de firma',
}

/** The guest's first page as texts. */
export function guestView(view: GuestSession) {
  const { signer, office, notice, now, hasConsented, session, documents } = view
  const isAsked = documents.some(({ held }) => held === 'now' || held === 'waiting')
  return {
    name: signer.name,
    rfc: signer.rfc as string,
    character:
      signer.character.kind === 'declared' ? declaredText(signer.character.texts) : 'Sin registrar',
    office: office.name,
    notice: { short: notice.short, sha256: notice.sha256 as string },
    hasConsented,
    title: session.title,
    leavesProtocol: leavesProtocol(session.act),
    isAsked,
    message: session.message,
    deadline: session.deadline && formatInstant(session.deadline, office.timeZone),
    documents: documents.map(guestDocument),
    ending: endingOf(view),
    // A signer who has signed everything can no longer reject.
    canReject: signer.state === 'pending' && isAsked,
    isOver: session.deadline !== null && session.deadline <= now,
  }
}

export type GuestView = ReturnType<typeof guestView>

function endingOf({ signer, session, office }: GuestSession): string | null {
  if (signer.state !== 'rejected') return ENDINGS[session.state] ?? null
  return `Usted rechazó firmar el ${formatInstant(signer.stateSince, office.timeZone)} y la sesión terminó`
}

const guestDocument = ({ document, pages, held }: GuestDocument) => ({
  id: document.id,
  title: document.title,
  folio: document.folio,
  pages: pages === 1 ? '1 página' : `${pages} páginas`,
  held,
})
