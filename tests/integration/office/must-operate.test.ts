import { expect, test } from 'vitest'
import { replaceOfficeState } from '#server/db/people/office-states.ts'
import type { OfficeState } from '#server/domain/offices/office-state.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import { MORNING, storedOffice } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'

onEachDatabase('office that must operate', (current) => {
  test('is refused while it is suspended, and no other with it', async () => {
    const { db } = current()
    const { id } = await storedOffice(db)
    const other = await storedOffice(db, { number: 77 })
    const become = (state: OfficeState) =>
      db.transaction((trx) =>
        replaceOfficeState(trx, id, state, { at: MORNING, reason: 'Terminó el contrato 4/2026' }),
      )
    await expect(mustOperate(db, id)).resolves.toBeUndefined()
    await become('suspended')
    await expect(mustOperate(db, id)).rejects.toMatchObject({ code: 'office-suspended' })
    await expect(mustOperate(db, other.id)).resolves.toBeUndefined()
    await become('active')
    await expect(mustOperate(db, id)).resolves.toBeUndefined()
  })
})
