import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { orSayUnwritable, writeOutput } from '#server/cli/output-file.ts'
import { orUsageError, UsageError, unreadable } from '#server/cli/usage.ts'

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-output-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function* pieces(...texts: (string | Error)[]) {
  for (const text of texts) {
    if (text instanceof Error) throw text
    yield Buffer.from(text)
  }
}

test('the whole new file takes the place of the old one, for its owner alone', async () => {
  const folder = aFolder()
  const file = path.join(folder, 'a.jsonl')
  writeFileSync(file, 'old', { mode: 0o644 })
  await writeOutput(pieces('one ', 'two'), file, 'a.jsonl')
  expect(readFileSync(file, 'utf8')).toBe('one two')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['a.jsonl'])
})

test('appended file: an error of the source is not reported as a write error', async () => {
  const folder = aFolder()
  const file = path.join(folder, 'a.jsonl')
  writeFileSync(file, 'old')
  const gone = Object.assign(new Error('read ECONNRESET'), { syscall: 'read' })
  await expect(writeOutput(pieces('one', gone), file, 'a.jsonl')).rejects.toBe(gone)
  expect(readFileSync(file, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['a.jsonl'])
})

test('a place where nothing can be written is wrong use', async () => {
  const folder = aFolder()
  mkdirSync(path.join(folder, 'taken'))
  for (const place of ['taken', 'nowhere/a.jsonl']) {
    const writing = writeOutput(pieces('one'), path.join(folder, place), place)
    await expect(writing).rejects.toThrow(new UsageError(`No se puede escribir ${place}.`))
  }
  expect(readdirSync(folder)).toEqual(['taken'])
})

test('a folder of another account is named as the reason', async () => {
  const code = { code: 'EACCES', syscall: 'open', path: '/opt/rubrica/whole.age.1.tmp' }
  const closed = Object.assign(new Error('EACCES'), code)
  await expect(orSayUnwritable('whole.age', () => Promise.reject(closed))).rejects.toThrow(
    new UsageError(
      'No se puede escribir whole.age: la cuenta que ejecuta el comando no puede escribir en /opt/rubrica.',
    ),
  )
})

test('a file of another account that cannot be read says so', () => {
  const read = (code: string) => () => {
    throw Object.assign(new Error(code), { code, path: '/srv/keys/key.txt' })
  }
  const sentenceAt = (code: string) => () => orUsageError(unreadable('key.txt'), read(code))
  expect(sentenceAt('EACCES')).toThrow(
    'No se puede leer key.txt: la cuenta que ejecuta el comando no tiene permiso.',
  )
  expect(sentenceAt('ENOENT')).toThrow(/^No se puede leer key\.txt\.$/)
})

test('a full disk is named as the reason', async () => {
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  await expect(orSayUnwritable('whole.age', () => Promise.reject(full))).rejects.toThrow(
    new UsageError('No se puede escribir whole.age: no queda espacio en el disco.'),
  )
})
