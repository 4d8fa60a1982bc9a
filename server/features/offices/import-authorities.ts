import type { Database } from '#server/db/database.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { deleteOffered, listAuthorities, replaceAuthority } from '#server/db/trust/authorities.ts'
import type { AuthorityBundle } from '#server/domain/cms/authority-bundle.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { BundledAuthority } from '#server/domain/trust/authority-facts.ts'
import {
  type ImportOutcome,
  importedAuthority,
  MOST_AUTHORITIES,
  outcomeOfImport,
  type TrustScope,
} from '#server/domain/trust/known-authority.ts'
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
  /** True if the file has more certificates than were read. */
  isCut: boolean
}

/**
 * Imports a bundle as published by an authority. Certificates with a pin are trusted at once; every other
 * authority is listed and not trusted until an administrator accepts it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `too-large`, `too-many-authorities`
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
  const bundle = await readInWorker(system, await wholeOf(input.content), input.fileName)
  return await storeBundle(db, administratorAsDecider(person, at, settings.isDemo), bundle)
}

/** A file that takes too much to read counts as unreadable. */
async function readInWorker(
  { pdf }: Pick<System, 'pdf'>,
  file: Uint8Array,
  name: string,
): Promise<AuthorityBundle> {
  try {
    return await pdf.readAuthorities(file, name)
  } catch (error) {
    if (!isProblem(error, 'pdf-too-complex')) throw error
    return { certificates: [], unreadable: [name], isCut: false }
  }
}

/** The same for any decider. @throws {Problem} `too-many-authorities` */
export async function storeBundle(
  db: Database,
  decider: Decider,
  { certificates, unreadable, isCut }: AuthorityBundle,
): Promise<ImportedBundle> {
  const stored = await db.transaction((trx) => store(trx, decider, certificates))
  return { certificates: stored, unreadable, isCut }
}

async function store(
  trx: Transaction,
  decider: Decider,
  certificates: readonly BundledAuthority[],
): Promise<ImportedCertificate[]> {
  const scope = await decider.begin(trx)
  const known = new Map((await listAuthorities(trx, scope)).map((one) => [one.sha256, one]))
  const imported = certificates.map((certificate) => ({
    certificate,
    outcome: outcomeOfImport(certificate, known.get(certificate.sha256), decider),
  }))
  await makeRoom(
    trx,
    scope,
    known,
    imported.map(({ certificate, outcome }) => ({ ...certificate, outcome })),
  )
  for (const { certificate, outcome } of imported)
    if (outcome === 'pinned' || outcome === 'offered')
      await replaceAuthority(
        trx,
        scope,
        importedAuthority(certificate, outcome, { since: decider.at, by: decider.by }),
      )
  await decider.record(
    trx,
    imported.flatMap(({ certificate, outcome }) => eventOf({ ...certificate, outcome })),
  )
  return imported.map(({ certificate: { sha256, name }, outcome }) => ({ sha256, name, outcome }))
}

/**
 * Authorities about which nothing was decided make room for new ones, the oldest first.
 *
 * @throws {Problem} `too-many-authorities` if there are too few of them
 */
async function makeRoom(
  trx: Transaction,
  scope: TrustScope,
  known: ReadonlyMap<Sha256, unknown>,
  imported: readonly ImportedCertificate[],
): Promise<void> {
  const added = imported.filter(
    ({ sha256, outcome }) => (outcome === 'pinned' || outcome === 'offered') && !known.has(sha256),
  )
  const excess = known.size + added.length - MOST_AUTHORITIES
  if (added.length === 0 || excess <= 0) return
  const except = imported.map(({ sha256 }) => sha256)
  if ((await deleteOffered(trx, scope, { most: excess, except })) < excess)
    throw new Problem('too-many-authorities', `${known.size} are known, ${added.length} are new`)
}

function eventOf({
  sha256: id,
  name,
  outcome,
}: ImportedCertificate): Parameters<Decider['record']>[1][number][] {
  const details = { name: name.slice(0, 200) }
  if (outcome === 'pinned') return [{ action: 'authority.pinned', id, details }]
  if (outcome === 'offered') return [{ action: 'authority.offered', id, details }]
  if (outcome !== 'for-testing') return []
  const refusal = { ...details, code: outcome }
  return [{ action: 'authority.refused', id, result: 'refused', details: refusal }]
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
