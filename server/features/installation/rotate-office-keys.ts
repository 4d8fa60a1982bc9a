import { randomBytes, randomUUID } from 'node:crypto'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { addOfficeKey, deleteOfficeKey, listOfficeKeys } from '#server/db/documents/office-keys.ts'
import { listFilesOfKey, replaceStoredFile } from '#server/db/documents/stored-files.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { SEAL_NONCE_BYTES } from '#server/domain/crypto/seal.ts'
import {
  newOfficeKey,
  OFFICE_KEY_BYTES,
  type OpenOfficeKey,
  openOfficeKey,
  unwrapFileKey,
  wrapFileKey,
} from '#server/domain/documents/file-keys.ts'
import { type OfficeKey, placeOfOfficeKey } from '#server/domain/documents/stored-file.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { OfficeKeyId } from '#server/domain/ids.ts'
import { after, hours, type Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** Rows per transaction: few, so that uploads are not held up. */
const AT_ONCE = 50
/** A server that asked for the key in use just before there was a new one may still wrap with the old one. */
const OVERLAP = hours(1)

type Rotating = Pick<System, 'db' | 'vault' | 'clock'>

export type RotatedOffice = {
  office: Office
  /** The number of the key in use. */
  number: number
  /** Files whose keys were wrapped again with it. */
  files: number
  /** Paths of the files whose keys do not open; left unchanged. */
  unreadable: string[]
}

/**
 * Makes a new key for each office that has files, and wraps the keys of its files again with it; no file is read or
 * written. Safe to interrupt and repeat, and to run beside a live server: an interrupted run is finished by the next
 * one, without another new key.
 */
export async function rotateOfficeKeys(system: Rotating): Promise<RotatedOffice[]> {
  const rotated: RotatedOffice[] = []
  for (const office of await listOffices(system.db)) {
    const done = await rotate(system, office)
    if (done) rotated.push(done)
  }
  return rotated
}

async function rotate(system: Rotating, office: Office): Promise<RotatedOffice | undefined> {
  const { db, vault, clock } = system
  const keys = await listOfficeKeys(db, office.id)
  const newest = keys.at(-1)
  if (!newest) return undefined
  const rest = await rewrapAll(system, office, keys)
  if (rest.files > 0) return await recorded(system, rest)
  const id = OfficeKeyId.parse(randomUUID())
  const made = { id, officeId: office.id, number: newest.number + 1, madeAt: clock.now() }
  const next = newOfficeKey(made, (place) => vault.seal(randomBytes(OFFICE_KEY_BYTES), place))
  await db.transaction((trx) => addOfficeKey(trx, next))
  const all = await listOfficeKeys(db, office.id)
  return await recorded(system, await rewrapAll(system, office, all))
}

/** Wraps with the last key what the others wrap. */
async function rewrapAll(
  { db, vault }: Rotating,
  office: Office,
  keys: readonly OfficeKey[],
): Promise<RotatedOffice> {
  const openKey = (key: OfficeKey) => openOfficeKey(vault.open(key.sealed, placeOfOfficeKey(key)))
  const newest = keys.at(-1)
  if (!newest) throw new Error(`${office.id} has no key`)
  const to = { id: newest.id, key: openKey(newest) }
  const done: RotatedOffice = { office, number: newest.number, files: 0, unreadable: [] }
  for (const old of keys.slice(0, -1))
    await rewrap(db, { from: old.id, key: openKey(old) }, to, done)
  return done
}

async function rewrap(
  db: System['db'],
  old: { from: OfficeKeyId; key: OpenOfficeKey },
  to: { id: OfficeKeyId; key: OpenOfficeKey },
  done: RotatedOffice,
): Promise<void> {
  for (let after = ''; ; ) {
    const files = await listFilesOfKey(db, old.from, { after, limit: AT_ONCE })
    const last = files.at(-1)
    if (!last) return
    after = last.sha256
    const anew = files.flatMap((file) => {
      const fileKey = unwrapFileKey(old.key, file.wrappedKey, file)
      if (!fileKey) done.unreadable.push(file.file)
      const nonce = randomBytes(SEAL_NONCE_BYTES)
      return fileKey ? [{ file, wrappedKey: wrapFileKey(to.key, nonce, fileKey, file) }] : []
    })
    await db.transaction(async (trx) => {
      for (const { file, wrappedKey } of anew) {
        const next = { ...file, officeKeyId: to.id, wrappedKey }
        if (await replaceStoredFile(trx, file, next)) done.files += 1
      }
    })
  }
}

/** Each file is wrapped anew in a transaction of its own: the event says how many, once all are. */
async function recorded({ db, clock }: Rotating, done: RotatedOffice): Promise<RotatedOffice> {
  const { office, number, files, unreadable } = done
  const details = { number, files, unreadable: unreadable.length }
  await db.transaction((trx) => record(trx, clock.now(), office, 'office-keys.rotated', details))
  return done
}

/**
 * Deletes the keys that wrap nothing any more and were replaced an hour ago or more.
 *
 * @returns how many
 */
export async function dropOldOfficeKeys(system: Rotating): Promise<number> {
  const { db, clock } = system
  let dropped = 0
  for (const office of await listOffices(db)) {
    const keys = await listOfficeKeys(db, office.id)
    const old = keys.filter((_, index) => {
      const next = keys[index + 1]
      return next !== undefined && clock.now() >= after(next.madeAt, OVERLAP)
    })
    for (const { id, number } of old) {
      const isDropped = await db.transaction(async (trx) => {
        if (!(await deleteOfficeKey(trx, id))) return false
        await record(trx, clock.now(), office, 'office-keys.dropped', { number })
        return true
      })
      if (isDropped) dropped += 1
    }
  }
  return dropped
}

async function record(
  trx: Transaction,
  at: Instant,
  { id: officeId }: Office,
  action: 'office-keys.rotated' | 'office-keys.dropped',
  details: AuditEvent['details'],
): Promise<void> {
  await appendSystemEvent(trx, {
    by: 'rubrica rotate-office-keys',
    at,
    officeId,
    action,
    subject: { kind: 'nothing' },
    result: 'success',
    details,
  })
}
