import { expect, onTestFinished, test } from 'vitest'
import { outliveReader } from '#server/cli/output.ts'

const emit = (code: string) =>
  process.stdout.emit('error', Object.assign(new Error(code), { code }))

test('a command goes on when the reader of its output has left', () => {
  const before = process.stdout.listeners('error')
  onTestFinished(() => {
    process.stdout.removeAllListeners('error')
    for (const listener of before) process.stdout.on('error', listener as () => void)
  })
  process.stdout.removeAllListeners('error')
  expect(() => emit('EPIPE')).toThrow('EPIPE')
  for (const _ of [1, 2]) outliveReader()
  expect(() => emit('EPIPE')).not.toThrow()
  expect(() => emit('EIO')).toThrow('EIO')
  expect(process.stdout.listenerCount('error')).toBe(1)
})
