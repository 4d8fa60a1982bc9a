import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { rotateKeys } from '#server/cli/rotate-keys.ts'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { findTotpFactor, insertTotpFactor } from '#server/db/factors/totp-factors.ts'
import { placeOfTotpSecret } from '#server/domain/identity/totp-factor.ts'
import { TotpFactorId } from '#server/domain/ids.ts'
import { after, hours, instantOf, minutes, seconds } from '#server/domain/time.ts'
import { MORNING, storedUser } from '#tests/support/builders.ts'
import { aKeyedOffice } from '#tests/support/office/keyed-office.ts'
import { viewOf } from '#tests/support/office/log-events.ts'
import { rubricaWith, said } from '#tests/support/processes/command-line.ts'

const secret = new Uint8Array(20).fill(5)

/** An office with one authenticator app, as the server left it. */
async function anInstallation() {
  const { folder, vault, db, office } = await aKeyedOffice()
  const user = await storedUser(db, office)
  const id = TotpFactorId.parse(randomUUID())
  const place = placeOfTotpSecret({ id, userId: user.id })
  await db.transaction((trx) =>
    insertTotpFactor(trx, {
      id,
      userId: user.id,
      sealed: vault.seal(secret, place),
      memory: { lastStep: 0, drift: seconds(0) },
      createdAt: MORNING,
      state: 'active',
      stateSince: MORNING,
      stateBy: user.id,
    }),
  )
  const open = async () => {
    const factor = await findTotpFactor(db, user.id, 'active')
    return factor && { version: factor.sealed.keyVersion, plain: vault.open(factor.sealed, place) }
  }
  const events = async () =>
    (await listEvents(db, { view: viewOf(office.id), limit: 10 })).events.map(
      ({ action, actor, details }) => ({
        action,
        actor,
        details,
      }),
    )
  const run = (now: number, ...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', path.join(folder, 'data'))
      return rotateKeys(args, folder, instantOf(now))
    })
  const files = () => readdirSync(path.join(folder, 'data/secrets')).toSorted()
  return { folder, open, events, run, files }
}

test('a new key seals everything; the old one goes when it is asked for, an hour later', async () => {
  const { folder, open, events, run, files } = await anInstallation()
  const real = rubricaWith({}, folder, 'rotate-keys')
  expect([real.status, real.errors]).toEqual([0, []])
  expect(real.output[0]).toBe('La llave nueva es sealing-2.key; secretos cifrados de nuevo: 1.')
  expect(await open()).toEqual({ version: 2, plain: secret })
  expect(files()).toEqual(['sealing-1.key', 'sealing-2.key'])

  const now = instantOf(Date.now())
  const early = await run(after(now, minutes(59)), '--drop-old')
  expect(early).toMatchObject({ status: 0, output: ['No hay llaves que se puedan borrar.'] })
  const late = await run(after(now, hours(2)), '--drop-old')
  expect(late).toMatchObject({ status: 0, output: ['Llaves borradas: sealing-1.key.'] })
  expect(files()).toEqual(['sealing-2.key'])
  expect(await open()).toEqual({ version: 2, plain: secret })
  const actor = { kind: 'system', name: 'rubrica rotate-keys' }
  expect(await events()).toEqual([
    { action: 'keys.dropped', actor, details: { keyVersions: '1' } },
    {
      action: 'keys.rotated',
      actor,
      details: { keyVersion: 2, resealed: 1, unreadable: 0 },
    },
  ])
})

test('a run that was broken off is finished before another key is made', async () => {
  const { folder, open, run, files } = await anInstallation()
  openSealingKeys(path.join(folder, 'data/secrets')).add()
  const rest = await run(Date.now())
  expect(rest.output[0]).toBe(
    'Se terminó el cambio a la llave sealing-2.key; secretos cifrados de nuevo: 1.',
  )
  expect(await open()).toEqual({ version: 2, plain: secret })
  expect((await run(Date.now())).output[0]).toContain('sealing-3.key')
  expect(files()).toHaveLength(3)
})

test('a wrong folder gets no keys, and an unknown option does nothing', async () => {
  const { run, files } = await anInstallation()
  const empty = mkdtempSync(path.join(tmpdir(), 'rubrica-rotate-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const wrong = rubricaWith({}, empty, 'rotate-keys')
  expect(wrong.status).toBe(2)
  expect(wrong.errors[0]).toContain('revise DATA_DIR y SECRETS_DIR')
  expect(readdirSync(empty)).toEqual([])
  expect((await run(Date.now(), '--now')).status).toBe(2)
  expect(files()).toEqual(['sealing-1.key'])
})
