import { expect, test } from 'vitest'
import { LINKS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { after } from '#server/domain/time.ts'
import { consumeLinkAttempt } from '#server/steps/sign-ins/consume-link-attempt.ts'
import { MORNING } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'

onEachDatabase('attempts at links', (current) => {
  test('a network has so many in a while, another network its own', async () => {
    const attempt = (ip: string, at = MORNING) => consumeLinkAttempt(current().db, ip, at)
    for (let made = 0; made < LINKS_FROM_NETWORK.free; made += 1) await attempt('203.0.113.7')
    await expect(attempt('203.0.113.7')).rejects.toMatchObject({ code: 'too-many-attempts' })
    await attempt('198.51.100.7')
    await attempt('203.0.113.7', after(MORNING, LINKS_FROM_NETWORK.window))
  })
})
