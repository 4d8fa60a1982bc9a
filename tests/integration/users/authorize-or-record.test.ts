import { expect, test } from 'vitest'
import { minutes } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { aGuest, asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('refused action', (current) => {
  async function scene() {
    const { db, clock } = current()
    const office = await storedOffice(db)
    const clerk = asPerson(await storedUser(db, office, ['CLERK']))
    const foreign = await storedOffice(db, { number: 99 })
    const ask = (...[actor, action, where = office]: Asked) => {
      const subject = { kind: 'user', id: clerk.userId } as const
      return authorizeOrRecord(db, actor, action, { officeId: where.id }, clock.now(), subject)
    }
    type Asked = [
      actor: Parameters<typeof authorizeOrRecord>[1],
      action: Parameters<typeof authorizeOrRecord>[2],
      where?: typeof office,
    ]
    const events = async () =>
      (await current().log()).filter(({ action }) => action === 'access.refused')
    return { office, foreign, clerk, ask, events }
  }

  test('of a person: is logged with what they asked for, and why it was refused', async () => {
    const { clerk, foreign, ask, events } = await scene()
    await expect(ask(clerk, 'users.manage')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ask(clerk, 'document.sign', foreign)).rejects.toMatchObject({ code: 'not-found' })
    expect(await events()).toMatchObject([
      {
        ...{ result: 'refused', subject: { kind: 'user', id: clerk.userId } },
        details: { asked: 'users.manage', code: 'forbidden' },
      },
      { details: { asked: 'document.sign', code: 'not-found' } },
    ])
  })

  test('of a person, about nothing in particular: is logged about nothing', async () => {
    const { clerk, office, events } = await scene()
    const { db, clock } = current()
    const asked = authorizeOrRecord(db, clerk, 'users.manage', { officeId: office.id }, clock.now())
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
    expect(await events()).toMatchObject([{ subject: { kind: 'nothing' } }])
  })

  test('of anyone without an account: is not logged, or anyone could fill the log', async () => {
    const { office, ask, events } = await scene()
    await expect(ask(stranger(), 'document.sign')).rejects.toThrow()
    await expect(ask(aGuest(office), 'document.sign')).rejects.toThrow()
    expect(await events()).toEqual([])
  })

  test('a step-up that is asked for first is no refusal', async () => {
    const { office, ask, events } = await scene()
    const admin = asPerson(await storedUser(current().db, office, ['ADMIN']))
    current().wait(minutes(60))
    await expect(ask(admin, 'users.manage')).rejects.toMatchObject({ code: 'step-up-needed' })
    expect(await events()).toEqual([])
  })

  test('an allowed action leaves no event here', async () => {
    const { clerk, ask, events } = await scene()
    expect(await ask(clerk, 'document.upload')).toEqual(clerk)
    expect(await events()).toEqual([])
  })
})
