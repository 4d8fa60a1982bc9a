import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stageAppended } from '#server/adapters/appended-file.ts'

/* A stand-in for a file system that shares blocks: it copies instead. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    copyFile: vi.fn((from: string, to: string) => real.copyFile(from, to, constants.COPYFILE_EXCL)),
  }
})

test('a copy whose blocks are shared is digested and appended to as any other', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [base, target] = [path.join(folder, 'base'), path.join(folder, 'target')]
  const content = Buffer.alloc((2 << 20) + 5, 'ñ')
  writeFileSync(base, content)
  chmodSync(base, 0o440)
  const staged = stageAppended(base, target)
  const copied = await staged.copied()
  expect(vi.mocked(copyFile)).toHaveBeenCalledExactlyOnceWith(
    base,
    staged.temporary,
    constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE,
  )
  expect(copied.sha256().digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
  await staged.append(Buffer.from('more'))
  await staged.keep()
  expect(readFileSync(target).equals(Buffer.concat([content, Buffer.from('more')]))).toBe(true)
  expect(statSync(target).mode & 0o777).toBe(0o640)
})
