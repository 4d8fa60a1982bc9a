import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openSecrets, type Secrets } from '#server/adapters/secrets.ts'

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'secrets')
}

const bytesOf = ({ csrfKey, tokenKey }: Secrets) => ({
  csrfKey: csrfKey.export(),
  tokenKey: Buffer.from(tokenKey),
})

test('made once, kept to its owner, the same ever after', () => {
  const folder = aFolder()
  const { csrfKey, tokenKey } = bytesOf(openSecrets(folder))
  expect(csrfKey).toHaveLength(32)
  expect(tokenKey).toHaveLength(32)
  expect(tokenKey).not.toEqual(csrfKey)
  expect(bytesOf(openSecrets(folder)).csrfKey).toEqual(csrfKey)
  expect(readdirSync(folder)).toEqual(['master.key'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(folder, 'master.key')).mode & 0o777).toBe(0o600)
  expect(readFileSync(path.join(folder, 'master.key'))).not.toEqual(csrfKey)
  expect(bytesOf(openSecrets(aFolder())).csrfKey).not.toEqual(csrfKey)
})

test('half a key is no key, and is never replaced', () => {
  const folder = aFolder()
  openSecrets(folder)
  const file = path.join(folder, 'master.key')
  writeFileSync(file, readFileSync(file).subarray(0, 16))
  expect(() => openSecrets(folder)).toThrow('is not a key')
  expect(statSync(file).size).toBe(16)
})

test('processes that start at once agree', async () => {
  const folder = aFolder()
  const code = `const { openSecrets } = await import('#server/adapters/secrets.ts')
    console.log(openSecrets(process.argv[1]).csrfKey.export().toString('hex'))`
  const start = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, folder])
  const said = await Promise.all([start(), start(), start(), start()])
  expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['master.key'])
})
