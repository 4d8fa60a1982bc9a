import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { createVault } from '#server/adapters/vault.ts'
import { toHex } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'

const secret = new TextEncoder().encode('a secret of 20 bytes')

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-vault-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'secrets')
}

function codeOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

test('vault: a secret opens at its place only, in every process', () => {
  const folder = aFolder()
  const vault = createVault(openSealingKeys(folder))
  const sealed = vault.seal(secret, 'totp:1')
  expect(sealed.keyVersion).toBe(1)
  expect(vault.open(sealed, 'totp:1')).toEqual(secret)
  expect(createVault(openSealingKeys(folder)).open(sealed, 'totp:1')).toEqual(secret)
  expect(codeOf(() => vault.open(sealed, 'totp:2'))).toBe('secret-unreadable')
  expect(codeOf(() => vault.open({ ...sealed, keyVersion: 2 }, 'totp:1'))).toBe('secret-unreadable')
  expect(codeOf(() => createVault(openSealingKeys(aFolder())).open(sealed, 'totp:1'))).toBe(
    'secret-unreadable',
  )
  expect(readdirSync(folder)).toEqual(['sealing-1.key'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(folder, 'sealing-1.key')).mode & 0o777).toBe(0o600)
})

test('a key that another process makes is the newest at once; the old one still opens', () => {
  const folder = aFolder()
  const vault = createVault(openSealingKeys(folder))
  const old = vault.seal(secret, 'totp:1')
  const command = openSealingKeys(folder)
  expect(command.add()).toBe(2)
  expect(vault.keyVersion).toBe(2)
  const young = vault.seal(secret, 'totp:1')
  expect(young.keyVersion).toBe(2)
  expect(vault.open(old, 'totp:1')).toEqual(secret)
  expect(() => command.drop(2)).toThrow('in use')
  command.drop(1)
  expect(command.versions()).toEqual([2])
  expect(codeOf(() => createVault(openSealingKeys(folder)).open(old, 'totp:1'))).toBe(
    'secret-unreadable',
  )
  expect(createVault(openSealingKeys(folder)).open(young, 'totp:1')).toEqual(secret)
})

test('half a key is no key, and is never replaced', () => {
  const folder = aFolder()
  const keys = openSealingKeys(folder)
  writeFileSync(path.join(folder, 'sealing-1.key'), new Uint8Array(16))
  expect(() => keys.find(1)).toThrow('is not a key')
  openSealingKeys(folder)
  expect(statSync(path.join(folder, 'sealing-1.key')).size).toBe(16)
})

test('a hundred thousand seals have a hundred thousand nonces', () => {
  const vault = createVault(openSealingKeys(aFolder()))
  const nonces = new Set<string>()
  for (let at = 0; at < 100_000; at += 1)
    nonces.add(toHex(vault.seal(secret, 'totp:1').bytes.subarray(0, 12)))
  expect(nonces.size).toBe(100_000)
})
