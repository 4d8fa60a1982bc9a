import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertActivation } from '#server/db/people/activations.ts'
import {
  linkAccounts,
  listLinkedAccounts,
  MOST_ACCOUNTS,
} from '#server/db/people/linked-accounts.ts'
import { replaceUserState } from '#server/db/people/users.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { UserId } from '#server/domain/ids.ts'
import { minutes } from '#server/domain/time.ts'
import { ActivateAccount, activateAccount } from '#server/features/auth/activate-account.ts'
import { ChangePassword, changePassword } from '#server/features/auth/change-password.ts'
import { LinkAccount, linkAccount } from '#server/features/auth/link-account.ts'
import { listOwnAccounts, officeToSwitchFrom } from '#server/features/auth/list-own-accounts.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { switchAccount } from '#server/features/auth/switch-account.ts'
import { unlinkAccount } from '#server/features/auth/unlink-account.ts'
import { MORNING, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'caballo correcto batería'
const OTHER = 'otoño cobre ventana lejos'
const RFC = 'RUSA800101AB1'
const EMAILS = ['ana@notaria12.example', 'ana@notaria45.example', 'ana@notaria46.example'] as const

/** An account of the same person in each of so many offices. */
async function accountsIn(system: TestSystem, count = 2, changes: Record<string, unknown> = {}) {
  const hash = await system.passwords.hash(PASSWORD)
  const users: User[] = []
  for (const [index, email] of EMAILS.slice(0, count).entries()) {
    const name = `Notaría ${12 + index}`
    const office = await storedOffice(system.db, { number: 12 + index, name })
    const facts = { email, rfc: RFC, ...(index > 0 && changes) }
    users.push(await storedUser(system.db, office, ['NOTARY'], facts, hash))
  }
  return users as [User, User, User]
}

/** Signed in to the account, as its next request finds it. */
async function entered(system: TestSystem, { email }: User): Promise<Person> {
  const outcome = await signIn(system, stranger(), SignIn.parse({ email, password: PASSWORD }))
  if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
  return (await resumeSession(system, origin, outcome.tokens.access))!
}

const link = (system: TestSystem, person: Person, { email }: User, password = PASSWORD) =>
  linkAccount(system, person, LinkAccount.parse({ email, password }))

const idsOf = async (system: TestSystem, person: Person) =>
  (await listOwnAccounts(system, person)).map(({ userId }) => userId)

async function linked(system: TestSystem, changes: Record<string, unknown> = {}) {
  const [one, other] = await accountsIn(system, 2, changes)
  const person = await entered(system, one)
  await link(system, person, other)
  return { one, other, person }
}

async function changeAfterSwitch(system: TestSystem, one: User) {
  const input = ChangePassword.parse({ current: PASSWORD, password: OTHER })
  return await changePassword(system, await entered(system, one), input)
}

async function recover(system: TestSystem, one: User) {
  const given = { userId: one.id, purpose: 'recovery', by: null, at: system.clock.now() } as const
  const { code } = await system.db.transaction((trx) => insertActivation(trx, given))
  const input = ActivateAccount.parse({ code, password: OTHER })
  return await activateAccount(system, stranger(), input)
}

async function unlink(system: TestSystem, one: User, { id }: User) {
  await unlinkAccount(system, await entered(system, one), { userId: id })
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code ?? error,
  )

onEachSystem('accounts of one person in several offices', (current) => {
  test('are linked by the password of the other one, and told in the log of each office', async () => {
    const system = current()
    const [one, other] = await accountsIn(system)
    const person = await entered(system, one)
    expect(await link(system, person, other)).toEqual({ kind: 'linked', userId: other.id })
    expect(await listOwnAccounts(system, person)).toEqual([
      { userId: other.id, email: other.email, office: 'Notaría 13', isUsable: true },
    ])
    const events = (await system.log()).filter(({ action }) => action === 'account.linked')
    expect(events).toHaveLength(2)
    const theirs = events.find(({ officeId }) => officeId === other.officeId)
    expect(theirs).toMatchObject({ actor: { kind: 'anonymous' }, subject: { id: other.id } })
    expect(JSON.stringify(theirs)).not.toContain(one.id)
    const own = events.find(({ officeId }) => officeId === one.officeId)
    expect(JSON.stringify(own)).not.toContain(other.id)
  })

  test('the menu names the office of a person with linked accounts, and no other', async () => {
    const system = current()
    const { one, other, person } = await linked(system)
    expect(await officeToSwitchFrom(system, person)).toBe('Notaría 12')
    expect(await officeToSwitchFrom(system, await entered(system, other))).toBe('Notaría 13')
    await unlink(system, one, other)
    expect(await officeToSwitchFrom(system, person)).toBeNull()
  })

  test('are not linked with a wrong password, which is told in the log of that office alone', async () => {
    const system = current()
    const [one, other] = await accountsIn(system)
    const person = await entered(system, one)
    expect(await link(system, person, other, 'caballo incorrecto')).toEqual({ kind: 'refused' })
    expect(await idsOf(system, person)).toEqual([])
    const refused = (await system.log()).filter(({ action }) => action === 'session.refused')
    expect(refused).toMatchObject([{ officeId: other.officeId, actor: { kind: 'anonymous' } }])
    expect(JSON.stringify(refused)).not.toContain(one.id)
  })

  test.each([
    ['of a person with another RFC', { rfc: 'MODJ900101QX3' }, 'other-person'],
    ['that is suspended', { state: 'suspended' }, 'refused'],
  ])('are not linked with one %s', async (_, changes, kind) => {
    const system = current()
    const [one, other] = await accountsIn(system, 2, changes)
    const person = await entered(system, one)
    expect(await link(system, person, other)).toEqual({ kind })
    expect(await idsOf(system, person)).toEqual([])
  })

  test('are not linked with themselves, nor without a recent proof of identity', async () => {
    const system = current()
    const [one, other] = await accountsIn(system)
    const person = await entered(system, one)
    expect(await link(system, person, one)).toEqual({ kind: 'other-person' })
    system.wait(minutes(11))
    expect(await codeOf(link(system, person, other))).toBe('step-up-needed')
  })

  test('of three offices: each leads to both others', async () => {
    const system = current()
    const users = await accountsIn(system, 3)
    const person = await entered(system, users[0])
    await link(system, person, users[1])
    await link(system, await entered(system, users[1]), users[2])
    for (const user of users) {
      const others = users.filter(({ id }) => id !== user.id).map(({ id }) => id)
      expect(new Set(await idsOf(system, await entered(system, user)))).toEqual(new Set(others))
    }
    await unlinkAccount(system, person, { userId: users[2].id })
    expect(await idsOf(system, person)).toEqual([users[1].id])
    expect(await idsOf(system, await entered(system, users[2]))).toEqual([])
  })

  test('switch: ends the session and starts one in the other office, in the log of each', async () => {
    const system = current()
    const { other, person } = await linked(system)
    const outcome = await switchAccount(system, person, { userId: other.id })
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    const next = await resumeSession(system, origin, outcome.tokens.access)
    expect(next).toMatchObject({ userId: other.id, officeId: other.officeId })
    expect(await codeOf(switchAccount(system, person, { userId: other.id }))).toBe('not-signed-in')
    const log = await system.log()
    const ended = log.find(({ action }) => action === 'session.ended')
    expect(ended).toMatchObject({ officeId: person.officeId, details: { reason: 'switched' } })
    expect(JSON.stringify(ended)).not.toContain(other.id)
    const started = log.findLast(({ action }) => action === 'session.started')
    expect(started).toMatchObject({ officeId: other.officeId, details: { method: 'switch' } })
    expect(JSON.stringify(started)).not.toContain(person.userId)
  })

  test('switch: the second factor of the other account is asked for', async () => {
    const system = current()
    const { other, person } = await linked(system)
    await withTotp(system, other)
    const outcome = await switchAccount(system, person, { userId: other.id })
    expect(outcome.kind).toBe('second-factor-next')
  })

  test('switch: refused to an account that is not linked, not active, or of another RFC by now', async () => {
    const system = current()
    const { one, other, person } = await linked(system)
    const to = (userId: UserId) => codeOf(switchAccount(system, person, { userId }))
    expect(await to(UserId.parse(randomUUID()))).toBe('not-found')
    expect(await to(one.id)).toBe('not-found')
    await system.db.transaction((trx) =>
      replaceUserState(trx, other.id, 'active', 'suspended', MORNING, null),
    )
    expect(await to(other.id)).toBe('wrong-state')
    expect(await listOwnAccounts(system, person)).toMatchObject([{ isUsable: false }])
    await system.db.transaction(async (trx) => {
      const changed = { state: 'active', rfc: 'MODJ900101QX3' }
      await trx.updateTable('users').set(changed).where('id', '=', other.id).execute()
    })
    expect(await to(other.id)).toBe('not-found')
    expect(await listOwnAccounts(system, person)).toMatchObject([{ isUsable: false }])
  })

  test('switch: a recent proof of identity is needed, because the new session has one', async () => {
    const system = current()
    const { other, person } = await linked(system)
    system.wait(minutes(11))
    const late = switchAccount(system, person, { userId: other.id })
    expect(await codeOf(late)).toBe('step-up-needed')
  })

  test('recovery: an account whose password an administrator let choose anew leads nowhere', async () => {
    const system = current()
    const { one, other } = await linked(system)
    const outcome = await recover(system, one)
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    const person = (await resumeSession(system, origin, outcome.tokens.access))!
    expect(await idsOf(system, person)).toEqual([])
    const switched = switchAccount(system, person, { userId: other.id })
    expect(await codeOf(switched)).toBe('not-found')
  })

  test.each([
    ['a changed password', (system: TestSystem, one: User) => changeAfterSwitch(system, one)],
    ['a recovery', (system: TestSystem, one: User) => recover(system, one)],
    ['unlinking', (system: TestSystem, one: User, other: User) => unlink(system, one, other)],
  ])('%s: ends the session that a switch began in the other office', async (_, end) => {
    const system = current()
    const { one, other, person } = await linked(system)
    const outcome = await switchAccount(system, person, { userId: other.id })
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    await end(system, one, other)
    expect(await resumeSession(system, origin, outcome.tokens.access)).toBeUndefined()
    const theirs = (await system.log()).filter(({ officeId }) => officeId === other.officeId)
    expect(JSON.stringify(theirs)).not.toContain(one.id)
  })

  test('a changed password: the log of the other office has the end, and not why', async () => {
    const system = current()
    const { one, other, person } = await linked(system)
    await switchAccount(system, person, { userId: other.id })
    expect(await changeAfterSwitch(system, one)).toMatchObject({ ended: 1 })
    const ended = (await system.log()).findLast(({ action }) => action === 'session.ended')
    expect(ended).toMatchObject({
      ...{ officeId: other.officeId, actor: { kind: 'anonymous' }, subject: { id: other.id } },
      details: { reason: 'ended-by-user', sessions: 1 },
    })
  })

  test('more than twenty of one person: the link is refused, and those there are stay', async () => {
    const system = current()
    const ids: UserId[] = []
    for (let number = 1; number <= MOST_ACCOUNTS + 1; number += 1) {
      const office = await storedOffice(system.db, { number, name: `Notaría ${number}` })
      const email = `ana@notaria${number}.example`
      ids.push((await storedUser(system.db, office, ['NOTARY'], { email, rfc: RFC })).id)
    }
    const [first, ...others] = ids as [UserId, ...UserId[]]
    const linkAll = (users: readonly UserId[], to: UserId) =>
      system.db.transaction(async (trx) => {
        const done: boolean[] = []
        for (const id of users) done.push(await linkAccounts(trx, to, id, MORNING))
        return done
      })
    const [half, rest] = [others.slice(0, 10), others.slice(10)]
    await linkAll(half, first)
    await linkAll(rest.slice(1), rest[0]!)
    expect(await linkAll([rest[0]!], first)).toEqual([false])
    expect(await listLinkedAccounts(system.db, first)).toEqual(half.toSorted())
  })

  test('unlinking: an account that is not linked is not found', async () => {
    const system = current()
    const { one, other, person } = await linked(system)
    await unlinkAccount(system, person, { userId: other.id })
    for (const userId of [other.id, one.id, UserId.parse(randomUUID())])
      expect(await codeOf(unlinkAccount(system, person, { userId }))).toBe('not-found')
  })

  test('links from all sides at once: each account leads to both others', async () => {
    const system = current()
    const [one, other, third] = await accountsIn(system, 3)
    const [a, b, c] = [
      await entered(system, one),
      await entered(system, other),
      await entered(system, third),
    ]
    const asked: [Person, User][] = [
      ...[[a, other] as const, [b, third] as const, [c, one] as const],
      ...[[a, third] as const, [b, one] as const, [c, other] as const],
    ].map(([person, user]) => [person, user])
    await Promise.all(asked.map(([person, user]) => link(system, person, user)))
    for (const person of [a, b, c]) expect(await idsOf(system, person)).toHaveLength(2)
  })
})
