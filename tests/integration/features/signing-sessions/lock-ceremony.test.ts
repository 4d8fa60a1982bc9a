import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { SigningSessionId } from '#server/domain/ids.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { storedCeremony } from '#tests/support/office/stored-ceremony.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('session that is locked', (current) => {
  test('is read as it is; one that does not exist is not found', async () => {
    const { ceremony } = await storedCeremony(current().db)
    const lock = (id: SigningSessionId) => current().db.transaction((trx) => lockCeremony(trx, id))
    expect(await lock(ceremony.session.id)).toEqual(ceremony)
    await expect(lock(SigningSessionId.parse(randomUUID()))).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('another request waits until the first is over', async () => {
    const { ceremony } = await storedCeremony(current().db)
    const story: string[] = []
    const request = (name: string) =>
      current().db.transaction(async (trx) => {
        await lockCeremony(trx, ceremony.session.id)
        story.push(`${name} begins`)
        for (let query = 0; query < 50; query += 1)
          await trx.selectFrom('offices').select('id').execute()
        story.push(`${name} ends`)
      })
    await Promise.all([request('one'), request('other')])
    expect(story.map((line) => line.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends'])
  })
})
