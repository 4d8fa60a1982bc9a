import { readFileSync } from 'node:fs'
import path from 'node:path'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { findLogView } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { listLostPresence, listPresenceProofs } from '#server/db/presence/presence-proofs.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import {
  type PresenceVerdict,
  presenceChecker,
  withFault,
} from '#server/domain/signing/check-exported-presence.ts'
import {
  digestOfExport,
  type ExportedPresence,
  exportOf,
  PresenceFile,
} from '#server/domain/signing/exported-presence.ts'
import { type PresenceProof, readCanonicalList } from '#server/domain/signing/presence.ts'
import { formatInstant, type Instant, parseInstant } from '#server/domain/time.ts'
import { PRESENCE_FAULTS } from '#server/words/presence.ts'
import { mustBeOfThisRelease } from './must-be-of-this-release.ts'
import { openOffice } from './open-office.ts'
import { complain, say, sayJson } from './output.ts'
import { configOrUsageError, orUsageError, readArguments } from './usage.ts'

/** Far more than needed: evidence of some hundred documents has a few hundred kilobytes. */
const FILE_LIMIT = 64 << 20
const PAGE = 500

type Checked = { evidence: ExportedPresence; verdict: PresenceVerdict; isInLog: boolean }
type Print = (checked: Checked, file?: string) => void

/**
 * `rubrica verify-intent`: checks the stored proofs of presence again, from the given files or from the whole
 * database, then also against its log.
 *
 * @returns 0 if every proof is valid, 2 if a file could not be opened, else 1; a TOTP code can only be checked
 *   against the log
 * @throws {UsageError}
 */
export async function verifyIntent(args: string[], workingFolder: string): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['verify-intent'].options)
  const origin = values.origin === undefined ? undefined : readOrigin(values.origin)
  const print = values.json ? printJson : printText
  if (positionals.length === 0) return await verifyDatabase(origin, print)
  const statuses = positionals.map((file) => verifyFile(file, workingFolder, origin, print))
  return Math.max(...statuses)
}

function readOrigin(text: string): string {
  return orUsageError(
    () => `--origin espera una dirección como https://rubrica.notaria.mx, no “${text}”.`,
    () => new URL(text).origin,
  )
}

function verifyFile(
  file: string,
  workingFolder: string,
  origin: string | undefined,
  print: Print,
): number {
  const bytes = tryToRead(path.resolve(workingFolder, file))
  if (!bytes) {
    complain(`No se puede leer ${file}.`)
    return 2
  }
  const proofs = proofsIn(bytes)
  if (!proofs || proofs.length === 0) {
    complain(`En ${file} no hay evidencia de presencia que se pueda leer.`)
    return 1
  }
  const check = presenceChecker(origin)
  const checked = proofs
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((evidence) => ({ evidence, verdict: check(evidence), isInLog: false }))
  for (const one of checked) print(one, file)
  return checked.every(isProven) ? 0 : 1
}

function tryToRead(file: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    return undefined
  }
}

function proofsIn(bytes: Uint8Array): ExportedPresence[] | undefined {
  if (bytes.length > FILE_LIMIT) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return PresenceFile.safeParse(JSON.parse(text)).data?.proofs
  } catch {
    return undefined
  }
}

async function verifyDatabase(origin: string | undefined, print: Print): Promise<number> {
  const db = openOffice(configOrUsageError())
  try {
    await mustBeOfThisRelease(db)
    return await verifyStored(db, origin, print)
  } finally {
    await db.close()
  }
}

async function verifyStored(
  db: Database,
  origin: string | undefined,
  print: Print,
): Promise<number> {
  const check = presenceChecker(origin)
  let isAllGood = true
  let count = 0
  for await (const proof of allOf(db)) {
    const evidence = exportOf(proof)
    const isInLog = await isLogged(db, proof, evidence)
    const verdict = isInLog ? check(evidence) : withFault(check(evidence), 'log')
    print({ evidence, verdict, isInLog })
    isAllGood &&= isProven({ evidence, verdict, isInLog })
    count += 1
  }
  const lost = await listLostPresence(db)
  for (const id of lost) complain(`Falta la prueba ${id}, de la que habla la bitácora.`)
  if (count === 0 && lost.length === 0) complain('No hay evidencia de presencia.')
  return isAllGood && lost.length === 0 ? 0 : 1
}

async function* allOf(db: Database): AsyncGenerator<PresenceProof> {
  let last: PresenceProof | undefined
  for (;;) {
    const page = await listPresenceProofs(db, last, PAGE)
    yield* page
    if (page.length < PAGE) return
    last = page.at(-1)
  }
}

/** Whether the log contains exactly this proof. */
async function isLogged(
  db: Database,
  { id, officeId, userId, at }: PresenceProof,
  evidence: ExportedPresence,
): Promise<boolean> {
  const view = await findLogView(db, officeId)
  const { events } = await listEvents(db, { view, subjectId: id, limit: 10 })
  return events.some(
    ({ action, actor, details, at: toldAt }) =>
      action === 'presence.proven' &&
      actor.kind === 'person' &&
      actor.userId === userId &&
      toldAt === at &&
      details.evidence === digestOfExport(evidence),
  )
}

const isProven = ({ verdict, isInLog }: Checked) =>
  verdict.kind === 'genuine' || (verdict.kind === 'log-only' && isInLog)

const printJson: Print = ({ evidence, verdict, isInLog }, file) => {
  const { id, userId, at, listSha256, means } = evidence
  const facts = { id, userId, at, method: means.method, listSha256, ...verdict }
  sayJson({ ...(file !== undefined && { file }), ...facts, isInLog })
}

const printText: Print = (checked, file) => {
  const { evidence, verdict } = checked
  const { id, userId, list, listSha256, means } = evidence
  const documents = readCanonicalList(new TextEncoder().encode(list)) ?? []
  const lines = [
    `${file === undefined ? '' : `${file}: `}${headline(checked)}`,
    `  prueba ${id}, persona ${userId}, ${formatInstant(timeOf(evidence))}`,
    ...verdict.faults.map((fault) => `  ${PRESENCE_FAULTS[fault]}`),
    `  lista SHA-256 ${listSha256}`,
    ...documents.map(({ document, sha256 }) => `    documento ${document}, SHA-256 ${sha256}`),
  ]
  if (means.method === 'webauthn') {
    const key = sha256(Buffer.from(means.publicKey, 'base64url'))
    lines.push(
      `  usada en ${means.origin}; llave pública, que está en la llave de seguridad, SHA-256 ${key}`,
    )
  }
  say(lines.join('\n'))
}

function headline({ verdict, isInLog }: Checked): string {
  if (verdict.kind === 'refuted') return 'NO COMPROBADA'
  if (verdict.kind === 'genuine')
    return `COMPROBADA con llave de seguridad${isInLog ? '; la bitácora dice lo mismo' : ''}`
  return isInLog
    ? 'CONSTA EN LA BITÁCORA: código de la aplicación, que solo ella puede probar'
    : 'SIN COMPROBAR: código de la aplicación, que solo la bitácora puede probar'
}

const timeOf = ({ at }: ExportedPresence): Instant => parseInstant(at)
