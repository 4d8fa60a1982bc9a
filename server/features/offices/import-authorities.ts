import type { Database } from '#server/db/database.ts'
import { listAuthorities, replaceAuthority } from '#server/db/trust/authorities.ts'
import { readCertificateBundle } from '#server/domain/cms/certificate-bundle.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type ImportOutcome,
  importedAuthority,
  outcomeOfImport,
} from '#server/domain/trust/known-authority.ts'
import { pinOf } from '#server/domain/trust/mexican-authorities.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { administratorAsDecider, type Decider } from './authority-decider.ts'

/** Largest bundle in bytes; published bundles have a tenth of it. */
export const BUNDLE_LIMIT = 2 << 20

type ImportedCertificate = {
  sha256: Sha256
  /** The name from the pin, else the subject's own. */
  name: string
  outcome: ImportOutcome
}

export type ImportedBundle = {
  certificates: readonly ImportedCertificate[]
  /** Names of files without a readable certificate. */
  unreadable: readonly string[]
}

/**
 * Imports a bundle as published by an authority. Certificates with a pin are trusted at once; every other
 * authority is listed and not trusted until an administrator accepts it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `too-large`
 */
export async function importAuthorities(
  system: System,
  actor: Actor,
  input: { fileName: string; content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> },
): Promise<ImportedBundle> {
  const { db, clock, settings } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  const file = await wholeOf(input.content)
  return await storeBundle(
    db,
    administratorAsDecider(person, at, settings.isDemo),
    file,
    input.fileName,
  )
}

/** The same for any decider. */
export async function storeBundle(
  db: Database,
  decider: Decider,
  file: Uint8Array,
  name: string,
): Promise<ImportedBundle> {
  const { certificates, unreadable } = await readCertificateBundle(file, name)
  const stored = await db.transaction((trx) => store(trx, decider, certificates))
  return { certificates: stored, unreadable }
}

async function store(
  trx: Parameters<Decider['begin']>[0],
  decider: Decider,
  certificates: readonly Certificate[],
): Promise<ImportedCertificate[]> {
  await decider.begin(trx)
  const known = new Map((await listAuthorities(trx)).map((one) => [one.sha256, one]))
  const imported = certificates.map((certificate) => {
    const fingerprint = sha256(certificate.der)
    const outcome = outcomeOfImport(certificate, known.get(fingerprint), decider)
    return { certificate, fingerprint, outcome, name: pinOf(certificate)?.name ?? certificate.name }
  })
  for (const { certificate, outcome } of imported)
    if (outcome === 'pinned' || outcome === 'offered')
      await replaceAuthority(
        trx,
        importedAuthority(certificate, outcome, { since: decider.at, by: decider.by }),
      )
  await decider.record(trx, imported.flatMap(eventOf))
  return imported.map(({ fingerprint, name, outcome }) => ({ sha256: fingerprint, name, outcome }))
}

type Imported = { fingerprint: Sha256; name: string; outcome: ImportOutcome }

function eventOf({
  fingerprint,
  name,
  outcome,
}: Imported): Parameters<Decider['record']>[1][number][] {
  const details = { name: name.slice(0, 200) }
  if (outcome === 'pinned') return [{ action: 'authority.pinned', id: fingerprint, details }]
  if (outcome === 'offered') return [{ action: 'authority.offered', id: fingerprint, details }]
  if (outcome !== 'for-testing') return []
  const refusal = { ...details, code: outcome }
  return [{ action: 'authority.refused', id: fingerprint, result: 'refused', details: refusal }]
}

async function wholeOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const kept: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > BUNDLE_LIMIT) throw new Problem('too-large', 'a bundle of authorities')
    kept.push(chunk)
  }
  return new Uint8Array(Buffer.concat(kept))
}
