import { expect, test } from 'vitest'
import { findOpenActivation, insertActivation } from '#server/db/people/activations.ts'
import { RATINGS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { ratePasswordStrength } from '#server/features/auth/rate-password-strength.ts'
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
