import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCheckpointFile } from '#server/adapters/checkpoint-file.ts'

function aFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-checkpoint-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'checkpoints.jsonl')
}

/** Whether this process holds the file open, according to Linux. */
const isOpen = (file: string) =>
  readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file
    } catch {
      // The descriptor of the listing itself.
      return false
    }
  })

test('checkpoint file: a reader that stops early closes it', async () => {
  const file = aFile()
  const checkpoints = openCheckpointFile(file)
  await checkpoints.append(Array.from({ length: 2000 }, (_, index) => `note ${index}`))
  for await (const note of checkpoints.list()) {
    expect(note).toBe('note 0')
    expect(isOpen(file)).toBe(true)
    break
  }
  expect(isOpen(file)).toBe(false)
  expect(await Array.fromAsync(checkpoints.list())).toHaveLength(2000)
  expect(isOpen(file)).toBe(false)
})

test('checkpoint file: a foreign line of any length is skipped', async () => {
  const file = aFile()
  writeFileSync(file, `${'x'.repeat(1_000_000)}{"checkpoint":"in the midst"}\n`)
  const checkpoints = openCheckpointFile(file)
  await checkpoints.append(['after it'])
  expect(await Array.fromAsync(checkpoints.list())).toEqual(['after it'])
})
