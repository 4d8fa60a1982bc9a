import type { ShownLink } from '#app/http/cookies/signing-link-cookie.ts'
import { groupedActivationCode } from '#server/domain/identity/activation-code.ts'
import { requestedText } from '#server/domain/signing/character-text.ts'
import { qrCode } from '#server/domain/signing/qr-code.ts'
import { signingLinkAddress } from '#server/domain/signing/session/signing-link.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { SignerLink } from '#server/features/signing-sessions/read-signer-link.ts'

/** A signer's link as the office sees it, as texts. */
export function signerLinkView(found: SignerLink) {
  const { session, signer, link, office, isLive, canRenew } = found
  const when = (at: Instant | null | undefined) => (at ? formatInstant(at, office.timeZone) : null)
  return {
    sessionId: session.id as string,
    signerId: signer.id as string,
    session: session.title,
    office: office.name,
    name: signer.name,
    rfc: signer.rfc as string,
    character: requestedText(signer.character),
    state: stateOf(link, isLive),
    made: when(link?.createdAt),
    expires: when(link?.expiresAt),
    mailed: mailedText(found),
    opened: when(link?.openedAt),
    consented: when(link?.consentedAt),
    /** The link that works now. */
    live: isLive && link ? { id: link.id as string, isOpened: link.state === 'opened' } : null,
    canRenew,
  }
}

export type SignerLinkView = ReturnType<typeof signerLinkView>

function stateOf(link: SignerLink['link'], isLive: boolean): string {
  if (!link) return 'Todavía no tiene'
  if (link.state === 'revoked') return 'Se retiró'
  if (!isLive) return 'Venció'
  return link.state === 'opened' ? 'Abierto en un navegador' : 'Sin abrir'
}

/** Whether the person has the link, or must be given it. */
function mailedText({ signer, link, mail, office }: SignerLink): string | null {
  if (!link) return null
  if (!mail || mail.state === 'discarded')
    return signer.email === null
      ? 'La persona no tiene correo anotado: entréguele usted el enlace'
      : 'No se envió por correo: entréguele usted el enlace'
  const { state, address, at } = mail
  const since = formatInstant(at, office.timeZone)
  switch (state) {
    case 'sent':
      return `Se envió a ${address} el ${since}`
    case 'waiting':
      return `Está en espera de envío a ${address} desde el ${since}; si tarda, entréguele usted el enlace`
    case 'failed':
      return `No se pudo enviar a ${address}: entréguele usted el enlace`
  }
}

/** A link as the screen of the user who made it shows it. */
export function shownLinkView(link: ShownLink, origin: string, zone: string) {
  const { code, expiresAt, shownUntil } = link
  const address = signingLinkAddress(origin, code)
  return {
    page: `${origin}/sign`,
    code: groupedActivationCode(code),
    address,
    expires: formatInstant(expiresAt, zone),
    shownUntil: formatInstant(shownUntil, zone),
    qr: qrCode(address),
  }
}

export type ShownLinkView = ReturnType<typeof shownLinkView>
