import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compose } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'
import { freePort } from '#tests/support/server-process.ts'

test('a database that nobody answers for is told with what to do, and without its password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  try {
    const DATABASE_URL = `postgres://ana:secreto@127.0.0.1:${await freePort()}/rubrica`
    const composing = compose(readConfig('start', { DATABASE_URL, DATA_DIR: folder }))
    await expect(composing).rejects.toThrow(ConfigurationError)
    await expect(composing).rejects.toThrow('Revise que PostgreSQL esté en marcha')
    await expect(composing).rejects.not.toThrow('secreto')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
