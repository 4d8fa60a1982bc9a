import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { clientOf } from '#tests/e2e/support/http.ts'
import { endLeases, signRemaining } from '#tests/support/processes/office-work.ts'
import { commandIn, faultsOf } from '#tests/support/processes/sound-office.ts'
import type { Office } from './offices.ts'

const PATIENCE_MS = 90_000

/** Lets the jobs of the next server do at once what they would do minutes later. */
export async function hurryJobs({ withRows }: Office): Promise<void> {
  await endLeases(withRows)
  await withRows(async (rows) => {
    await rows.change("update archives set due_at = 0 where state = 'waiting'")
    await rows.change("update constancias set next_attempt_at = 0 where state = 'pending'")
  })
}

/**
 * Ends all work of an office that was killed: the signers sign, the jobs run, every document and the log are verified.
 *
 * @returns a sentence for what is stuck, lost or wrong
 */
export async function settled(office: Office): Promise<string[]> {
  await hurryJobs(office)
  const server = await office.begin()
  const faults: string[] = []
  try {
    faults.push(...(await signRemaining(office.withRows, office.signers, office.done)))
  } finally {
    await server.stop()
  }
  faults.push(...(await archived(office)))
  return [...faults, ...(await faultsOf(office.place, office.done)), ...(await faultsOfLog(office))]
}

/** The jobs give each document its archive proof and constancia; then each is judged VALID. */
async function archived(office: Office): Promise<string[]> {
  await hurryJobs(office)
  const server = await office.begin()
  try {
    const deadline = Date.now() + PATIENCE_MS
    let left = await waitingIn(office)
    while (left.length > 0 && Date.now() < deadline) {
      await pause(500)
      // The archive proof asks for the constancia of its own version.
      await hurryJobs(office)
      left = await waitingIn(office)
    }
    return [...left, ...(await notValid(office))]
  } finally {
    await server.stop()
  }
}

async function waitingIn({ withRows }: Office): Promise<string[]> {
  return await withRows(async (rows) => {
    const archives = await rows.all<{ document_id: string; fault: string | null }>(
      "select document_id, fault from archives where state = 'waiting'",
    )
    const constancias = await rows.all<{ document_id: string; last_error: string | null }>(
      "select document_id, last_error from constancias where state in ('pending', 'failed')",
    )
    return [
      ...archives.map((row) => `document ${row.document_id} has no archive proof: ${row.fault}`),
      ...constancias.map(
        (row) => `document ${row.document_id}: ${row.last_error ?? 'no constancia'}`,
      ),
    ]
  })
}

async function notValid({ origin, withRows }: Office): Promise<string[]> {
  const signed = await withRows((rows) => rows.all<{ id: string }>(SIGNED))
  const client = clientOf(origin)
  const faults: string[] = []
  for (const { id } of signed) {
    const { status, text } = await client.get(`/verify/${id}/report.json`)
    const verdict = status === 200 ? JSON.parse(text).verdict : text.slice(0, 200)
    if (verdict !== 'VALID') faults.push(`document ${id} is judged ${status} ${verdict}`)
  }
  return faults
}

const SIGNED = `select id from documents
  where state = 'signed' and title like 'Escritura ________'`

/** The exported log verifies with the key of the office, in another process. */
async function faultsOfLog({ place }: Office): Promise<string[]> {
  const file = path.join(place.dataFolder, 'bitacora.jsonl')
  const exported = await commandIn(place, 'audit', 'export', '-o', file)
  const key = /Llave con que se comprueba: (\S+)/.exec(exported.output)?.[1]
  if (exported.status !== 0 || key === undefined)
    return [`the log is not exported: ${exported.output}`]
  const judged = await commandIn(place, 'audit', 'verify', '--key', key, file)
  return judged.status === 0 ? [] : [`the log does not verify: ${judged.output}`]
}
