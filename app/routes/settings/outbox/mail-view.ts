import type { Tone } from '#app/ui/feedback/tone.ts'
import type { DiscardReason, Mail, MailKind, MailState } from '#server/domain/mail/mail.ts'
import { formatInstant, formatMinute } from '#server/domain/time.ts'

const MAIL_KINDS: Record<MailKind, string> = {
  'signing-invitation': 'Invitación a firmar',
  'signing-turn': 'Turno de firma',
  'signing-reminder': 'Recordatorio de firma',
  'signing-completed': 'Firma concluida',
  'signing-rejected': 'Firma rechazada',
  'signing-cancelled': 'Firma cancelada',
  'signing-expired': 'Firma vencida',
  'rejection-code': 'Código para rechazar',
  'signer-replaced': 'Firmante sustituido',
  'account-invitation': 'Invitación a la cuenta',
  'account-recovery': 'Recuperación de la cuenta',
  alert: 'Alerta',
  'alert-digest': 'Resumen de alertas',
  'reports-ready': 'Reportes del mes',
}

export const MAIL_STATES: Record<MailState, { word: string; ofMany: string; tone: Tone }> = {
  waiting: { word: 'En espera', ofMany: 'En espera', tone: 'wait' },
  sent: { word: 'Enviado', ofMany: 'Enviados', tone: 'good' },
  failed: { word: 'Sin enviar', ofMany: 'Sin enviar', tone: 'bad' },
  discarded: { word: 'Descartado', ofMany: 'Descartados', tone: 'plain' },
}

/** Reasons why a mail was discarded. */
const DISCARDED: Record<DiscardReason, string> = {
  'by-hand': 'Alguien de la notaría lo descartó.',
  expired: 'Venció antes de enviarse.',
  'link-over': 'Su enlace ya se usó, se retiró o se reemplazó por otro.',
  'newer-mail': 'Se escribió de nuevo a la misma persona.',
  'signer-replaced': 'Otra persona firma en lugar del destinatario.',
  'already-signed': 'El destinatario ya firmó.',
  'session-over': 'La sesión de firma terminó.',
}

/** A mail as pages show it, with times in the office's time zone. */
export function mailView(mail: Omit<Mail, 'body'>, timeZone: string) {
  const { id, to, subject, kind, state, attempts, lastError } = mail
  const isWaiting = state === 'waiting'
  // Older rows have no reason; derive it from the time.
  const isExpired =
    mail.discardedBecause === null
      ? state === 'discarded' && mail.stateSince >= mail.expiresAt
      : mail.discardedBecause === 'expired'
  return {
    ...{ id, to, subject, state, attempts },
    kind: MAIL_KINDS[kind],
    word: isExpired ? 'Venció' : MAIL_STATES[state].word,
    tone: MAIL_STATES[state].tone,
    created: formatInstant(mail.createdAt, timeZone),
    createdMinute: formatMinute(mail.createdAt, timeZone),
    createdAt: mail.createdAt as number,
    since: formatInstant(mail.stateSince, timeZone),
    expires: isWaiting || state === 'failed' ? formatInstant(mail.expiresAt, timeZone) : null,
    nextAttempt: isWaiting && attempts > 0 ? formatInstant(mail.nextAttemptAt, timeZone) : null,
    lastError,
    because: mail.discardedBecause && DISCARDED[mail.discardedBecause],
    attached: attachedTo(mail),
    canChange: isWaiting || state === 'failed',
  }
}

function attachedTo({ attachments: { length } }: Pick<Mail, 'attachments'>): string | null {
  if (length === 0) return null
  return length === 1 ? 'El documento firmado' : `${length} documentos firmados`
}
