import type { ActivationLink } from '#app/http/cookies/activation-link-cookie.ts'
import { activationLink, groupedActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { modelOf } from '#server/domain/identity/authenticator-models.ts'
import { hasCurpCheckDigit } from '#server/domain/identity/curp.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { hasRfcCheckDigit } from '#server/domain/identity/rfc.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { UserId } from '#server/domain/ids.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { formatDay, formatInstant, type Instant } from '#server/domain/time.ts'
import type { UserAccess, UserPage } from '#server/features/users/read-user.ts'
import { writtenData } from '#server/features/users/user-data.ts'
import { capacities, roles, sentenceOfLock } from '#server/words/people.ts'
import { valuesOf } from './user-form.ts'

export type PersonView = ReturnType<typeof personView>

/** The person as texts for the page, dated in the office's time zone. */
export function personView(page: UserPage, viewer: Person, now: Instant) {
  const { user, timeZone: zone, access, names, isOneself } = page
  const nameOf = (id: UserId | null) => (id === null ? null : (names.get(id) ?? null))
  return {
    id: user.id,
    name: fullName(user),
    state: user.state,
    stateSince: formatInstant(user.stateSince, zone),
    stateBy: nameOf(user.stateBy),
    stateReason: user.stateReason,
    isOneself,
    canManage: isAllowed(viewer.roles, 'users.manage'),
    isNotary: user.capacity !== null,
    facts: factsOf(user, zone),
    warnings: warningsOf(user),
    values: valuesOf(writtenData(user, zone)),
    password: {
      changed: user.passwordChangedAt && formatInstant(user.passwordChangedAt, zone),
      requestedSince: user.passwordChangeSince && formatInstant(user.passwordChangeSince, zone),
      requestedBy: nameOf(user.passwordChangeBy),
    },
    access: access && accessView(access, viewer, nameOf, zone, now),
  }
}

function factsOf(user: User, zone: string) {
  return {
    email: user.email,
    rfc: user.rfc,
    curp: user.curp,
    roles: user.roles.map((role) => roles[role]).join(', '),
    capacity: user.capacity && capacityOf(user, zone),
    created: formatDay(user.createdAt, zone),
  }
}

/** `Suplente de Ana Ruiz, Notaría 14 desde el 1 nov 2026` */
export function capacityOf(
  user: Pick<User, 'capacity' | 'capacityOf' | 'capacityFrom' | 'capacityTo'>,
  zone: string,
): string {
  const { capacity, capacityFrom, capacityTo } = user
  const of = user.capacityOf && ` de ${shownText(user.capacityOf)}`
  const from = capacityFrom && ` desde el ${formatDay(capacityFrom, zone)}`
  const to = capacityTo && ` hasta el ${formatDay(capacityTo, zone)}`
  return `${capacity ? capacities[capacity] : ''}${of ?? ''}${from ?? ''}${to ?? ''}`
}

/** Warns about wrong check digits; such keys have been issued, so they are not refused. */
function warningsOf({ rfc, curp }: User): string[] {
  const warnings: string[] = []
  if (!hasRfcCheckDigit(rfc))
    warnings.push('El último carácter del RFC no es el que corresponde a los demás. Revíselo.')
  if (curp && !hasCurpCheckDigit(curp))
    warnings.push('El último dígito de la CURP no es el que corresponde a los demás. Revíselo.')
  return warnings
}

function accessView(
  access: UserAccess,
  viewer: Person,
  nameOf: (id: UserId | null) => string | null,
  zone: string,
  now: Instant,
) {
  const { sessions, totp, keys, backupCodes, activation, locks, removal } = access
  return {
    sessions: sessions.map(({ id, device, ip, createdAt, lastSeenAt }) => ({
      ...{ id, device, ip, lastSeenAt },
      place: id === viewer.sessionId ? ('here' as const) : ('elsewhere' as const),
      began: formatInstant(createdAt, zone),
      seen: formatInstant(lastSeenAt, zone),
    })),
    factors: {
      isOn: totp !== null || keys.length > 0,
      app: totp && `Agregada el ${formatDay(totp.since, zone)}`,
      keys: keys.map(({ id, name, aaguid, createdAt, lastUsedAt, state }) => ({
        id,
        name,
        isSuspect: state === 'suspect',
        facts: [
          modelOf(aaguid),
          `agregada el ${formatDay(createdAt, zone)}`,
          lastUsedAt ? `último uso: ${formatInstant(lastUsedAt, zone)}` : 'sin usar todavía',
        ].join(' · '),
      })),
      codes: backupCodes && `Quedan ${backupCodes.left} de ${backupCodes.total}`,
    },
    locks: locks.map((lock) => ({
      sentence: sentenceOfLock(lock),
      until: formatInstant(lock.until, zone),
    })),
    removal: removal && {
      id: removal.id,
      reason: removal.reason,
      requestedBy: nameOf(removal.askedBy) ?? 'Un administrador',
      requestedAt: formatInstant(removal.askedAt, zone),
      expires: formatInstant(removal.expiresAt, zone),
      canApprove: viewer.userId !== removal.askedBy && viewer.userId !== removal.userId,
      isMine: viewer.userId === removal.askedBy,
    },
    lastLink: activation && {
      made: formatInstant(activation.createdAt, zone),
      by: nameOf(activation.createdBy),
      state:
        activation.state === 'used'
          ? `Usado el ${formatInstant(activation.stateSince, zone)}`
          : activation.state === 'open' && now < activation.expiresAt
            ? `Sin usar; vence el ${formatInstant(activation.expiresAt, zone)}`
            : 'Vencido o reemplazado: ya no abre nada',
    },
  }
}

/** A new link; this page alone shows its code. */
export function linkView(
  { code, purpose, expiresAt }: ActivationLink,
  origin: string,
  zone: string,
) {
  return {
    isRecovery: purpose === 'recovery',
    page: `${origin}/activate`,
    address: activationLink(origin, code),
    code: groupedActivationCode(code),
    expires: formatInstant(expiresAt, zone),
  }
}
