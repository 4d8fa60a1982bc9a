import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { insertWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import { CSRF_RANDOM_BYTES, makeCsrfToken } from '#server/domain/crypto/csrf.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import { after, hours } from '#server/domain/time.ts'
import { createAccessToken } from '#server/features/auth/create-access-token.ts'
import { keepRequest } from '#server/features/auth/keep-request.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import type { System } from '#server/system.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { keyOf } from '#tests/support/office/full-office.ts'
import { aGuest, aLink, external, mustResume, opened } from '#tests/support/office/guests.ts'
import { newSession } from '#tests/support/office/sessions.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import type { StartedOffice } from '#tests/support/office/started-office.ts'
import { insertKey } from '#tests/support/office/yubikey-rows.ts'
import { alertAbout, anAlert, userCalled } from './seed-things.ts'
import type { ActorName, Credentials, Own, Things } from './world.ts'

const OWNERS = [
  ...(['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR'] as const),
  ...(['stale', 'with-password-duty', 'without-factor', 'foreigner'] as const),
] as const satisfies ActorName[]
type Owner = (typeof OWNERS)[number]

type Account = { user: User; office: Office }
export type Accounts = {
  of: Record<Owner, Account>
  /** Everybody in the office that is asked about. */
  ofOffice: User[]
  password: string
}

/** The people of the matrix who are not in a started office: three states of an account, and another office. */
export async function addAccounts(system: System, started: StartedOffice): Promise<Accounts> {
  const { office, users, described } = started
  const now = system.clock.now()
  const other = await storedOffice(system.db, { number: 500, secondFactorGrace: 0 })
  const both = async (of: Office, rfc: string, changes: object = {}) => ({
    office: of,
    user: await storedUser(system.db, of, ['ADMIN', 'NOTARY'], {
      ...{ capacity: 'asociado', rfc, passwordChangedAt: now },
      ...changes,
    }),
  })
  const called = (email: string) => ({ office, user: userCalled(users, email) })
  const stale = await both(office, 'GOPR850312QA1')
  const withDuty = await both(office, 'SOLJ900704TB2', { passwordChangeSince: now })
  const withoutFactor = await both(office, 'CURM780921HC3')
  return {
    ofOffice: [...users, stale.user, withDuty.user, withoutFactor.user],
    password: described[0]?.password ?? '',
    of: {
      ADMIN: called('administrador@'),
      NOTARY: called('suplente@'),
      LAWYER: called('abogada@'),
      CLERK: called('auxiliar@'),
      AUDITOR: called('auditora@'),
      stale,
      'with-password-duty': withDuty,
      'without-factor': withoutFactor,
      foreigner: await both(other, 'VEGA920115LD4'),
    },
  }
}

export async function seedActors(
  system: System,
  { of, password }: Accounts,
  things: Things,
): Promise<Record<ActorName, Credentials>> {
  const owners = {} as Record<Owner, Credentials>
  for (const name of OWNERS) owners[name] = await personActor(system, name, of[name])
  const { openSigner, linkedSigner, openSession } = things
  const notary = await personOf(system, of.NOTARY)
  const invitation = {
    office: of.NOTARY.office,
    person: notary,
    sessionId: openSession as SigningSessionId,
    signerIds: [openSigner, linkedSigner] as never,
  }
  const guest = await aGuest(system, invitation, 0)
  const reader = await opened(system, await aLink(system, invitation, 1))
  const program = await createAccessToken(system, notary, { name: 'Agente', days: 30 })
  const titular = await signIn(system, stranger({ browser: null }), {
    email: Email.parse(of.CLERK.user.email),
    password,
  })
  if (titular.kind !== 'second-factor-next') throw new Error('the clerk has a second factor')
  return {
    ...owners,
    guest: guestActor(system, 'guest', guest.token, guest.guest.linkId),
    'guest-without-consent': guestActor(
      system,
      'guest-without-consent',
      reader,
      (await mustResume(system, reader)).linkId,
    ),
    'foreign-guest': await foreignGuest(system, of.foreigner),
    program: {
      ...anonymous(system, 'program'),
      authorization: `Bearer ${program.text}`,
      person: notary,
    },
    'between-factors': anonymous(system, 'between-factors', { '__Host-sign-in': titular.token }),
    stranger: anonymous(system, 'stranger'),
  }
}

const NOTHING: Own = {
  otherSession: '',
  key: '',
  token: '',
  alert: '',
  yubikey: '',
  kept: '',
  seenAt: 0,
}

async function personOf(system: System, account: Account): Promise<Person> {
  return { ...(await newSession(system, account, {}, 'TOTP')).person, duty: null }
}

async function personActor(system: System, name: Owner, account: Account): Promise<Credentials> {
  const hasFactors = name !== 'without-factor'
  const own = await ownThings(system, account, hasFactors)
  const { tokens, session, person } = await newSession(
    system,
    account,
    {},
    hasFactors ? 'TOTP' : null,
  )
  const provenAt = after(person.provenAt, name === 'stale' ? hours(-1) : hours(24))
  await system.db.transaction((trx) =>
    trx.updateTable('sessions').set({ proven_at: provenAt }).where('id', '=', session.id).execute(),
  )
  const body = Buffer.from('nothing=more')
  const kept = await keepRequest(system, person, {
    path: '/dashboard/profile/other-sessions',
    contentType: 'application/x-www-form-urlencoded',
    body,
  })
  const { officeId, roles, userId } = person
  const duty =
    name === 'with-password-duty'
      ? 'change-password'
      : name === 'without-factor'
        ? 'set-up-second-factor'
        : null
  return {
    name,
    cookies: { '__Host-session': tokens.access, '__Host-browser': randomUUID() },
    csrf: csrfOf(system, session.id),
    csrfElsewhere: csrfOf(system, session.id),
    authorization: null,
    person: { officeId, roles, userId, provenAt, duty },
    own: { ...own, kept: kept ?? '' },
  }
}

/** What only its owner may change. */
async function ownThings(system: System, account: Account, hasFactors: boolean): Promise<Own> {
  const { user, office } = account
  const other = await newSession(system, account, {}, 'TOTP')
  const key = keyOf(user, system.clock.now())
  const subjectId = randomUUID()
  const token = await createAccessToken(
    system,
    { ...other.person, duty: null },
    { name: 'Otro', days: 30 },
  )
  const at = system.clock.now()
  if (hasFactors) await withTotp(system, user)
  const serial = String(randomInt(1e6, 1e9))
  const yubikey = await system.db.transaction(async (trx) => {
    if (hasFactors) await insertWebauthnCredential(trx, key, new Uint8Array())
    await anAlert(trx, { officeId: office.id, userId: user.id, subjectId, at })
    return await insertKey(trx, {
      ...{ officeId: office.id, by: user.id, serial, holder: user, at },
    })
  })
  return {
    otherSession: other.session.id,
    key: hasFactors ? key.id : randomUUID(),
    token: token.token.id,
    alert: await alertAbout(system, subjectId),
    yubikey: yubikey.id,
    kept: '',
    seenAt: at,
  }
}

async function foreignGuest(system: System, { user, office }: Account): Promise<Credentials> {
  const person = await personOf(system, { user, office })
  const draft = await aDraft(system, person, undefined, 'De la otra notaría')
  const asked = external({ name: 'Gil Ríos Mora', rfc: 'RIMG800101QX5' })
  const { id: sessionId } = await anOpenSession(system, person, sessionOf([draft], [asked]))
  const { ceremony } = await readSigningSession(system, person, { signingSessionId: sessionId })
  const signerIds = ceremony.signers.map(({ id }) => id)
  const { token, guest } = await aGuest(system, { office, person, sessionId, signerIds })
  return guestActor(system, 'foreign-guest', token, guest.linkId)
}

const guestActor = (
  system: System,
  name: ActorName,
  token: string,
  linkId: string,
): Credentials => ({
  ...anonymous(system, name, { '__Host-guest': token }),
  csrf: csrfOf(system, linkId),
})

function anonymous(
  system: System,
  name: ActorName,
  cookies: Record<string, string> = {},
): Credentials {
  const browser = randomUUID()
  return {
    ...{ name, authorization: null, person: null, own: NOTHING },
    cookies: { '__Host-browser': browser, ...cookies },
    csrf: csrfOf(system, browser),
    csrfElsewhere: csrfOf(system, browser),
  }
}

const csrfOf = ({ settings }: System, bearer: string) =>
  makeCsrfToken(settings.csrfKey, bearer, randomBytes(CSRF_RANDOM_BYTES))
