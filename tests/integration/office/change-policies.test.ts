import { expect, test } from 'vitest'
import { findOffice } from '#server/db/people/offices.ts'
import { OfficePolicies, seenText } from '#server/domain/offices/office-policies.ts'
import { days, minutes } from '#server/domain/time.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { plainSentence } from '#server/words/audit/audit-sentences.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('the policies of an office', (current) => {
  const anOffice = async () => {
    const { db } = current()
    const office = await storedOffice(db, { serverSigning: 'disabled' })
    const by = async (role: 'ADMIN' | 'NOTARY') => asPerson(await storedUser(db, office, [role]))
    const stored = async () => OfficePolicies.parse(await findOffice(db, office.id))
    return { office, by, stored }
  }

  test('are changed together in one event that tells each value before and after', async () => {
    const system = current()
    const { office, by, stored } = await anOffice()
    const administrator = await by('ADMIN')
    const decided = {
      serverSigning: 'allowed',
      secondFactorGrace: days(7),
      publicNames: 'initials',
    } as const
    expect(await changePolicies(system, administrator, { decided })).toEqual({ kind: 'changed' })
    await changePolicies(system, administrator, { decided })
    expect(await stored()).toMatchObject(decided)
    const log = await system.log()
    expect(log).toMatchObject([
      {
        action: 'office.policies-changed',
        subject: { kind: 'office', id: office.id },
        details: {
          serverSigning: 'allowed',
          serverSigningBefore: 'disabled',
          secondFactorGrace: days(7),
          secondFactorGraceBefore: null,
          publicNames: 'initials',
          publicNamesBefore: 'masked',
        },
      },
    ])
    const [event] = log
    if (!event) throw new Error('there is an event')
    const sentence = plainSentence({ ...event, about: undefined })
    for (const told of [
      'Firma en el servidor, de “No permitida” a “Permitida, solo en memoria”',
      'Verificación en dos pasos, de “no se exige” a “se exige a los 7 días”',
      'Nombres en la página pública, de “Ocultos: M**** N****” a “Solo iniciales: M. N.”',
    ])
      expect(sentence).toContain(told)
  })

  test('that contradict each other are not saved, and the log tells nothing', async () => {
    const system = current()
    const { by, stored } = await anOffice()
    const before = await stored()
    const change = { decided: { serverSigning: 'allowed', reminders: '3' } } as const
    expect(await changePolicies(system, await by('ADMIN'), change)).toMatchObject({
      kind: 'conflict',
      conflicts: [{ code: 'server-signing-without-second-factor' }],
    })
    expect(await stored()).toEqual(before)
    expect(await system.log()).toEqual([])
  })

  test('that another tab changed meanwhile are not overwritten; what both want is no conflict', async () => {
    const system = current()
    const { by, stored } = await anOffice()
    const administrator = await by('ADMIN')
    const before = await stored()
    const seen = { sessionIdle: seenText(before.sessionIdle), reminders: seenText('none') }
    await changePolicies(system, administrator, { decided: { sessionIdle: minutes(10) }, seen })
    const second = { decided: { sessionIdle: minutes(60), reminders: '3' }, seen } as const
    const outcome = await changePolicies(system, administrator, second)
    expect(outcome).toMatchObject({ kind: 'stale', names: ['sessionIdle'] })
    expect(outcome).toMatchObject({ now: { sessionIdle: minutes(10) } })
    expect(await stored()).toEqual({ ...before, sessionIdle: minutes(10) })
    const same = { decided: { sessionIdle: minutes(10), reminders: '3' }, seen } as const
    expect(await changePolicies(system, administrator, same)).toEqual({ kind: 'changed' })
    expect(await stored()).toMatchObject({ sessionIdle: minutes(10), reminders: '3' })
  })

  test('are changed by no other role', async () => {
    const system = current()
    const { by, stored } = await anOffice()
    const before = await stored()
    const changing = changePolicies(system, await by('NOTARY'), { decided: { reminders: '3' } })
    await expect(changing).rejects.toMatchObject({ code: 'forbidden' })
    expect(await stored()).toEqual(before)
  })
})
