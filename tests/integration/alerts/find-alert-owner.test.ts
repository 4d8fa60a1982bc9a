import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type AlertSubject, findAlertOwners } from '#server/steps/alerts/find-alert-owner.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('owners of alerts', (current) => {
  test('are those of the account or key; an alert about anything else has none', async () => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    const person = await signedIn(system, user)
    const { credential } = await registeredKey(system, person)
    const owned = [
      { subjectKind: 'user', subjectId: person.userId },
      { subjectKind: 'second-factor', subjectId: credential.id },
    ] as const
    const others: AlertSubject[] = [
      { subjectKind: 'second-factor', subjectId: randomUUID() },
      { subjectKind: 'session', subjectId: person.userId },
      { subjectKind: 'nothing', subjectId: null },
      {},
    ]
    const owners = await findAlertOwners(system.db, [...owned, ...others])
    expect([...owners]).toEqual(owned.map((subject) => [subject, person.userId]))
  })
})
