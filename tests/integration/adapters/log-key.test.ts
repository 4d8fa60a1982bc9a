import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findLogKey, openLogKey } from '#server/adapters/log-key.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'

test('made once, kept to its owner, the same ever after, and never replaced', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-log-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const secrets = path.join(folder, 'secrets')
  const file = path.join(secrets, 'log.key')
  expect(findLogKey(secrets)).toBeUndefined()
  const made = formatVerifierKey(openLogKey(secrets).verifier)
  expect(formatVerifierKey(openLogKey(secrets).verifier)).toBe(made)
  expect(findLogKey(secrets)?.verifier).toMatchObject({ name: made.split('+')[0] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  truncateSync(file, 16)
  expect(() => openLogKey(secrets)).toThrow('is not a key')
})
