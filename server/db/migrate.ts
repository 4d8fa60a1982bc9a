import { type Kysely, sql, type Transaction } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { createPeople } from '#server/db/migrations/0001-people.ts'
import { createDocuments } from '#server/db/migrations/0002-documents.ts'
import { createAudit } from '#server/db/migrations/0003-audit.ts'
import { createSignIns } from '#server/db/migrations/0004-coming-in.ts'
import { createTrust } from '#server/db/migrations/0005-trust.ts'
import { createSigningSessions } from '#server/db/migrations/0006-signing-sessions.ts'
import { createMail } from '#server/db/migrations/0007-mail.ts'
import { createProviders } from '#server/db/migrations/0008-providers.ts'
import { createConstancias } from '#server/db/migrations/0009-constancias.ts'
import { createPresence } from '#server/db/migrations/0010-presence.ts'
import { createAccessTokens } from '#server/db/migrations/0011-access-tokens.ts'
import { createInstruments } from '#server/db/migrations/0012-instruments.ts'
import { createMailAttachments } from '#server/db/migrations/0013-mail-attachments.ts'
import { createDiscardReasons } from '#server/db/migrations/0014-discarded-mail.ts'
import { indexSignersOfASession } from '#server/db/migrations/0015-signers-of-a-session.ts'
import { createPrivacyNotices } from '#server/db/migrations/0016-privacy-notices.ts'
import { indexSignaturesOfASigner } from '#server/db/migrations/0017-signatures-of-a-signer.ts'
import { createAuditCheckpoints } from '#server/db/migrations/0018-audit-checkpoints.ts'
import { addCharacters } from '#server/db/migrations/0019-characters.ts'
import { addCompletedVersions } from '#server/db/migrations/0020-further-signing.ts'
import { createUploadJudgements } from '#server/db/migrations/0021-upload-judgements.ts'
import { createParties } from '#server/db/migrations/0022-parties.ts'
import { refuseReplacements } from '#server/db/migrations/0023-no-replacement.ts'
import { indexFactorsOfAUser } from '#server/db/migrations/0024-factors-of-a-user.ts'
import { indexPagesOfLogAndAlerts } from '#server/db/migrations/0025-pages-of-log-and-alerts.ts'
import { indexLongLists } from '#server/db/migrations/0026-long-lists.ts'
import { indexDueRows } from '#server/db/migrations/0027-due-rows.ts'
import { countOccurrences } from '#server/db/migrations/0028-repeated-alerts.ts'
import { createStoredFiles } from '#server/db/migrations/0029-stored-files.ts'
import { createBackups } from '#server/db/migrations/0031-backups.ts'
import { countVainAttempts } from '#server/db/migrations/0032-vain-attempts.ts'
import { indexTurnsAndSessions } from '#server/db/migrations/0033-turns-and-sessions.ts'
import { createReadingProgress } from '#server/db/migrations/0034-reading-progress.ts'
import { keepForms } from '#server/db/migrations/0035-kept-forms.ts'
import { remindSigners } from '#server/db/migrations/0036-reminders.ts'
import { addPublicLookup } from '#server/db/migrations/0037-public-lookup.ts'
import { createResumableUploads } from '#server/db/migrations/0038-resumable-uploads.ts'
import { createActs } from '#server/db/migrations/0039-acts.ts'
import { createSearch } from '#server/db/migrations/0040-search.ts'
import { addStampChoices } from '#server/db/migrations/0041-stamp-choices.ts'
import { proveRejections } from '#server/db/migrations/0042-rejection-proofs.ts'
import { addPublicPictures } from '#server/db/migrations/0043-public-pictures.ts'
import { indexEventsOfASubject } from '#server/db/migrations/0044-events-of-a-subject.ts'
import { watchEndings } from '#server/db/migrations/0045-endings-and-alert-mail.ts'
import { countDays } from '#server/db/migrations/0046-daily-figures.ts'
import { purgeDocuments } from '#server/db/migrations/0047-purged-documents.ts'
import { indexFilteredDocuments } from '#server/db/migrations/0048-filtered-documents.ts'
import { indexSignaturesOfACertificate } from '#server/db/migrations/0049-signatures-of-a-certificate.ts'
import { rememberAskedRevocations } from '#server/db/migrations/0050-asked-revocations.ts'
import { createYubikeys } from '#server/db/migrations/0051-yubikeys.ts'
import { registerNumbers } from '#server/db/migrations/0052-instrument-numbers.ts'
import { createChecklists } from '#server/db/migrations/0053-checklists.ts'
import { createIssuedCopies } from '#server/db/migrations/0054-issued-copies.ts'
import { sortDocuments } from '#server/db/migrations/0055-sorted-documents.ts'
import { createDocumentViews } from '#server/db/migrations/0056-document-views.ts'
import { addCostOfConstancias } from '#server/db/migrations/0057-cost-of-constancias.ts'
import { createReportRuns } from '#server/db/migrations/0058-report-runs.ts'
import { scheduleReports } from '#server/db/migrations/0059-monthly-reports.ts'
import { createObligations } from '#server/db/migrations/0060-obligations.ts'
import { addOfficePolicies } from '#server/db/migrations/0061-office-policies.ts'
import { createCare } from '#server/db/migrations/0062-care.ts'
import { createLogs } from '#server/db/migrations/0063-logs.ts'
import { separateMakers } from '#server/db/migrations/0064-yubikeys-makers-of-offices.ts'
import { scopeAuthorities } from '#server/db/migrations/0065-authorities-of-offices.ts'
import { createLinkedAccounts } from '#server/db/migrations/0066-linked-accounts.ts'
import { createJobLeader } from '#server/db/migrations/0067-job-leader.ts'
import { createSchemaRange } from '#server/db/migrations/0068-schema-range.ts'
import { createInstallationIdentity } from '#server/db/migrations/0069-installation-identity.ts'
import { createAppendAuditEvents } from '#server/db/migrations/0070-append-audit-events.ts'
import { renewTextsOfBlockedDocuments } from '#server/db/migrations/0071-texts-of-blocked-documents.ts'
import { indexDueConstancias } from '#server/db/migrations/0072-due-constancias.ts'
import { watchProofsAndProviders } from '#server/db/migrations/0073-proofs-and-providers.ts'
import { createDocumentStamps } from '#server/db/migrations/0074-document-stamps.ts'
import type { DialectName } from '#server/db/migrations/columns.ts'
import { lockUntilCommit } from './lock.ts'
import type { Tables } from './tables.ts'

/** A forward migration. There are no down migrations: a later step corrects a mistake. */
type Step = (db: Kysely<unknown>, dialect: DialectName) => Promise<void>

/* In order. A released step is never changed, renamed or removed. */
const STEPS: Record<string, Step> = {
  '0001-people': createPeople,
  '0002-documents': createDocuments,
  '0003-audit': createAudit,
  '0004-coming-in': createSignIns,
  '0005-trust': createTrust,
  '0006-signing-sessions': createSigningSessions,
  '0007-mail': createMail,
  '0008-providers': createProviders,
  '0009-constancias': createConstancias,
  '0010-presence': createPresence,
  '0011-access-tokens': createAccessTokens,
  '0012-instruments': createInstruments,
  '0013-mail-attachments': createMailAttachments,
  '0014-discarded-mail': createDiscardReasons,
  '0015-signers-of-a-session': indexSignersOfASession,
  '0016-privacy-notices': createPrivacyNotices,
  '0017-signatures-of-a-signer': indexSignaturesOfASigner,
  '0018-audit-checkpoints': createAuditCheckpoints,
  '0019-characters': addCharacters,
  '0020-further-signing': addCompletedVersions,
  '0021-upload-judgements': createUploadJudgements,
  '0022-parties': createParties,
  '0023-no-replacement': refuseReplacements,
  '0024-factors-of-a-user': indexFactorsOfAUser,
  '0025-pages-of-log-and-alerts': indexPagesOfLogAndAlerts,
  '0026-long-lists': indexLongLists,
  '0027-due-rows': indexDueRows,
  '0028-repeated-alerts': countOccurrences,
  '0029-stored-files': createStoredFiles,
  '0031-backups': createBackups,
  '0032-vain-attempts': countVainAttempts,
  '0033-turns-and-sessions': indexTurnsAndSessions,
  '0034-reading-progress': createReadingProgress,
  '0035-kept-forms': keepForms,
  '0036-reminders': remindSigners,
  '0037-public-lookup': addPublicLookup,
  '0038-resumable-uploads': createResumableUploads,
  '0039-acts': createActs,
  '0040-search': createSearch,
  '0041-stamp-choices': addStampChoices,
  '0042-rejection-proofs': proveRejections,
  '0043-public-pictures': addPublicPictures,
  '0044-events-of-a-subject': indexEventsOfASubject,
  '0045-endings-and-alert-mail': watchEndings,
  '0046-daily-figures': countDays,
  '0047-purged-documents': purgeDocuments,
  '0048-filtered-documents': indexFilteredDocuments,
  '0049-signatures-of-a-certificate': indexSignaturesOfACertificate,
  '0050-asked-revocations': rememberAskedRevocations,
  '0051-yubikeys': createYubikeys,
  '0052-instrument-numbers': registerNumbers,
  '0053-checklists': createChecklists,
  '0054-issued-copies': createIssuedCopies,
  '0055-sorted-documents': sortDocuments,
  '0056-document-views': createDocumentViews,
  '0057-cost-of-constancias': addCostOfConstancias,
  '0058-report-runs': createReportRuns,
  '0059-monthly-reports': scheduleReports,
  '0060-obligations': createObligations,
  '0061-office-policies': addOfficePolicies,
  '0062-care': createCare,
  '0063-logs': createLogs,
  '0064-yubikeys-makers-of-offices': separateMakers,
  '0065-authorities-of-offices': scopeAuthorities,
  '0066-linked-accounts': createLinkedAccounts,
  '0067-job-leader': createJobLeader,
  '0068-schema-range': createSchemaRange,
  '0069-installation-identity': createInstallationIdentity,
  '0070-append-audit-events': createAppendAuditEvents,
  '0071-texts-of-blocked-documents': renewTextsOfBlockedDocuments,
  '0072-due-constancias': indexDueConstancias,
  '0073-proofs-and-providers': watchProofsAndProviders,
  '0074-document-stamps': createDocumentStamps,
}

/** The schema of this release. */
export const LATEST_STEP = Object.keys(STEPS).at(-1)!

/**
 * The last step of the oldest release that runs beside this one: later steps only add what that release does not need to
 * know. A step that takes something away comes a release after the code stopped using it, and moves this up.
 */
const OLDEST_BESIDE = '0070-append-audit-events'

/** Whether this release knows the schema, and can migrate it. */
export const isKnownStep = (name: string) => Object.hasOwn(STEPS, name)

/**
 * Runs the missing steps in one transaction. If two processes start at once, the second waits and finds nothing
 * to do. Does nothing if a later release, beside which this one may run, has migrated the database.
 *
 * @throws {NewerDatabaseError}, or the error of a step; then none of the steps is applied
 */
export async function migrateToLatest(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'migrations')
    if (await isAhead(trx)) return
    await migrateWhole(trx, dialect)
  })
}

/** Runs the missing steps, and notes which releases may run on the database from now on. */
export async function migrateWhole(trx: Transaction<Tables>, dialect: DialectName): Promise<void> {
  await migrateTo(trx, dialect, LATEST_STEP)
  await raiseOldest(trx, OLDEST_BESIDE)
}

/** Runs the missing steps up to and including this one. */
export async function migrateTo(
  trx: Transaction<Tables>,
  dialect: DialectName,
  step: string,
): Promise<void> {
  const { error } = await migratorOn(trx, dialect).migrateTo(step)
  if (error) throw error
}

/** The last step that was run; undefined for a database without tables. */
export async function stepOf(trx: Transaction<Tables>): Promise<string | undefined> {
  return (await stepsOf(trx)).at(-1)
}

/** A later release has migrated the database, and this one must not run beside it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

/** Whether a later release has migrated the database. @throws {NewerDatabaseError} if this one must not run beside it */
async function isAhead(trx: Transaction<Tables>): Promise<boolean> {
  const [unknown] = (await stepsOf(trx)).filter((name) => !isKnownStep(name))
  if (!unknown) return false
  // The names of steps begin with their numbers. One before our last is of no later release, but of another branch.
  const isLater = unknown > LATEST_STEP
  const range = isLater
    ? await trx.selectFrom('schema_range').select('oldest_step').executeTakeFirst()
    : undefined
  if (!range || range.oldest_step > LATEST_STEP)
    throw new NewerDatabaseError(`unknown migration ${unknown}`)
  return true
}

async function raiseOldest(trx: Transaction<Tables>, step: string): Promise<void> {
  await trx
    .insertInto('schema_range')
    .values({ id: 1, oldest_step: step })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ oldest_step: step })
        .where('schema_range.oldest_step', '<', step),
    )
    .execute()
}

async function stepsOf(trx: Transaction<Tables>): Promise<string[]> {
  const tables = await trx.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(trx)
  return rows.map(({ name }) => name)
}

function migratorOn(db: Kysely<Tables>, dialect: DialectName): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrationsFor(dialect) } })
}

/** All steps, by name. */
export function migrationsFor(dialect: DialectName): Record<string, Migration> {
  const entries = Object.entries(STEPS).map(
    ([name, step]) => [name, { up: (db: Kysely<unknown>) => step(db, dialect) }] as const,
  )
  return Object.fromEntries(entries)
}
