import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findLogKeys, openLogKeys } from '#server/adapters/log-key.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { FIRST } from '#tests/support/office/log-events.ts'

test('made once, kept to its owner, the same ever after, and never replaced', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-log-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const secrets = path.join(folder, 'secrets')
  const file = path.join(secrets, 'log.key')
  expect(findLogKeys(secrets)).toBeUndefined()
  const made = formatVerifierKey(openLogKeys(secrets)(FIRST).verifier)
  expect(formatVerifierKey(openLogKeys(secrets)(FIRST).verifier)).toBe(made)
  expect(findLogKeys(secrets)?.(FIRST).verifier).toMatchObject({ name: made.split('+')[0] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  truncateSync(file, 16)
  expect(() => openLogKeys(secrets)).toThrow('is not a key')
})
