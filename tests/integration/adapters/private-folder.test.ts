import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateFolder, OpenToOthersError } from '#server/adapters/private-folder.ts'

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'rubrica-private-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const modeOf = (name: string) => (statSync(name).mode & 0o777).toString(8)

test('a missing folder is made for this account alone', () => {
  const folder = join(parent, 'a', 'b')
  makePrivateFolder(folder)
  expect(modeOf(folder)).toBe('700')
})

test('a folder of an earlier release is taken away from others, with its files', () => {
  const folder = join(parent, 'data')
  mkdirSync(join(folder, 'blobs'), { recursive: true })
  writeFileSync(join(folder, 'rubrica.sqlite'), '')
  writeFileSync(join(folder, 'read-only'), '')
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'rubrica.sqlite'), 0o644)
  chmodSync(join(folder, 'read-only'), 0o400)
  makePrivateFolder(folder)
  expect(modeOf(folder)).toBe('700')
  expect(modeOf(join(folder, 'rubrica.sqlite'))).toBe('600')
  expect(modeOf(join(folder, 'read-only'))).toBe('400')
})

test('a folder that stays readable by others is an error with its path', () => {
  // Files of the kernel keep their modes.
  expect(() => makePrivateFolder('/proc/self/net')).toThrow(OpenToOthersError)
})
