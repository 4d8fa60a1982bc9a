import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decrypted, encrypted, OtherRecipientError } from '#server/adapters/backups/age-pieces.ts'
import { readIdentity, readRecipient, recipientOf } from '#server/domain/age/keys.ts'
import { DamagedStream } from '#server/domain/age/stream.ts'
import { judge } from '#tests/support/judges.ts'

const age = judge('age')
const keygen = judge('age-keygen')

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-age-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A key that `age-keygen` made. */
function aKey(folder: string) {
  const file = path.join(folder, 'key.txt')
  expect(keygen('-o', file).status).toBe(0)
  const text = readFileSync(file, 'utf8')
  const named = /public key: (age1\S+)/.exec(text)?.[1] ?? ''
  const identity = readIdentity(/^AGE-SECRET-KEY-\S+$/m.exec(text)?.[0] ?? '')
  const recipient = readRecipient(named)
  if (!identity || !recipient) throw new Error('age-keygen wrote no key')
  return { file, named, identity, recipient }
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/* Around the ends of a chunk of 64 KiB. */
const SIZES = [0, 1, 65_535, 65_536, 65_537, 200_000]

test('keys: the recipient of an identity of age-keygen is the one that it names', () => {
  const { identity, recipient } = aKey(aFolder())
  expect(recipientOf(identity)).toEqual(recipient)
})

test.each(SIZES)('our file of %i bytes: opened by age', async (size) => {
  const folder = aFolder()
  const { file, recipient } = aKey(folder)
  const plain = randomBytes(size)
  const sealed = path.join(folder, 'ours.age')
  await writeFile(sealed, encrypted(piecesOf(plain, 10_007), recipient))
  const opened = path.join(folder, 'opened')
  expect(age('-d', '-i', file, '-o', opened, sealed)).toMatchObject({ status: 0, errors: '' })
  // age writes no file for nothing.
  expect(size === 0 ? Buffer.alloc(0) : readFileSync(opened)).toEqual(plain)
})

test.each(SIZES)('a file of %i bytes by age, for two recipients: opened here', async (size) => {
  const folder = aFolder()
  const mine = aKey(folder)
  const plain = randomBytes(size)
  const source = path.join(folder, 'plain')
  writeFileSync(source, plain)
  const sealed = path.join(folder, 'theirs.age')
  const other = aKey(aFolder())
  age('-r', other.named, '-r', mine.named, '-o', sealed, source)
  expect(await wholeOf(decrypted(sealed, [mine.identity]))).toEqual(plain)
  await expect(wholeOf(decrypted(sealed, [randomBytes(32)]))).rejects.toThrow(OtherRecipientError)
})

test('a file that was cut or extended at any chunk is refused', async () => {
  const folder = aFolder()
  const { identity, recipient } = aKey(folder)
  const sealed = await wholeOf(encrypted(piecesOf(randomBytes(200_000), 65_536), recipient))
  const file = path.join(folder, 'cut.age')
  const header = sealed.indexOf('\n--- ') + 49 + 16
  const lengths = [0, 1, 2, 3].map((chunks) => header + chunks * 65_552)
  for (const length of [...lengths, sealed.length - 1, sealed.length + 1]) {
    writeFileSync(file, Buffer.concat([sealed, Buffer.alloc(1)]).subarray(0, length))
    await expect(wholeOf(decrypted(file, [identity])), `${length} bytes`).rejects.toThrow(
      DamagedStream,
    )
  }
})
