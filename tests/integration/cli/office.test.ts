import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { office } from '#server/cli/offices/office.ts'
import { openDatabase } from '#server/db/database.ts'
import { isSuspended } from '#server/db/people/office-states.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { said } from '#tests/support/processes/command-line.ts'

test('an office is suspended and resumed by the operator, with a reason', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-office-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const db = openDatabase(path.join(folder, 'rubrica.sqlite'))
  onTestFinished(() => db.close())
  await db.migrate()
  const { id, name } = await storedOffice(db)
  const run = (...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', folder)
      return office(args, folder)
    })
  const reason = ['--reason', 'Terminó el contrato 4/2026']
  expect(await run('suspend', ...reason)).toMatchObject({
    status: 0,
    output: [expect.stringContaining(`${name} quedó suspendida`)],
  })
  expect(await isSuspended(db, id)).toBe(true)
  expect((await run('suspend', ...reason)).output[0]).toContain('ya estaba suspendida')
  expect((await run('resume', '--number', '12', ...reason)).status).toBe(0)
  expect(await isSuspended(db, id)).toBe(false)
  const other = await run('suspend', '--number', '13', ...reason)
  expect([other.status, other.errors[0]]).toEqual([1, expect.stringContaining('--number')])
  for (const wrong of [[], ['close'], ['suspend'], ['suspend', '--number', 'doce', ...reason]])
    expect((await run(...wrong)).status, wrong.join(' ')).toBe(2)
  expect(await isSuspended(db, id)).toBe(false)
})
