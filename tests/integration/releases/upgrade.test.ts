import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditVerifyProof } from '#server/cli/audit-verify-proof.ts'
import { type Composed, compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { countEvents, listLogs } from '#server/db/audit/logs.ts'
import type { Database, DialectName } from '#server/db/database.ts'
import { listUnarchived } from '#server/db/documents/archives.ts'
import { openCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { titleKey } from '#server/domain/documents/title-key.ts'
import { Email } from '#server/domain/identity/email.ts'
import { after, hours, seconds } from '#server/domain/time.ts'
import { saysStatus } from '#server/domain/verification/evidence-package/revocation-sections.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { wholeLog } from '#server/features/audit/export-whole-log.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { createOffice } from '#server/features/installation/create-office.ts'
import { ANOTHER_OFFICE, stranger } from '#tests/support/builders.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import { commandsIn, runCommand, unpackEvidence } from '#tests/support/pdf/unpacked-evidence.ts'
import { said } from '#tests/support/processes/command-line.ts'
import {
  copyToPostgres,
  evidenceOf,
  RELEASES,
  type Release,
  restoreRelease,
  WITH_EVIDENCE,
} from '#tests/support/released-office.ts'

const DIALECTS = ['sqlite', 'postgres'] as const
const CASES = RELEASES.flatMap((release) => DIALECTS.map((dialect) => ({ release, dialect })))

test.each(CASES)(
  'an office of release $release.version keeps its rows and continues its log ($dialect)',
  async ({ release, dialect }) => {
    await withOfficeOf(release, dialect, async ({ system }) => {
      expect(await rowsOf(system.db)).toEqual({ documents: 7, signatures: 6, users: 6 })
      expect(await titlesWithoutKey(system.db)).toEqual([])
      expect(await checkLogs(system)).toBeUndefined()
      const later = after(system.clock.now(), hours(1))
      expect(await listUnarchived(system.db, { now: later, limit: 50 })).toHaveLength(2)

      const before = await countEvents(system.db, FIRST_LOG)
      const entered = await signIn(system, stranger(), {
        email: Email.parse('titular@notaria.example'),
        password: 'Notaria-de-prueba-2026',
      })
      expect(entered.kind).not.toBe('refused')
      await checkpointLogs(system)
      expect(await countEvents(system.db, FIRST_LOG)).toBeGreaterThan(before)
      expect(await checkLogs(system)).toBeUndefined()
    })
  },
)

const EVIDENCED = WITH_EVIDENCE.flatMap((release) =>
  DIALECTS.map((dialect) => ({ release, dialect })),
)

test.each(EVIDENCED)(
  'an evidence package of release $release.version proves its document when its office was upgraded, and with several offices ($dialect)',
  async ({ release, dialect }) => {
    await withOfficeOf(release, dialect, async ({ system }, folder) => {
      const { place } = await unpackEvidence(evidenceOf(release), folder)
      await createOffice(system, ANOTHER_OFFICE)
      await checkpointLogs(system, undefined, seconds(0))

      const commands = commandsIn(place)
      expect(commands.filter(isOfStatus)).toHaveLength(2)
      for (const command of commands)
        expect(runCommand(place, amended(command))).toMatchObject({ status: 0 })
      for (const command of commands.filter(isOfStatus))
        expect(runCommand(place, amended(command, 'revoked'))).toMatchObject({ status: 1 })
      const [first] = await listLogs(system.db)
      const { verifier } = system.settings.logKeys(first!)
      const key = formatVerifierKey(verifier)
      expect(readFileSync(join(place, 'VERIFICAR.txt'), 'utf8')).toContain(`--key '${key}'`)
      const files = ['--events', 'bitacora/eventos.jsonl', 'bitacora/pruebas.tlog-proof']
      const proven = await said(() => auditVerifyProof(['--key', key, ...files], place))
      expect(proven).toMatchObject({ status: 0, errors: [] })

      // The log of now is the one that the package was signed over, and goes on.
      const note = readFileSync(join(place, 'bitacora/punto-de-control.txt'), 'utf8')
      const checkpoint = openCheckpoint(note, [verifier])!
      const judge = logJudge({ keys: [verifier], checkpoints: [checkpoint] })
      for await (const line of wholeLog(system, first!)) judge.take(line)
      const verdict = judge.verdict()
      expect(verdict).toMatchObject({ verdict: 'INTACT', unproven: 0 })
      expect(verdict.events).toBeGreaterThan(checkpoint.size)
    })
  },
  60_000,
)

/* What packages up to 0.1.0 and of the months after it looked for is not found any more when the answer is no longer recent. */
const OF_STATUS = /^grep -q ': good' (\S+)$/

const isOfStatus = (command: string) => OF_STATUS.test(command)

/** The command as packages have it now. */
const amended = (command: string, status: 'good' | 'revoked' = 'good') =>
  command.replace(OF_STATUS, (_, file: string) => saysStatus(status, file))

async function withOfficeOf(
  release: Release,
  dialect: DialectName,
  work: (office: Composed, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-release-'))
  const empty = dialect === 'postgres' ? await emptyDatabase('postgres', 'none') : undefined
  try {
    restoreRelease(release, folder)
    if (empty) await copyToPostgres(release, join(folder, 'rubrica.sqlite'), empty.url)
    const office = await compose(
      readConfig('start', { DATA_DIR: folder, ...(empty && { DATABASE_URL: empty.url }) }),
    )
    await work(office, folder).finally(() => office.close())
  } finally {
    await empty?.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Titles that the list would sort elsewhere than if they had been written by this release. */
async function titlesWithoutKey(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('documents').select(['title', 'title_key']).execute()
  return rows.filter((row) => row.title_key !== titleKey(row.title)).map(({ title }) => title)
}

async function rowsOf(db: Database) {
  const count = async (table: 'documents' | 'signatures' | 'users') => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  return {
    documents: await count('documents'),
    signatures: await count('signatures'),
    users: await count('users'),
  }
}
