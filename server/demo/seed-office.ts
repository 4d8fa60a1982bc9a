import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { insertOffice, listOffices } from '#server/db/people/offices.ts'
import { insertUser, listUsers } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { Day, startOfDay } from '#server/domain/day.ts'
import { Office } from '#server/domain/identity/office.ts'
import { User } from '#server/domain/identity/user.ts'
import { CertificateId, OfficeId, UserId } from '#server/domain/ids.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { hours, type Instant, minutes } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { System } from '#server/system.ts'
import type { DemoFiles } from './demo-files.ts'
import { DEMO_PASSWORD, type DemoPerson } from './people.ts'

export type DemoOffice = { office: Office; users: readonly User[] }

const SEEDER = 'demostración'
const ZONE = 'America/Mexico_City'
const SINCE = startOfDay(Day.parse('2021-01-04'), ZONE)

/** Someone of the demo office. */
export type Joining = DemoPerson & {
  /** When their capacity ends; null or absent if it does not. */
  capacityTo?: Instant | null
}

/** The demo office with its people and their certificates, made once in one transaction. */
export async function seedOffice(
  system: System,
  files: DemoFiles,
  joining: readonly Joining[],
): Promise<DemoOffice> {
  const [known] = await listOffices(system.db)
  if (known) return { office: known, users: await listUsers(system.db, known.id) }

  const at = system.clock.now()
  const office = demoOffice(system.settings.uploadLimit)
  const passwordHash = await system.passwords.hash(DEMO_PASSWORD)
  const people = joining.map((person) => ({ person, user: userOf(person, office.id, at) }))
  await system.db.transaction(async (trx) => {
    await insertOffice(trx, office)
    for (const { user } of people) await insertUser(trx, user, passwordHash)
    for (const { person, user } of people)
      await insertOwnCertificate(trx, user, files.efirmas.get(person.slug)?.cer, at)
    const record = (action: AuditEvent['action'], subject: AuditEvent['subject']) =>
      appendSystemEvent(trx, {
        by: SEEDER,
        at,
        officeId: office.id,
        action,
        subject,
        result: 'success',
        details: {},
      })
    await record('office.created', { kind: 'office', id: office.id })
    for (const { user } of people) await record('user.created', { kind: 'user', id: user.id })
  })
  return { office, users: people.map(({ user }) => user) }
}

/** The titular of the demo. */
const SUBSTITUTED = 'María Ángeles Núñez Ibáñez, Notaría 12 de la Ciudad de México'

function demoOffice(uploadLimit: number): Office {
  return Office.parse({
    id: OfficeId.parse(randomUUID()),
    number: 12,
    entity: 'Ciudad de México',
    municipality: 'Coyoacán',
    address: 'Francisco Sosa 202, Santa Catarina, 04010 Coyoacán, Ciudad de México',
    timeZone: ZONE,
    name: 'Notaría 12 de la Ciudad de México (demostración)',
    serverSigning: 'allowed',
    presence: 'none',
    uploadLimit,
    sessionIdle: minutes(60),
    sessionAbsolute: hours(12),
    secondFactorGrace: null,
    timestampPolicy: 'later',
    constanciaPolicy: 'at-completion',
    reminders: 'none',
    reportSchedule: 'none',
    publicNames: 'masked',
    publicDownloads: 'allowed',
  })
}

function userOf(person: Joining, officeId: OfficeId, at: Instant): User {
  return User.parse({
    id: UserId.parse(randomUUID()),
    officeId,
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    rfc: person.rfc,
    curp: person.curp,
    state: 'active',
    stateSince: at,
    stateBy: null,
    stateReason: null,
    passwordChangedAt: at,
    passwordChangeSince: null,
    passwordChangeBy: null,
    capacity: person.capacity,
    capacityOf: person.capacity === 'suplente' ? SUBSTITUTED : null,
    capacityFrom: person.capacity && SINCE,
    capacityTo: person.capacityTo ?? null,
    createdAt: at,
    roles: [...person.roles],
  })
}

async function insertOwnCertificate(
  trx: Transaction,
  user: User,
  file: string | undefined,
  at: Instant,
): Promise<void> {
  if (!file) return
  const certificate = readCertificate(new Uint8Array(readFileSync(file)))
  const id = CertificateId.parse(randomUUID())
  const found = { id, officeId: user.officeId, userId: user.id, at, isForTesting: true }
  await insertCertificate(trx, heldCertificateOf(certificate, found))
}
