import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listUsers } from '#server/db/people/users.ts'
import { listGenerations } from '#server/db/sign-ins/session-tokens.ts'
import { listSessions, MOST_LISTED_SESSIONS } from '#server/db/sign-ins/sessions.ts'
import { MOST_LATER } from '#server/domain/identity/refresh.ts'
import { MOST_USERS } from '#server/domain/identity/user.ts'
import { MOST_KEYS } from '#server/domain/identity/webauthn-credential.ts'
import { after, days, minutes } from '#server/domain/time.ts'
import { endOtherSessions } from '#server/features/auth/end-other-sessions.ts'
import { beginWebauthnRegistration } from '#server/features/mfa/begin-webauthn-registration.ts'
import { finishWebauthnRegistration } from '#server/features/mfa/finish-webauthn-registration.ts'
import { InviteUser, inviteUser } from '#server/features/users/invite-user.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { softwareAuthenticator } from '#tests/support/keys/software-authenticator.ts'
import { aMember, outcomeOf } from '#tests/support/office/office-staff.ts'
import { newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function aClerk(system: TestSystem) {
  const office = await storedOffice(system.db)
  return { office, user: await storedUser(system.db, office, ['CLERK']) }
}

onEachSystem('lists of sign-in rows', (current) => {
  test('sessions: the newest ones are listed, and all others end', async () => {
    const system = current()
    const account = await aClerk(system)
    const { person } = await newSession(system, account)
    const own = await system.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', person.sessionId)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: MOST_LISTED_SESSIONS + 50 }, (_, turn) => ({
      ...own,
      id: randomUUID(),
      created_at: after(MORNING, minutes(-turn)),
    }))
    await system.db.transaction(async (trx) => {
      await trx.insertInto('sessions').values(rows).execute()
    })
    const listed = await listSessions(system.db, account.user.id, MORNING)
    expect(listed).toHaveLength(MOST_LISTED_SESSIONS)
    expect(listed.at(-1)?.createdAt).toBeGreaterThan(after(MORNING, minutes(-MOST_LISTED_SESSIONS)))
    expect(await endOtherSessions(system, person)).toBe(rows.length)
    expect(await listSessions(system.db, account.user.id, MORNING)).toHaveLength(1)
  })

  test('tokens: a session that was refreshed very often lists a bounded part', async () => {
    const system = current()
    const { session } = await newSession(system, await aClerk(system))
    const made = { session_id: session.id, kind: 'access', cause: 'refresh', created_at: MORNING }
    const rows = Array.from({ length: 3 * MOST_LATER }, (_, turn) => ({
      ...made,
      token_hash: randomUUID(),
      generation: turn + 2,
      expires_at: after(MORNING, days(1)),
      used_at: null,
      replaced_at: null,
    }))
    await system.db.transaction(async (trx) => {
      await trx.insertInto('session_tokens').values(rows).execute()
    })
    const [first, ...later] = await listGenerations(system.db, session.id, 1)
    expect([first?.number, later.length]).toEqual([1, MOST_LATER])
  })

  test('security keys: the 21st is refused, also for twenty at once', async () => {
    const system = current()
    const { user } = await aClerk(system)
    for (let turn = 1; turn < MOST_KEYS; turn += 1)
      await registeredKey(system, await signedIn(system, user))
    const persons = await Promise.all(Array.from({ length: 20 }, () => signedIn(system, user)))
    const answers = await Promise.all(
      persons.map(async (person) => ({
        person,
        response: softwareAuthenticator().register(await beginWebauthnRegistration(system, person)),
      })),
    )
    const outcomes = await Promise.all(
      answers.map(({ person, response }) =>
        outcomeOf(finishWebauthnRegistration(system, person, { response })),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['done', ...Array<string>(19).fill('too-many-keys')])
    const next = await signedIn(system, user)
    expect(await outcomeOf(beginWebauthnRegistration(system, next))).toBe('too-many-keys')
  }, 60_000)

  test('users: an office has no more than its lists show', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const { person, user } = await aMember(system, office, ['ADMIN'])
    const row = await system.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: MOST_USERS - 2 }, (_, turn) => ({
      ...row,
      id: randomUUID(),
      email: `persona${turn}@notaria.example`,
    }))
    await system.db.transaction(async (trx) => {
      for (let from = 0; from < rows.length; from += 100)
        await trx
          .insertInto('users')
          .values(rows.slice(from, from + 100))
          .execute()
    })
    const invited = (email: string) =>
      inviteUser(
        system,
        person,
        InviteUser.parse({
          firstName: 'Ana',
          lastName: 'Peña',
          email,
          rfc: 'PEAA900101AB1',
          curp: null,
          roles: ['CLERK'],
          capacity: null,
          capacityOf: null,
          capacityFrom: null,
          capacityTo: null,
        }),
      )
    const both = await Promise.all(
      ['ultima@notaria.example', 'otra@notaria.example'].map((email) => outcomeOf(invited(email))),
    )
    expect(both.toSorted()).toEqual(['done', 'too-many-users'])
    expect(await listUsers(system.db, office.id)).toHaveLength(MOST_USERS)
  })
})
