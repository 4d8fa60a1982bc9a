import { randomInt, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findOffice, replaceOffice } from '#server/db/people/offices.ts'
import { insertUser, listUsers } from '#server/db/people/users.ts'
import {
  type DemoAuthority,
  type KeyPair,
  mintEfirma,
  newKeyPair,
} from '#server/demo/certification-authority.ts'
import { DEMO_PASSWORD, type DemoPerson, PEOPLE } from '#server/demo/people.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, days, type Instant } from '#server/domain/time.ts'
import {
  ActivateInstallation,
  activateInstallation,
} from '#server/features/auth/activate-installation.ts'
import { offerInstallation } from '#server/features/auth/offer-installation.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { decideAuthority } from '#server/features/offices/decide-authority.ts'
import { importAuthorities } from '#server/features/offices/import-authorities.ts'
import type { System } from '#server/system.ts'
import {
  aPrivateAuthority,
  certificateUnder,
} from '#tests/support/authorities/private-authority.ts'
import { aUser, stranger } from '#tests/support/builders.ts'

/** The people of an office that was activated for real use, with their e.firmas. */
export type StartedOffice = {
  office: Office
  users: readonly User[]
  /** The only administrator at first, with a session. */
  administrator: Person
  /** Mints e.firmas that the office trusts. */
  authority: DemoAuthority
  /** The same people as programs of a demo know them. */
  described: DescribedUser[]
}

export type DescribedUser = Pick<DemoPerson, 'email' | 'firstName' | 'lastName' | 'keyPassword'> & {
  roles: string[]
  password: string
  cer: string
  key: string
}

const ADMINISTRATOR = 'administrador'

/**
 * Fills an empty installation: an administrator opens the link that `npm start` prints, relaxes two policies and
 * accepts an authority; the other people stand in rows.
 *
 * @param folder for the files of the e.firmas
 */
export async function fillStartedOffice(system: System, folder: string): Promise<StartedOffice> {
  const administrator = await activate(system)
  const office = await relaxedOffice(system, administrator)
  await addPeople(system, office)
  const authority = await acceptedAuthority(system, administrator)
  const described = await describePeople(authority, folder, system.clock.now())
  const users = await listUsers(system.db, office.id)
  // Every session is one that a test began.
  await signOut(system, administrator)
  return { office, users, administrator, authority, described }
}

/** As strict as it begins, it would send everybody to set up a second factor, and take no key on the server. */
async function relaxedOffice({ db }: System, { officeId }: Person): Promise<Office> {
  const strict = await findOffice(db, officeId)
  if (!strict) throw new Error('an activated installation has an office')
  // Not by the forms: they refuse the two together.
  const office: Office = { ...strict, secondFactorGrace: null, serverSigning: 'allowed' }
  await db.transaction((trx) => replaceOffice(trx, office))
  return office
}

async function activate(system: System): Promise<Person> {
  const offer = await offerInstallation(system)
  const [, code] = /#(\S+)$/.exec(offer?.link ?? '') ?? []
  const { firstName, lastName, email, rfc } = personOf(ADMINISTRATOR)
  const input = ActivateInstallation.parse({
    ...{ firstName, lastName, email, rfc, password: DEMO_PASSWORD },
    code: ActivationCode.parse(code),
    number: randomInt(1, 400),
    name: 'Notaría 12 de la Ciudad de México',
    entity: 'Ciudad de México',
    municipality: 'Coyoacán',
    address: 'Francisco Sosa 202, Santa Catarina, 04010 Coyoacán',
    timeZone: 'America/Mexico_City',
  })
  const visitor = stranger({ requestId: randomUUID() })
  const outcome = await activateInstallation(system, visitor, input)
  if (outcome.kind !== 'signed-in') throw new Error(`the activation answers ${outcome.kind}`)
  const person = await resumeSession(system, visitor, outcome.tokens.access)
  if (!person) throw new Error('the activation begins a session')
  // As if with a second factor, which the sign-ins of the suite do without.
  return { ...person, duty: null }
}

const personOf = (slug: string): DemoPerson => {
  const found = PEOPLE.find((person) => person.slug === slug)
  if (!found) throw new Error(`no person is called ${slug}`)
  return found
}

async function addPeople({ db, passwords, clock }: System, office: Office): Promise<void> {
  const hash = await passwords.hash(DEMO_PASSWORD)
  const now = clock.now()
  const since = { stateSince: now, passwordChangedAt: now, createdAt: now }
  for (const { roles, email, firstName, lastName, rfc, curp, capacity, slug } of PEOPLE) {
    if (slug === ADMINISTRATOR) continue
    const facts = { roles: [...roles], email, firstName, lastName, rfc, curp, capacity }
    const user = aUser(office, {
      ...facts,
      ...since,
      capacityOf: null,
      capacityFrom: capacity && after(now, days(-400)),
    })
    await db.transaction((trx) => insertUser(trx, user, hash))
  }
}

/** An authority like the SAT's that is not known as one for testing, accepted with its root. */
async function acceptedAuthority(system: System, administrator: Person): Promise<DemoAuthority> {
  const root = await aPrivateAuthority('Agencia Registradora de la Suite')
  const issuing = await certificateUnder(root, {
    name: 'Autoridad Certificadora de la Suite',
    isAuthority: true,
  })
  const fileName = 'autoridades.pem'
  for (const { certificate } of [root, issuing]) {
    const { certificates } = await importAuthorities(system, administrator, {
      fileName,
      content: [certificate.der],
    })
    for (const { sha256 } of certificates)
      await decideAuthority(system, administrator, {
        ...{ kind: 'accept', sha256 },
        reason: 'La suite firma con ella.',
        revocation: 'when-available',
        ocsp: [],
      })
  }
  return {
    root: root.certificate,
    rootKey: root.key,
    issuing: issuing.certificate,
    issuingKey: issuing.key,
  }
}

async function describePeople(
  authority: DemoAuthority,
  folder: string,
  now: Instant,
): Promise<DescribedUser[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const described: DescribedUser[] = []
  // One for all: making keys takes longer than everything else here.
  const keyPair = await newKeyPair()
  for (const person of PEOPLE) {
    const { roles, email, firstName, lastName, keyPassword, slug } = person
    const efirma = await mintEfirma(authority, efirmaOf(person, keyPair, now))
    const [cer, key] = [path.join(folder, `${slug}.cer`), path.join(folder, `${slug}.key`)]
    writeFileSync(cer, efirma.cer, { mode: 0o600 })
    writeFileSync(key, efirma.key, { mode: 0o600 })
    const named = { email, firstName, lastName, keyPassword }
    described.push({ ...named, roles: [...roles], password: DEMO_PASSWORD, cer, key })
  }
  return described
}

const efirmaOf = (
  { firstName, lastName, rfc, curp, serial, keyPassword }: DemoPerson,
  keyPair: KeyPair,
  now: Instant,
) =>
  ({
    kind: 'efirma-natural',
    name: `${firstName} ${lastName}`.toUpperCase(),
    ...{ rfc, curp, serial, password: keyPassword, keyPair },
    notBefore: after(now, days(-200)),
  }) as const
