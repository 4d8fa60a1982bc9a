import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { OfficeId, Sha256 } from '#server/domain/ids.ts'
import type { Blobs } from '#server/ports/blobs.ts'
import { appendedTo } from '#server/steps/signing/appended-to.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const OFFICE = OfficeId.parse('6f1d3c1e-0b5a-4f0e-9a54-0f6a5b9f6c11')
const addressOf = (text: string) => ({
  officeId: OFFICE,
  sha256: Sha256.parse(createHash('sha256').update(text).digest('hex')),
})

/** A store whose only file has these bytes, given in pieces of two. */
function storeOf(text: string) {
  const pieces = async function* (_: unknown, start: number, end: number) {
    for (let at = start; at < end; at += 2) yield bytes(text.slice(at, Math.min(at + 2, end)))
  }
  return { pieces } as unknown as Blobs
}

async function textOf(stream: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk.slice())
  return Buffer.concat(chunks).toString()
}

test('appended file: is the stored one and what stands behind it', async () => {
  const behind = [bytes('-uno'), bytes('-dos')]
  const stream = appendedTo(storeOf('base1'), addressOf('base1'), { baseLength: 5, behind })
  expect(await textOf(stream)).toBe('base1-uno-dos')
})

test('appended file: fails before its new part if the stored file is another one', async () => {
  const stream = appendedTo(storeOf('BASE1'), addressOf('base1'), {
    baseLength: 5,
    behind: [bytes('-uno')],
  })
  const read: string[] = []
  const reading = (async () => {
    for await (const chunk of stream) read.push(Buffer.from(chunk).toString())
  })()
  await expect(reading).rejects.toMatchObject({ code: 'stored-file-damaged' })
  expect(read.join('')).toBe('BASE1')
})
