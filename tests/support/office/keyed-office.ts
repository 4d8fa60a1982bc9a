import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { createVault } from '#server/adapters/vault.ts'
import { openDatabase } from '#server/db/database.ts'
import { storedOffice } from '#tests/support/builders.ts'

/** An office in `data/` below a temporary folder, on SQLite, with the keys that seal its secrets; gone after the test. */
export async function aKeyedOffice() {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-rotate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const keys = openSealingKeys(path.join(folder, 'data/secrets'))
  const db = openDatabase(path.join(folder, 'data/rubrica.sqlite'))
  onTestFinished(() => db.close())
  await db.migrate()
  return { folder, keys, vault: createVault(keys), db, office: await storedOffice(db) }
}
