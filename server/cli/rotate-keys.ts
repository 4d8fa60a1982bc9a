import { systemClock } from '#server/adapters/clock.ts'
import { type SealingKeyFiles, sealingKeyName } from '#server/adapters/sealing-keys.ts'
import { createVault } from '#server/adapters/vault.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { deleteKeyFingerprints } from '#server/db/installation/key-fingerprints.ts'
import { listKeyVersions } from '#server/db/sealed-rows.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { after, hours, type Instant } from '#server/domain/time.ts'
import { type Resealed, resealSecrets } from '#server/features/mfa/reseal-secrets.ts'
import { mustHaveOwnKeys, noteNewKeys } from '#server/installation-identity.ts'
import { mustBeOfThisRelease } from './must-be-of-this-release.ts'
import { openOffice, openOfficeSeals } from './open-office.ts'
import { complain, say } from './output.ts'
import { configOrUsageError, orUsage, readArguments } from './usage.ts'

/* A server that read the folder just before the new key appeared may still write with the old one. */
const OVERLAP = hours(1)

type Rotation = { db: Database; keys: SealingKeyFiles; now: Instant; secretsFolder: string }

/**
 * `rubrica rotate-keys`: creates a new sealing key and seals every secret of the database with it; the server
 * may keep running. An interrupted run is finished by the next one. `--drop-old` creates no key and deletes
 * older keys that seal nothing any more.
 *
 * @returns 0 if everything is sealed with the newest key, 1 if something cannot be unsealed
 * @throws {UsageError} also without a database or a key, so that a wrong folder gets neither
 */
export async function rotateKeys(
  args: string[],
  _workingFolder: string,
  now = systemClock.now(),
): Promise<number> {
  const { values } = readArguments(args, COMMANDS['rotate-keys'].options)
  const config = configOrUsageError()
  const keys = openOfficeSeals(config)
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    const { secretsFolder } = config
    // A new key beside those of another installation, or beside an old copy, would have the number of another key.
    await orUsage(mustHaveOwnKeys(db, secretsFolder))
    const rotation = { db, keys, now, secretsFolder }
    return await (values['drop-old'] ? dropOld(rotation) : rotate(rotation))
  } finally {
    await db.close()
  }
}

async function rotate({ db, keys, now, secretsFolder }: Rotation): Promise<number> {
  const vault = createVault(keys)
  const rest = await resealSecrets({ db, vault })
  // If an interrupted run left something, finish it first, without another new key.
  const isNew = rest.resealed === 0
  const version = isNew ? keys.add() : keys.newest()
  // Before anything is sealed with it: a process without the key does not start from now on.
  await orUsage(noteNewKeys(db, secretsFolder))
  const done = isNew ? await resealSecrets({ db, vault }) : rest
  await record(db, now, 'keys.rotated', {
    keyVersion: version,
    resealed: done.resealed,
    unreadable: done.unreadable.length,
  })
  say(
    `${isNew ? 'La llave nueva es' : 'Se terminó el cambio a la llave'} sealing-${version}.key; secretos cifrados de nuevo: ${done.resealed}.`,
  )
  if (keys.versions().length > 1)
    say(
      'Las llaves anteriores se conservan: los respaldos de la base de datos las necesitan. Después de una hora, “rubrica rotate-keys --drop-old” borra las que ya no cifran nada.',
    )
  return report(done)
}

async function dropOld({ db, keys, now }: Rotation): Promise<number> {
  const done = await resealSecrets({ db, vault: createVault(keys) })
  const wanted = await listKeyVersions(db)
  const versions = keys.versions()
  const old = versions.filter((version, index) => {
    const next = versions[index + 1]
    const isReplaced = next !== undefined && now >= after(keys.madeAt(next), OVERLAP)
    return isReplaced && !wanted.has(version)
  })
  if (old.length > 0) {
    // Log first: a logged key that still exists does no harm.
    await record(db, now, 'keys.dropped', { keyVersions: old.join(' ') })
    await db.transaction((trx) => deleteKeyFingerprints(trx, old.map(sealingKeyName)))
    for (const version of old) keys.drop(version)
  }
  say(
    old.length > 0
      ? `Llaves borradas: ${old.map((version) => `sealing-${version}.key`).join(', ')}.`
      : 'No hay llaves que se puedan borrar.',
  )
  return report(done)
}

function report({ unreadable }: Resealed): number {
  if (unreadable.length === 0) return 0
  complain(`No se pudieron abrir ${unreadable.length} secretos; quedan como estaban:`)
  for (const place of unreadable) complain(`  ${place}`)
  return 1
}

async function record(
  db: Database,
  at: Instant,
  action: 'keys.rotated' | 'keys.dropped',
  details: AuditEvent['details'],
) {
  await db.transaction((trx) =>
    appendSystemEvent(trx, {
      by: 'rubrica rotate-keys',
      at,
      officeId: null,
      action,
      subject: { kind: 'nothing' },
      result: 'success',
      details,
    }),
  )
}
