import { constants, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { fastest } from '#tests/support/fastest.ts'
import { type ZippedFile, zipOf } from '#tests/support/zip.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const hello: ZippedFile = { name: 'hola.txt', bytes: bytes('hola '.repeat(40)), method: 'deflated' }
const stored = (name: string): ZippedFile => ({ name, bytes: bytes(name), method: 'stored' })

/** The archive with a field of its n-th central directory entry (`PK 1 2`) changed. */
function changed(archive: Uint8Array, entry: number, change: (entry: Buffer) => void): Uint8Array {
  const copy = Buffer.from(archive)
  let at = copy.indexOf('PK\x01\x02')
  for (let index = 0; index < entry; index++) at = copy.indexOf('PK\x01\x02', at + 4)
  change(copy.subarray(at))
  return new Uint8Array(copy)
}

test('zip: files come in the order of the directory, folders are left out', async () => {
  const archive = zipOf([stored('b/'), stored('b/raíz.cer'), hello])
  expect(await readZip(archive)).toEqual([
    { name: 'b/raíz.cer', bytes: bytes('b/raíz.cer') },
    { name: 'hola.txt', bytes: hello.bytes },
  ])
})

test('zip: a Zip64 archive is read', async () => {
  const archive = Buffer.from(zipOf([hello]))
  const end = archive.length - 22
  const record = Buffer.alloc(56)
  record.write('PK\x06\x06', 0, 'latin1')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(1n, 24)
  record.writeBigUInt64LE(1n, 32)
  record.writeBigUInt64LE(BigInt(archive.readUInt32LE(end + 12)), 40)
  record.writeBigUInt64LE(BigInt(archive.readUInt32LE(end + 16)), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 0, 'latin1')
  locator.writeBigUInt64LE(BigInt(end), 8)
  const rest = Buffer.from(archive.subarray(end))
  rest.fill(0xff, 8, 20)
  const zip64 = Buffer.concat([archive.subarray(0, end), record, locator, rest])
  expect(await readZip(new Uint8Array(zip64))).toEqual([{ name: 'hola.txt', bytes: hello.bytes }])
})

const many = (count: number) => Array.from({ length: count }, (_, index) => stored(`${index}.cer`))
const large = (name: string): ZippedFile => ({
  name,
  bytes: new Uint8Array(3 << 20),
  method: 'deflated',
})

test('zip: 500 files are read', async () => {
  expect(await readZip(zipOf(many(500)))).toHaveLength(500)
})

test.each<[string, Uint8Array]>([
  ['more than 500 files', zipOf(many(501))],
  ['more than 8 MB in all', zipOf([large('a'), large('b'), large('c')])],
  ['two files of one name', zipOf([hello, { ...hello, bytes: bytes('adiós') }])],
  [
    'overlapping files',
    changed(zipOf([hello, { ...hello, name: 'b.txt' }]), 1, (it) => it.writeUInt32LE(0, 42)),
  ],
  ['a wrong checksum', changed(zipOf([hello]), 0, (it) => it.writeUInt32LE(1, 16))],
  ['an encrypted file', changed(zipOf([hello]), 0, (it) => it.writeUInt16LE(1, 8))],
  ['an unknown compression method', changed(zipOf([hello]), 0, (it) => it.writeUInt16LE(12, 10))],
  ['a file beyond the end', changed(zipOf([hello]), 0, (it) => it.writeUInt32LE(1 << 20, 20))],
  ['a size that is too small', changed(zipOf([hello]), 0, (it) => it.writeUInt32LE(10, 24))],
  ['a size that is too large', changed(zipOf([hello]), 0, (it) => it.writeUInt32LE(999, 24))],
  ['a name that leaves the folder', zipOf([stored('../../etc/passwd')])],
  ['an absolute name', zipOf([stored('/etc/passwd')])],
  ['no end record', zipOf([hello]).subarray(0, -10)],
])('zip: an archive with %s is refused', async (_, archive) => {
  await expect(readZip(archive)).rejects.toThrow(RangeError)
})

test('zip: a bomb with a false size is refused before it is unpacked', async () => {
  const megabyte = deflateRawSync(new Uint8Array(1 << 20), {
    finishFlush: constants.Z_FULL_FLUSH,
  })
  const packed = Buffer.concat(new Array(1000).fill(megabyte))
  const bomb = zipOf([{ name: 'a.cer', bytes: new Uint8Array(10), method: 'deflated', packed }])
  const time = await fastest(() => expect(readZip(bomb)).rejects.toThrow(RangeError), 5)
  // All of it takes zlib some 1,000 ms, a reader in JavaScript some 4,000 ms.
  expect(time).toBeLessThan(200)
})
