import type { Tone } from '#app/ui/feedback/tone.ts'
import { formatDay, formatInstant, type Instant } from '#server/domain/time.ts'
import type { ListedAuthority } from '#server/features/offices/list-authorities.ts'
import { quoted } from '#server/words/quoted.ts'

const STATES: Record<ListedAuthority['state'], { word: string; tone: Tone }> = {
  'built-in': { word: 'de la demostración', tone: 'good' },
  pinned: { word: 'reconocida por su huella', tone: 'good' },
  accepted: { word: 'aceptada por decisión', tone: 'good' },
  offered: { word: 'sin aceptar', tone: 'wait' },
  removed: { word: 'retirada', tone: 'plain' },
}

const ROLES: Record<ListedAuthority['role'], string> = {
  anchor: 'Raíz de confianza',
  intermediate: 'Emisora, bajo una raíz de confianza',
  responder: 'Responde sobre revocación',
}

export type AuthorityView = ReturnType<typeof authorityView>

/** An authority in es-MX, in the office's time zone. */
export function authorityView(authority: ListedAuthority, zone: string, now: Instant) {
  const { sha256, name, state, role, forTesting, reason, since, by, ocsp } = authority
  const isTrusted = state === 'pinned' || state === 'accepted' || state === 'built-in'
  return {
    sha256,
    name,
    forTesting,
    state: STATES[state],
    isTrusted,
    isBuiltIn: state === 'built-in',
    role: isTrusted ? ROLES[role] : 'No cuenta en ninguna verificación',
    validity: `Del ${formatDay(authority.notBefore, zone)} al ${formatDay(authority.notAfter, zone)}`,
    ends: `${authority.notAfter < now ? 'venció' : 'vence'} el ${formatDay(authority.notAfter, zone)}`,
    revocation: isTrusted ? revocationOf(authority) : null,
    ocsp: ocsp.join(' · '),
    decision: decisionOf({ reason, since, by }, zone),
  }
}

function revocationOf({ revocation, ocsp, role }: ListedAuthority): string {
  if (role !== 'anchor') return 'como su raíz'
  if (revocation === 'required') return 'exige respuesta de revocación'
  return ocsp.length > 0
    ? 'pregunta por la revocación; sin respuesta, advierte'
    : 'no se pregunta por la revocación'
}

type Decision = Pick<ListedAuthority, 'reason' | 'since' | 'by'>

function decisionOf({ reason, since, by }: Decision, zone: string): string | null {
  if (since === null) return null
  const who = by ?? 'la línea de comandos'
  const when = `${formatInstant(since, zone)}, por ${who}`
  return reason === null ? when : `${when}: ${quoted(reason, 500)}`
}
