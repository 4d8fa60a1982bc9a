import { expect, test } from 'vitest'
import { Problem } from '#server/domain/problem.ts'
import { checkTotpCode } from '#server/steps/factors/check-totp-code.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const SECRET = new Uint8Array(20).fill(7)

onEachSystem('code of an authenticator app', (current) => {
  /** @param open unseals the secret */
  async function scene(open: () => Uint8Array = () => SECRET) {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    let opened = 0
    const vault = {
      ...system.vault,
      open: () => {
        opened += 1
        return open()
      },
    }
    const check = (typed: string) => checkTotpCode({ ...system, vault }, stranger(), user, typed)
    const traces = async () => [
      (await listAlertRows(system)).map(({ kind }) => kind),
      (await system.log()).map(({ action }) => action),
    ]
    return { system, user, check, traces, opened: () => opened }
  }

  test('is right once, as its user has the app', async () => {
    const { system, user, check } = await scene()
    const code = codeAt(SECRET, system.clock.now())
    expect(await check(code)).toMatchObject({ ok: false, reason: 'no-such-factor' })
    await withTotp(system, user)
    const checked = await check(`${code.slice(0, 3)} ${code.slice(3)}`)
    if (!checked.ok) throw new Error(checked.reason)
    const commit = () => system.db.transaction((trx) => checked.commit(trx))
    expect([await commit(), await commit()]).toEqual([true, false])
    expect(await check(code)).toMatchObject({ ok: false, reason: 'used-code', hint: 'replayed' })
  })

  test('other than six digits: is malformed, and the secret is not opened', async () => {
    const { system, user, check, opened } = await scene()
    await withTotp(system, user)
    for (const typed of ['', '12345', 'abcdef', '1234567'])
      expect(await check(typed)).toMatchObject({ ok: false, reason: 'malformed' })
    expect(opened()).toBe(0)
  })

  test('with a secret that cannot be unsealed: is refused, logged and told to the office', async () => {
    const { system, user, check, traces } = await scene(() => {
      throw new Problem('secret-unreadable', 'another key')
    })
    await withTotp(system, user)
    await expect(check('123456')).rejects.toMatchObject({ code: 'secret-unreadable' })
    expect(await traces()).toEqual([['secret-unreadable'], ['secret.unreadable']])
  })

  test('with a vault that has a fault: says nothing about the secret', async () => {
    const { system, user, check, traces } = await scene(() => {
      throw new Error('a bug')
    })
    await withTotp(system, user)
    await expect(check('123456')).rejects.toThrow('a bug')
    expect(await traces()).toEqual([[], []])
  })
})
