import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { insertOffice } from '#server/db/people/offices.ts'
import { insertUser } from '#server/db/people/users.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Anonymous, Guest, Person } from '#server/domain/identity/actor.ts'
import { Office } from '#server/domain/identity/office.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { User } from '#server/domain/identity/user.ts'
import { SessionId, SignerId, SigningLinkId, SigningSessionId } from '#server/domain/ids.ts'
import { hours, minutes, parseInstant } from '#server/domain/time.ts'
import type { CreateOffice } from '#server/features/installation/create-office.ts'

/** When every test begins: Friday, 20 November 2026, 09:00 in Mexico City. */
export const MORNING = parseInstant('2026-11-20T15:00:00Z')

export const origin = {
  ip: '203.0.113.7',
  device: 'Chrome en Windows',
  requestId: 'request-1',
  browser: sha256('browser-1'),
}

export function stranger(changes: Partial<Anonymous> = {}): Anonymous {
  return { kind: 'anonymous', ...origin, ...changes }
}

export function anOffice(changes: Partial<Record<keyof Office, unknown>> = {}): Office {
  return Office.parse({
    id: randomUUID(),
    number: 12,
    entity: 'Ciudad de México',
    municipality: 'Benito Juárez',
    address: 'Av. Insurgentes Sur 1234, Del Valle',
    timeZone: 'America/Mexico_City',
    name: 'Notaría 12 de la Ciudad de México',
    serverSigning: 'allowed',
    presence: 'none',
    uploadLimit: 200 * 1024 * 1024,
    sessionIdle: minutes(30),
    sessionAbsolute: hours(12),
    secondFactorGrace: null,
    timestampPolicy: 'later',
    constanciaPolicy: 'none',
    reminders: 'none',
    reportSchedule: 'none',
    publicNames: 'masked',
    publicDownloads: 'allowed',
    ...changes,
  } satisfies Record<keyof Office, unknown>)
}

export function aUser(office: Office, changes: Partial<Record<keyof User, unknown>> = {}): User {
  return User.parse({
    id: randomUUID(),
    officeId: office.id,
    firstName: 'Ximena',
    lastName: 'Cañedo Íñiguez',
    email: `persona-${randomUUID()}@notaria.example`,
    rfc: 'CACX7605101P8',
    curp: 'CACX760510MGTSHC04',
    state: 'active',
    stateSince: MORNING,
    stateBy: null,
    stateReason: null,
    passwordChangedAt: MORNING,
    passwordChangeSince: null,
    passwordChangeBy: null,
    capacity: null,
    capacityOf: null,
    capacityFrom: null,
    capacityTo: null,
    createdAt: MORNING,
    roles: ['NOTARY'],
    ...changes,
  } satisfies Record<keyof User, unknown>)
}

/** How `user` asks, without a session row: for use cases that do not read it. */
export function asPerson(user: User, changes: Partial<Person> = {}): Person {
  return {
    kind: 'person',
    userId: user.id,
    officeId: user.officeId,
    sessionId: SessionId.parse(randomUUID()),
    roles: user.roles,
    firstName: user.firstName,
    lastName: user.lastName,
    rfc: user.rfc,
    signedInAt: MORNING,
    provenAt: MORNING,
    secondFactorAt: null,
    duty: null,
    ...origin,
    ...changes,
  }
}

/** An external signer with a valid link, who has accepted the aviso de privacidad. */
export function aGuest(office: Office, changes: Partial<Guest> = {}): Guest {
  return {
    kind: 'guest',
    linkId: SigningLinkId.parse(randomUUID()),
    signerId: SignerId.parse(randomUUID()),
    signingSessionId: SigningSessionId.parse(randomUUID()),
    officeId: office.id,
    name: 'Benito Núñez Peña',
    rfc: Rfc.parse('NUPB800101AB3'),
    consentedAt: MORNING,
    ...origin,
    ...changes,
  }
}

export async function storedOffice(
  db: Database,
  changes: Partial<Record<keyof Office, unknown>> = {},
): Promise<Office> {
  const office = anOffice(changes)
  await db.transaction((trx) => insertOffice(trx, office))
  return office
}

/** @param passwordHash a PHC string; null for a user who has not chosen a password yet */
export async function storedUser(
  db: Database,
  office: Office,
  roles: Role[] = ['NOTARY'],
  changes: Partial<Record<keyof User, unknown>> = {},
  passwordHash: string | null = null,
): Promise<User> {
  const user = aUser(office, { roles, ...changes })
  await db.transaction((trx) => insertUser(trx, user, passwordHash))
  return user
}

/** What the operator says of a second office. */
export const ANOTHER_OFFICE: CreateOffice = {
  office: {
    ...{ number: 45, entity: 'Jalisco', municipality: 'Guadalajara', address: 'Av. Juárez 100' },
    ...{ timeZone: 'America/Mexico_City', name: 'Notaría 45 de Guadalajara' },
  },
  administrator: {
    ...{ firstName: 'Ana', lastName: 'Ruiz Soto', email: 'ana@notaria45.example' },
    rfc: 'RUSA800101AB1',
  },
} as unknown as CreateOffice
