import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#server/adapters/clock.ts'
import { createMemory } from '#server/adapters/memory.ts'
import { liftLock } from '#server/cli/lift-lock.ts'
import { openDatabase } from '#server/db/database.ts'
import { consumeSignInAttempt } from '#server/features/auth/consume-sign-in-attempt.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { said } from '#tests/support/processes/command-line.ts'

const run = (folder: string, ...args: string[]) =>
  said(() => {
    vi.stubEnv('DATA_DIR', folder)
    return liftLock(args)
  })

test('a sole administrator who is locked out can try again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-lift-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const db = openDatabase(path.join(folder, 'rubrica.sqlite'))
  onTestFinished(() => db.close())
  await db.migrate()
  const user = await storedUser(db, await storedOffice(db), ['ADMIN'])
  const system = { db, memory: createMemory() }
  const attempt = { email: user.email, user, isKnown: false }
  const consume = () => consumeSignInAttempt(system, stranger(), attempt, systemClock.now())
  for (let turn = 0; turn < 5; turn += 1) await consume()
  await expect(consume()).rejects.toMatchObject({ code: 'too-many-attempts' })

  const lifted = await run(folder, '--email', user.email)
  expect([lifted.status, lifted.output[0]]).toEqual([
    0,
    expect.stringContaining('Se quitó el bloqueo de'),
  ])
  await consume()
  const again = await run(folder, '--email', user.email)
  expect([again.status, again.output[0]]).toEqual([
    0,
    expect.stringContaining('no tiene ningún bloqueo'),
  ])
  const unknown = await run(folder, '--email', 'nadie@notaria.example')
  expect([unknown.status, unknown.output]).toEqual([1, []])
  expect(unknown.errors[0]).toContain('Ninguna persona')
})

test('a wrong folder gets no database', async () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'rubrica-empty-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const { errors } = await run(empty, '--email', 'a@notaria.example')
  expect(errors[0]).toContain('revise DATA_DIR')
  expect((await run(empty)).status).toBe(2)
  expect(readdirSync(empty)).toEqual([])
})
