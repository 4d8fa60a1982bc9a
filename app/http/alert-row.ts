import type { Alert } from '#server/domain/alerts/alert.ts'
import { formatInstant } from '#server/domain/time.ts'
import { sentenceOfAlert, severityNames } from '#server/words/alerts.ts'

/** An alert as lists show it, with its time in the office's time zone. */
export function alertRow(alert: Alert & { about: string | null }, timeZone: string) {
  const { id, severity, at, occurrences, firstAt, state, stateSince } = alert
  return {
    ...{ id, severity, at, state },
    ...sentenceOfAlert(alert),
    name: severityNames[severity],
    when: formatInstant(at, timeZone),
    repeated:
      occurrences > 1
        ? `Ocurrió ${occurrences} veces desde el ${formatInstant(firstAt, timeZone)}.`
        : null,
    resolved: state === 'resolved' ? `Atendida el ${formatInstant(stateSince, timeZone)}.` : null,
    to: placeOf(alert),
  }
}

/** Of one deadline its page, of several the list of their obligation. */
const placeOfDeadlines = ({ deadline, obligationId }: Alert['facts']) =>
  typeof deadline === 'string'
    ? { path: `/dashboard/obligations/${deadline}`, name: 'Ver la obligación' }
    : { path: `/dashboard/obligations?obligation=${obligationId ?? ''}`, name: 'Ver la lista' }

/** The page where the reader can act on the alert; the profile for the reader's own alerts. */
function placeOf({ userId, kind, subjectKind, subjectId, facts }: Alert) {
  if (kind === 'administrator-recovered') return null
  if (subjectKind === 'signing-session' && subjectId)
    return { path: `/dashboard/signing/${subjectId}`, name: 'Ver la sesión' }
  if (typeof facts.certificate === 'string')
    return { path: `/dashboard/certificates/${facts.certificate}`, name: 'Ver el certificado' }
  if (typeof facts.arco === 'string')
    return { path: `/dashboard/arco/${facts.arco}`, name: 'Ver la solicitud' }
  if (typeof facts.yubikey === 'string')
    return { path: `/dashboard/certificates/keys/${facts.yubikey}`, name: 'Ver la YubiKey' }
  if (kind === 'deadline-near' || kind === 'deadline-late') return placeOfDeadlines(facts)
  if (userId !== null) return { path: '/dashboard/profile', name: 'Ir a Mi Perfil' }
  if (subjectKind === 'mail' && subjectId)
    return { path: `/dashboard/settings/outbox/${subjectId}`, name: 'Ver el correo' }
  if (subjectKind === 'document' && subjectId)
    return { path: `/dashboard/documents/${subjectId}`, name: 'Ver el documento' }
  if (subjectKind !== 'user' || !subjectId) return null
  const name = kind === 'removal-to-approve' ? 'Revisar solicitud' : 'Ver a la persona'
  return { path: `/dashboard/users/${subjectId}`, name }
}
