import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pacedBody } from '#app/http/body-pace.ts'
import type { BodyPace } from '#server/domain/body-pace.ts'
import { milliseconds } from '#server/domain/time.ts'

const PACE: BodyPace = { idle: milliseconds(300), slowest: 1000 }

test('paced body: passes every byte on', async () => {
  const chunks = Array.from({ length: 200 }, (_, index) => Buffer.alloc(20_000, index))
  const read = await buffer(pacedBody(Readable.from(chunks, { objectMode: false }), PACE))
  expect(read.equals(Buffer.concat(chunks))).toBe(true)
})

test('paced body: fails when no bytes come, and leaves the body open for the answer', async () => {
  const body = new PassThrough()
  body.write('%PDF-')
  const start = performance.now()
  await expect(buffer(pacedBody(body, PACE))).rejects.toMatchObject({ code: 'too-slow' })
  expect(performance.now() - start).toBeLessThan(5_000)
  expect(body.destroyed).toBe(false)
})

test('paced body: fails when a byte comes now and then', async () => {
  const body = new PassThrough()
  const drip = setInterval(() => body.write('x'), 50)
  try {
    await expect(buffer(pacedBody(body, PACE))).rejects.toMatchObject({ code: 'too-slow' })
  } finally {
    clearInterval(drip)
  }
})

test('paced body: all bytes that came count, not the last ones alone', async () => {
  const body = new PassThrough()
  body.write(Buffer.alloc(100_000))
  const drip = setInterval(() => body.write('x'), 50)
  setTimeout(() => body.end(), 3 * PACE.idle)
  try {
    expect((await buffer(pacedBody(body, PACE))).length).toBeGreaterThan(100_000)
  } finally {
    clearInterval(drip)
  }
})

test('paced body: the time that its reader takes does not count', async () => {
  const chunks = Array.from({ length: 4 }, () => Buffer.alloc(100))
  const paced = pacedBody(Readable.from(chunks, { objectMode: false }), PACE)
  let bytes = 0
  for await (const chunk of paced) {
    await pause(2 * PACE.idle)
    bytes += chunk.length
  }
  expect(bytes).toBe(400)
})

test('paced body: fails as any other when the client is gone', async () => {
  const body = new PassThrough()
  body.write('x')
  setTimeout(() => body.destroy(), 20)
  await expect(buffer(pacedBody(body, PACE))).rejects.toMatchObject({ code: 'bad-request' })
})

test('paced body: leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const chunks = Array.from({ length: 20 }, () => Buffer.alloc(100))
  await buffer(pacedBody(Readable.from(chunks, { objectMode: false })))
  expect(timers()).toBe(before)
})
