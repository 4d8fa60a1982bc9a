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
export function guestView({ signer, office, notice, now, asked }: GuestSession) {
  return {
    name: signer.name,
    rfc: signer.rfc as string,
    character:
      signer.character.kind === 'declared' ? declaredText(signer.character.texts) : 'Sin registrar',
    office: office.name,
    notice: { short: notice.short, sha256: notice.sha256 as string },
    asked: asked && {
      title: asked.session.title,
      leavesProtocol: leavesProtocol(asked.session.act),
      message: asked.session.message,
      deadline: asked.session.deadline && formatInstant(asked.session.deadline, office.timeZone),
      documents: asked.documents.map(guestDocument),
      ending: ENDINGS[asked.session.state] ?? null,
      // A signer who has signed a document can no longer reject.
      canReject: signer.state === 'pending' && asked.documents.some(({ held }) => isAsked(held)),
      isOver: asked.session.deadline !== null && asked.session.deadline <= now,
    },
  }
}

export type GuestView = ReturnType<typeof guestView>

const guestDocument = ({ document, pages, held }: GuestDocument) => ({
  id: document.id,
  title: document.title,
  folio: document.folio,
  pages: pages === 1 ? '1 página' : `${pages} páginas`,
  held,
})

const isAsked = (held: GuestDocument['held']) => held === 'now' || held === 'waiting'
