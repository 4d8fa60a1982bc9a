import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { rotateKeys } from '#server/cli/rotate-keys.ts'
import { rotateOfficeKeys } from '#server/cli/rotate-office-keys.ts'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { addOfficeKey, listOfficeKeys } from '#server/db/documents/office-keys.ts'
import { fileRecordsIn, findStoredFile } from '#server/db/documents/stored-files.ts'
import { type FileAddress, placeOfOfficeKey } from '#server/domain/documents/stored-file.ts'
import { OfficeKeyId } from '#server/domain/ids.ts'
import { after, hours, instantOf } from '#server/domain/time.ts'
import { aKeyedOffice } from '#tests/support/office/keyed-office.ts'
import { viewOf } from '#tests/support/office/log-events.ts'
import { rubricaWith, said } from '#tests/support/processes/command-line.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

/** An office with 60 files, as the server left it. */
async function anInstallation() {
  const { folder, vault, db, office } = await aKeyedOffice()
  /** As a server that has just been started. */
  const store = () =>
    createFileBlobs(path.join(folder, 'data/blobs'), {
      records: fileRecordsIn(db),
      vault,
      clock: systemClock,
    })
  const running = await store()
  const files: FileAddress[] = []
  for (let index = 0; index < 60; index += 1) {
    const staged = await running.stage([Buffer.from(`escritura ${index}`)], 100)
    await staged.keep(office.id)
    files.push({ officeId: office.id, sha256: staged.sha256 })
  }
  const read = async (blobs: typeof running) =>
    (await Promise.all(files.map((file) => bytesIn({ blobs }, file)))).map(String)
  const rows = () => Promise.all(files.map((file) => findStoredFile(db, file)))
  const numbers = async () => (await listOfficeKeys(db, office.id)).map(({ number }) => number)
  const run = (now: number, ...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', path.join(folder, 'data'))
      return rotateOfficeKeys(args, folder, () => instantOf(now))
    })
  const events = async () =>
    (await listEvents(db, { view: viewOf(office.id), limit: 10 })).events.map(
      ({ action, details }) => [action, details] as const,
    )
  return { folder, db, vault, office, running, store, read, rows, numbers, run, events }
}

const CONTENTS = Array.from({ length: 60 }, (_, index) => `escritura ${index}`)

test('wraps the key of every file again beside a live server; no file changes', async () => {
  const { folder, office, running, store, read, rows, numbers, run, events } =
    await anInstallation()
  const before = await rows()
  const real = rubricaWith({}, folder, 'rotate-office-keys')
  expect([real.status, real.errors]).toEqual([0, []])
  expect(real.output).toEqual([
    `${office.name}: llave 2; archivos protegidos con ella de nuevo: 60.`,
  ])
  const now = await rows()
  expect(now.map((row) => row?.file)).toEqual(before.map((row) => row?.file))
  expect(new Set(now.map((row) => row?.officeKeyId)).size).toBe(1)
  expect(now[0]?.officeKeyId).not.toBe(before[0]?.officeKeyId)
  for (const blobs of [running, await store()]) expect(await read(blobs)).toEqual(CONTENTS)

  expect(await numbers()).toEqual([1, 2])
  const early = await run(Date.now(), '--drop-old')
  expect(early.output).toEqual(['No hay llaves que se puedan borrar.'])
  const late = await run(after(instantOf(Date.now()), hours(2)), '--drop-old')
  expect(late.output).toEqual(['Llaves borradas: 1.'])
  expect(await numbers()).toEqual([2])
  expect(await read(await store())).toEqual(CONTENTS)
  expect((await events()).slice(0, 2)).toEqual([
    ['office-keys.dropped', { number: 1 }],
    ['office-keys.rotated', { number: 2, files: 60, unreadable: 0 }],
  ])
})

test('a run that was broken off is finished before another key is made', async () => {
  const { db, vault, office, store, read, numbers, run } = await anInstallation()
  const id = OfficeKeyId.parse(crypto.randomUUID())
  const sealed = vault.seal(
    new Uint8Array(32).fill(9),
    placeOfOfficeKey({ id, officeId: office.id }),
  )
  const madeAt = instantOf(Date.now())
  const key = { id, officeId: office.id, number: 2, madeAt, sealed }
  await db.transaction((trx) => addOfficeKey(trx, key))
  await run(Date.now())
  expect(await numbers()).toEqual([1, 2])
  expect(await read(await store())).toEqual(CONTENTS)
  await run(Date.now())
  expect(await numbers()).toEqual([1, 2, 3])
})

test('a key that a file still needs is not deleted', async () => {
  const { db, vault, office, numbers, run } = await anInstallation()
  const id = OfficeKeyId.parse(crypto.randomUUID())
  const sealed = vault.seal(
    new Uint8Array(32).fill(9),
    placeOfOfficeKey({ id, officeId: office.id }),
  )
  const key = { id, officeId: office.id, number: 2, madeAt: instantOf(0), sealed }
  await db.transaction((trx) => addOfficeKey(trx, key))
  expect((await run(Date.now(), '--drop-old')).output).toEqual([
    'No hay llaves que se puedan borrar.',
  ])
  expect(await numbers()).toEqual([1, 2])
})

test('rotate-keys seals the keys of offices again', async () => {
  const { folder, db, office, store, read } = await anInstallation()
  await said(() => {
    vi.stubEnv('DATA_DIR', path.join(folder, 'data'))
    return rotateKeys([], folder)
  })
  const [key] = await listOfficeKeys(db, office.id)
  expect(key?.sealed.keyVersion).toBe(2)
  expect(await read(await store())).toEqual(CONTENTS)
})

test('a wrong folder gets no keys', async () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'rubrica-rotate-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const wrong = rubricaWith({}, empty, 'rotate-office-keys')
  expect(wrong.status).toBe(2)
  expect(wrong.errors[0]).toContain('revise DATA_DIR y SECRETS_DIR')
})

test.each([
  ['rotate-office-keys', rotateOfficeKeys],
  ['rotate-keys', rotateKeys],
])('%s: makes no key in place of lost ones, and no database', async (_, rotate) => {
  const { folder } = await anInstallation()
  const data = path.join(folder, 'data')
  const secrets = path.join(folder, 'empty')
  mkdirSync(secrets)
  vi.stubEnv('DATA_DIR', data)
  vi.stubEnv('SECRETS_DIR', secrets)
  await expect(rotate([], folder)).rejects.toThrow('No hay llaves')
  expect(readdirSync(secrets)).toEqual([])

  vi.stubEnv('DATA_DIR', secrets)
  vi.stubEnv('SECRETS_DIR', path.join(data, 'secrets'))
  await expect(rotate([], folder)).rejects.toThrow('No hay ninguna notaría')
  expect(readdirSync(secrets)).toEqual([])
})
