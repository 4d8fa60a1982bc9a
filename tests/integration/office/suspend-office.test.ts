import { expect, test } from 'vitest'
import type { OfficeState } from '#server/domain/offices/office-state.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { createAccessToken } from '#server/features/auth/create-access-token.ts'
import { findRefreshable } from '#server/features/auth/find-refreshable.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { resumeWithToken } from '#server/features/auth/resume-with-token.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { changeOfficeState } from '#server/features/offices/suspend-office.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { asPerson, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { signedIn } from '#tests/support/keys/security-keys.ts'
import { aGuestInvitation, aLink, opened } from '#tests/support/office/guests.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'

const PASSWORD = 'caballo correcto batería'
const SUSPENDED = { code: 'office-suspended' }

onEachSigningSystem('a suspended office', (current) => {
  const become = (state: OfficeState, number = 12) =>
    changeOfficeState(current(), {
      ...{ number, entity: undefined, state },
      reason: 'Terminó el contrato 4/2026' as Reason,
    })

  const aUser = async (number = 12) => {
    const { db, passwords } = current()
    const office = await storedOffice(db, { number })
    const email = { email: `ximena-${number}@notaria.example` }
    const hash = await passwords.hash(PASSWORD)
    return { office, user: await storedUser(db, office, ['ADMIN'], email, hash) }
  }

  const attempt = (number = 12) => {
    const typed = { email: `ximena-${number}@notaria.example`, password: PASSWORD }
    return signIn(current(), stranger(), SignIn.parse(typed))
  }

  test('lets none of its users in, ends their sessions, and works again as before', async () => {
    const system = current()
    await aUser()
    const session = await attempt()
    if (session.kind !== 'signed-in') throw new Error(session.kind)
    const { access, refresh } = session.tokens
    expect(await resumeSession(system, origin, access)).toBeDefined()
    await become('suspended')
    expect(await resumeSession(system, origin, access)).toBeUndefined()
    expect(await findRefreshable(system, refresh)).toMatchObject({ state: 'over' })
    await expect(attempt()).rejects.toMatchObject(SUSPENDED)
    await become('active')
    expect(await resumeSession(system, origin, access)).toBeDefined()
    expect(await attempt()).toMatchObject({ kind: 'signed-in' })
    const told = (await system.log()).map(({ action, actor }) => `${action} ${actor.kind}`)
    expect(told).toEqual([
      'session.started person',
      'office.suspended system',
      'session.refused anonymous',
      'office.resumed system',
      'session.started person',
    ])
  })

  test('with a wrong password: the answer is that of any wrong password', async () => {
    await aUser()
    await become('suspended')
    const typed = { email: 'ximena-12@notaria.example', password: 'otra cosa muy distinta' }
    expect(await signIn(current(), stranger(), SignIn.parse(typed))).toEqual({ kind: 'refused' })
  })

  test('lets none of its programs and external signers in', async () => {
    const system = current()
    const scene = await aGuestInvitation(system)
    const token = await opened(system, await aLink(system, scene))
    const holder = await signedIn(system, await storedUser(system.db, scene.office, ['NOTARY']))
    const program = await createAccessToken(system, holder, { name: 'Agente', days: 90 })
    expect(await resumeGuest(system, origin, token)).toBeDefined()
    await become('suspended', scene.office.number)
    await expect(resumeGuest(system, origin, token)).rejects.toMatchObject(SUSPENDED)
    const asked = { ...origin, browser: null }
    const calling = resumeWithToken(system, asked, program.text, 'sign')
    await expect(calling).rejects.toMatchObject(SUSPENDED)
    await become('active', scene.office.number)
    expect(await resumeGuest(system, origin, token)).toBeDefined()
    expect(await resumeWithToken(system, asked, program.text, 'sign')).toBeDefined()
  })

  test('lets no signing link be opened, which stays good', async () => {
    const system = current()
    const scene = await aGuestInvitation(system)
    const code = await aLink(system, scene)
    const open = () => openSigningLink(system, stranger(), { code, held: undefined })
    await become('suspended', scene.office.number)
    await expect(open()).rejects.toMatchObject(SUSPENDED)
    await become('active', scene.office.number)
    expect(await open()).toMatchObject({ kind: 'opened' })
  })

  test('is verified in public as before', async () => {
    const system = current()
    const scene = await aScene(system)
    await signAs(system, scene.person, scene.efirma, scene.document)
    await become('suspended', scene.office.number)
    const found = await readVerification(system, stranger(), { id: scene.document.id })
    expect(found).toMatchObject({ kind: 'found', report: { verdict: 'VALID' } })
  })

  test('does not touch another office', async () => {
    await aUser()
    await aUser(77)
    await become('suspended')
    expect(await attempt(77)).toMatchObject({ kind: 'signed-in' })
  })

  test('stays so when its row is written for another reason', async () => {
    const system = current()
    const { user } = await aUser()
    await become('suspended')
    await changePolicies(system, asPerson(user), { decided: { reminders: '3' } })
    await expect(attempt()).rejects.toMatchObject(SUSPENDED)
  })

  test('is named by its number, and twice is once', async () => {
    const system = current()
    await aUser()
    await aUser(77)
    expect(await become('suspended')).toMatchObject({ office: { number: 12 }, isChanged: true })
    expect(await become('suspended')).toMatchObject({ isChanged: false })
    const either = changeOfficeState(system, {
      ...{ number: undefined, entity: undefined, state: 'suspended' as const },
      reason: 'Terminó el contrato 4/2026' as Reason,
    })
    await expect(either).rejects.toMatchObject({ code: 'not-found' })
    await expect(become('suspended', 99)).rejects.toMatchObject({ code: 'not-found' })
    const told = (await system.log()).filter(({ action }) => action === 'office.suspended')
    expect(told.map(({ details }) => details)).toEqual([{ reason: 'Terminó el contrato 4/2026' }])
  })
})
