import { expect, test } from 'vitest'
import { MOST_ACCESS_TOKENS } from '#server/domain/identity/access-token.ts'
import { activateAccount } from '#server/features/auth/activate-account.ts'
import { createAccessToken } from '#server/features/auth/create-access-token.ts'
import { listAccessTokens } from '#server/features/auth/list-access-tokens.ts'
import { approveFactorRemoval } from '#server/features/users/approve-factor-removal.ts'
import { issueRecovery } from '#server/features/users/issue-recovery.ts'
import { requestFactorRemoval } from '#server/features/users/request-factor-removal.ts'
import { suspendUser } from '#server/features/users/suspend-user.ts'
import { stranger } from '#tests/support/builders.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { anOfficeWithStaff } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Staff = Awaited<ReturnType<typeof anOfficeWithStaff>>
/** Ends all sessions and tokens of the clerk. */
type End = () => Promise<unknown>

const reason = 'Perdió el teléfono y la llave'
const INPUT = { name: 'Agente de la oficina', days: 90 }
/** Requests of the clerk before the end and after it. */
const [BEFORE, AFTER] = [4, MOST_ACCESS_TOKENS - 4]

const ENDS: Record<string, (system: TestSystem, staff: Staff) => Promise<End>> = {
  async suspension(system, { admin, clerk }) {
    return () => suspendUser(system, admin.person, { userId: clerk.user.id, reason })
  },
  async recovery(system, { admin, clerk }) {
    const { code } = await issueRecovery(system, admin.person, { userId: clerk.user.id })
    const password = 'tortuga verde sobre el tejado'
    return () => activateAccount(system, stranger(), { code, password })
  },
  async 'removal of factors'(system, { admin, second, clerk }) {
    const userId = clerk.user.id
    await withTotp(system, clerk.user)
    const asked = await requestFactorRemoval(system, admin.person, { userId, reason })
    if (asked.kind !== 'asked') throw new Error(asked.kind)
    const removalId = asked.removal.id
    return () => approveFactorRemoval(system, second.person, { userId, removalId })
  },
}

onEachSystem('access tokens', (current) => {
  test.each(Object.entries(ENDS))('requests under way during a %s leave none', async (_, begin) => {
    const system = current()
    const staff = await anOfficeWithStaff(system)
    const { person } = staff.clerk
    const end = await begin(system, staff)
    const more = () => createAccessToken(system, person, INPUT)
    const before = Array.from({ length: BEFORE }, more)
    const ending = end()
    const after = Array.from({ length: AFTER }, more)
    await Promise.allSettled([...before, ending, ...after])
    await expect(ending).resolves.not.toThrow()
    await expect(more()).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await listAccessTokens(system, person)).toEqual([])
  })
})
