import { expect, test } from 'vitest'
import { findOpenActivation, insertActivation } from '#server/db/people/activations.ts'
import { RATINGS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { ratePasswordStrength } from '#server/features/auth/rate-password-strength.ts'
import { mustBeStrong } from '#server/features/auth/require-strong-password.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('rating a password', (current) => {
  test('applies the same rule that accepts or refuses the password', async () => {
    const system = current()
    const rate = (password: string, more = {}) =>
      ratePasswordStrength(system, stranger(), { password, ...more })
    expect(await rate('caballo correcto batería')).toEqual({ score: 4, weakness: undefined })
    expect(await rate('corta')).toMatchObject({ score: 0, weakness: 'too-short' })
    expect(await rate('contraseña12345')).toMatchObject({ score: 1, weakness: 'too-common' })
    const words = ['Notaría 15', 'Monterrey']
    expect(await rate('notaria15monterrey', { words })).toMatchObject({ weakness: 'own-words' })
    expect(await system.log()).toEqual([])
  })

  test('strangers who rate many at once do not keep a password from being accepted', async () => {
    const system = current()
    const rated = Array.from({ length: 60 }, (_, n) =>
      ratePasswordStrength(system, stranger({ ip: `203.0.113.${n}` }), {
        password: `caballo correcto batería ${n}`,
      }),
    )
    const all = Promise.allSettled(rated)
    // Until more wait than may.
    await new Promise((resolve) => {
      for (const one of rated) one.catch(resolve)
    })
    await mustBeStrong(system, 'tortuga verde sobre el tejado', [])
    const outcomes = Map.groupBy(await all, ({ status }) => status)
    expect(outcomes.get('fulfilled')?.length).toBeGreaterThan(1)
    expect(outcomes.get('rejected')?.[0]).toMatchObject({ reason: { code: 'too-many-attempts' } })
  })

  test('password rating: uses the words of the user, by session or by a link that stays unused', async () => {
    const system = current()
    const office = await storedOffice(system.db, { municipality: 'Zacatlán' })
    const names = { firstName: 'Wilhelmina', lastName: 'Oyarzábal' }
    const user = await storedUser(system.db, office, ['CLERK'], { ...names, state: 'invited' })
    const password = 'wilhelmina.oyarzabal'
    expect(await ratePasswordStrength(system, asPerson(user), { password })).toMatchObject({
      weakness: 'own-words',
    })
    const { code } = await system.db.transaction((trx) =>
      insertActivation(trx, { userId: user.id, purpose: 'activation', by: null, at: MORNING }),
    )
    expect(await ratePasswordStrength(system, stranger(), { password, code })).toMatchObject({
      weakness: 'own-words',
    })
    expect(await findOpenActivation(system.db, code, MORNING)).toBeDefined()
    expect(await ratePasswordStrength(system, stranger(), { password })).toMatchObject({
      weakness: undefined,
    })
  })

  test('as often as the policy says from one network, then no more', async () => {
    const system = current()
    await ratePasswordStrength(system, stranger(), { password: 'corta' })
    const many = { attempts: RATINGS_FROM_NETWORK.free }
    await system.db.transaction((trx) => trx.updateTable('attempts').set(many).execute())
    await expect(ratePasswordStrength(system, stranger(), { password: 'corta' })).rejects.toEqual(
      expect.objectContaining({ code: 'too-many-attempts', retryAfter: 900_000 }),
    )
  })
})
