import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLogKeys } from '#server/adapters/log-key.ts'
import { openDatabase } from '#server/db/database.ts'
import { addEvents } from '#tests/support/office/log-events.ts'

test('SIGINT in the midst of an export leaves nothing of the log', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const data = path.join(folder, 'data')
  openLogKeys(path.join(data, 'secrets'))
  const db = openDatabase(path.join(data, 'rubrica.sqlite'))
  await db.migrate()
  await addEvents(db, 20_000)
  await db.close()
  const order = ['server/cli/rubrica.ts', 'audit', 'export', '-o', 'bitacora.jsonl']
  const exporting = spawn(process.execPath, order, {
    env: { ...process.env, INIT_CWD: folder, DATA_DIR: data },
  })
  const ended = once(exporting, 'exit')
  while (readdirSync(folder).length === 1 && exporting.exitCode === null) await pause(1)
  exporting.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  expect(readdirSync(folder)).toEqual(['data'])
}, 60_000)
