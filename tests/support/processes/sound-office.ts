import { spawn } from 'node:child_process'
import path from 'node:path'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { environmentOf, type OfficePlace, type OfficeRows, withRowsOf } from './office-rows.ts'
import type { Acknowledged } from './office-work.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * No row without its file, no signature lost or counted twice, no gap in the log. No server may run.
 *
 * @returns a sentence for each fault
 */
export async function faultsOf(place: OfficePlace, done: Acknowledged): Promise<string[]> {
  const faults = await withRowsOf(place)(async (rows) => [
    ...(await rows.faults()),
    ...(await faultsOfLog(rows)),
    ...(await lostWork(rows, done)),
    ...(await crookedDocuments(rows)),
  ])
  return [...faults, ...(await examined(place))]
}

type Logged = { seq: number; canonical: Uint8Array; leaf_hash: string }

async function faultsOfLog(rows: OfficeRows): Promise<string[]> {
  const log = await rows.all<Logged>(
    'select seq, canonical, leaf_hash from audit_events order by seq',
  )
  return log.flatMap(({ seq, canonical, leaf_hash }, index) => [
    ...(seq === index ? [] : [`the log has ${seq} in place of ${index}`]),
    ...(leafHash(canonical) === leaf_hash ? [] : [`the hash of event ${seq} is of another one`]),
  ])
}

async function lostWork(rows: OfficeRows, done: Acknowledged): Promise<string[]> {
  const faults: string[] = []
  for (const { documentId, userId } of done.signed) {
    const { length } = await rows.all(BY_SIGNER, documentId, userId)
    if (length !== 1) faults.push(`document ${documentId} has ${length} signatures of ${userId}`)
  }
  for (const id of done.uploaded) {
    const { length } = await rows.all('select id from documents where id = ?', id)
    if (length !== 1) faults.push(`the uploaded document ${id} is lost`)
  }
  for (const id of done.opened) {
    const { length } = await rows.all(OPENED, id)
    if (length !== 1) faults.push(`the session of document ${id} is not open any more`)
  }
  return faults
}

const BY_SIGNER = 'select id from signatures where document_id = ? and signer_id = ?'
const OPENED = `select s.id from signing_sessions s
  join session_documents d on d.signing_session_id = s.id
  where d.document_id = ? and s.state in ('open', 'completed')`

async function crookedDocuments(rows: OfficeRows): Promise<string[]> {
  const versions = await rows.all<{ id: string }>(`select id from documents d where version <>
    (select count(*) from document_versions v where v.document_id = d.id)`)
  const signatures = await rows.all<{ id: string }>(`select id from documents d where
    (select count(*) from signatures s where s.document_id = d.id) <>
    (select count(*) from document_versions v where v.document_id = d.id and v.cause = 'signed')`)
  return [
    ...versions.map(({ id }) => `document ${id} has not as many versions as it says`),
    ...signatures.map(({ id }) => `document ${id} has not as many signatures as signed versions`),
  ]
}

/** Faults of the machine and of services that have ended with the server are none of the office. */
const OF_OFFICE = /^(?:log-|file|sealing-keys|keys-of)/

/** What `rubrica doctor` finds: it reads every file whole, and checks the log against its checkpoints. */
async function examined(place: OfficePlace): Promise<string[]> {
  const { status, output } = await commandIn(place, 'doctor', '--all', '--json')
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  if (lines.length === 0) return [`doctor ended with ${status}: ${output}`]
  return lines
    .map((line): { code: string; level: string; sentence: string } => JSON.parse(line))
    .filter(({ level, code }) => level === 'fault' && OF_OFFICE.test(code))
    .map(({ sentence }) => sentence)
}

type Ended = { status: number | null; output: string }

/** A command of the command line on this office. */
export const commandIn = (place: OfficePlace, ...args: string[]): Promise<Ended> =>
  beginCommand(place, ...args).ended

/** The same, which may be killed before it ends; its status is null then. */
export function beginCommand(place: OfficePlace, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'server/cli/rubrica.ts', ...args],
    {
      cwd: root,
      env: { ...process.env, INIT_CWD: place.dataFolder, ...environmentOf(place) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
  return { kill: () => void child.kill('SIGKILL'), ended }
}
