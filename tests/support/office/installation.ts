import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { backup } from '#server/cli/backups/backup.ts'
import { restore } from '#server/cli/backups/restore.ts'
import { type Composed, compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { listRows, listTables, primaryKeyOf } from '#server/db/backups/table-rows.ts'
import type { Database, DialectName } from '#server/db/database.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { identityText, recipientOf, recipientText } from '#server/domain/age/keys.ts'
import type { Row } from '#server/domain/backups/row-lines.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { aDraft, aPdf } from './signing-system.ts'

/** Where the server of an office finds its data. */
export type OfficePlace = {
  data: string
  /** As an operator sets them. */
  variables: Record<string, string>
}

/** An empty place. It is removed with the test. @param secrets where the keys lie */
export async function anEmptyPlace(
  dialect: DialectName,
  secrets: 'in the data' | 'apart' = 'in the data',
): Promise<OfficePlace> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-place-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const data = path.join(folder, 'data')
  const variables: Record<string, string> = { DATA_DIR: data }
  if (secrets === 'apart') variables.SECRETS_DIR = path.join(folder, 'keys')
  if (dialect === 'postgres') {
    const database = await emptyDatabase('postgres', 'none')
    onTestFinished(() => database.end())
    variables.DATABASE_URL = database.url
  }
  return { data, variables }
}

/** Opens the office as a server would, for `work`. */
export async function withSystem<T>(
  { variables }: OfficePlace,
  work: (system: System) => Promise<T>,
): Promise<T> {
  const { system, close }: Composed = await compose(readConfig('start', variables))
  return await work(system).finally(close)
}

/** An office with a clerk and some documents, whose log is signed. */
export async function anOfficeIn(place: OfficePlace, documents = 3): Promise<User> {
  return await withSystem(place, async (system) => {
    const office = await storedOffice(system.db)
    await storedUser(system.db, office, ['ADMIN', 'NOTARY'])
    const clerk = await storedUser(system.db, office, ['CLERK'])
    for (let n = 0; n < documents; n += 1) await addDocument(system, clerk, `Acta ${n}`)
    await checkpointLogs(system, undefined, seconds(0))
    return clerk
  })
}

/** @param text of its page */
export async function addDocument(system: System, clerk: User, title: string, text = title) {
  return await aDraft(system, asPerson(clerk), await aPdf(text), title)
}

/** A command with the environment of the place. */
function inPlace({ variables }: OfficePlace, command: () => Promise<number>) {
  return said(() => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    return command()
  })
}

export const backupOf = (place: OfficePlace, ...args: string[]) =>
  inPlace(place, () => backup(args, path.dirname(place.data)))

export const restoreInto = (place: OfficePlace, ...args: string[]) =>
  inPlace(place, () => restore(args, path.dirname(place.data)))

/** A key pair of age, as its files name it. */
export function aBackupKey(byte = 7): { identity: string; recipient: string } {
  const secret = new Uint8Array(32).fill(byte)
  return { identity: identityText(secret), recipient: recipientText(recipientOf(secret)) }
}

/** All rows of all tables, but for that which says where the files lie: a restored installation has a store of its own. */
export async function rowsOf(db: Database): Promise<Record<string, Row[]>> {
  const { reader, end } = await db.snapshot()
  const rows: Record<string, Row[]> = {}
  for (const table of await listTables(reader)) {
    if (table === 'file_store') continue
    const key = await primaryKeyOf(reader, table)
    const found = await listRows(reader, table, { key, after: undefined, limit: 100_000 })
    rows[table] = found.toSorted((a, b) => (nameOf(a, key) < nameOf(b, key) ? -1 : 1))
  }
  await end()
  return rows
}

/** Databases of different collations have different orders. */
const nameOf = (row: Row, key: readonly string[]) =>
  key.map((column) => String(row[column]).padStart(20)).join(' ')

/** The bytes of a document's newest version. */
export async function bytesOf({ db, blobs }: System, id: DocumentId): Promise<Buffer> {
  const [version] = await listVersions(db, id)
  if (!version) throw new Error(`${id} has no version`)
  const pieces: Buffer[] = []
  for await (const piece of blobs.pieces(version, 0, version.bytes)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** The manifests that backups left, oldest first. */
export function manifestsOf({ data }: OfficePlace): string[] {
  const folder = path.join(data, 'backups')
  return readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name))
}

/** A file with the private key, beside the data. */
export function keyFile({ data }: OfficePlace, identity = aBackupKey().identity): string {
  const file = path.join(path.dirname(data), 'key.txt')
  writeFileSync(file, `# created by a test\n${identity}\n`)
  return file
}
