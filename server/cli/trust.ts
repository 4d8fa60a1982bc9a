import { readFileSync } from 'node:fs'
import path from 'node:path'
import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS, type SubCommand } from '#server/cli/commands/commands.ts'
import { databaseAddress, makePrivate } from '#server/compose.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { readAuthorityBundle } from '#server/domain/cms/authority-bundle.ts'
import { MOST_CERTIFICATES } from '#server/domain/cms/certificate-bundle.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatDay, type Instant } from '#server/domain/time.ts'
import { type ImportOutcome, INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { programAsDecider } from '#server/features/offices/authority-decider.ts'
import { AuthorityDecision, applyDecision } from '#server/features/offices/decide-authority.ts'
import { BUNDLE_LIMIT, storeBundle } from '#server/features/offices/import-authorities.ts'
import {
  describeAuthorities,
  type ListedAuthority,
} from '#server/features/offices/list-authorities.ts'
import { tooManyCertificates } from '#server/words/authorities.ts'
import { mustBeEmptyOrOfThisRelease } from './must-be-of-this-release.ts'
import { complain, say } from './output.ts'
import { configOrUsageError, orUsageError, readArguments, UsageError } from './usage.ts'

type Task = {
  db: Database
  now: Instant
  isDemo: boolean
  workingFolder: string
  operands: string[]
  options: { reason?: string; revocation?: string; ocsp?: string[] }
}

/* A running server applies each decision from its next query on. */
const TASKS: Record<SubCommand<'trust'>, (task: Task) => Promise<number>> = {
  list,
  import: importFiles,
  accept: (task) => decide(task, 'accept'),
  remove: (task) => decide(task, 'remove'),
}

/**
 * `rubrica trust`: the authorities of this installation, and decisions about them.
 *
 * @returns 0 if everything was done, 1 if something was refused or could not be read
 * @throws {UsageError}
 */
export async function trust(
  args: string[],
  workingFolder: string,
  now = systemClock.now(),
): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...COMMANDS['trust accept'].options,
    ...COMMANDS['trust import'].options,
    ...COMMANDS['trust remove'].options,
  })
  const [name = '', ...operands] = positionals
  const { demo: isDemo = false, ...options } = values
  if (!isTask(name))
    throw new UsageError('Diga qué hacer con las autoridades: list, import, accept o remove.')
  const config = configOrUsageError()
  // Authorities may be imported before the first start.
  makePrivate(config.dataFolder)
  const db = openDatabase(databaseAddress(config))
  try {
    await mustBeEmptyOrOfThisRelease(db)
    return await TASKS[name]({ db, now, isDemo, workingFolder, operands, options })
  } finally {
    await db.close()
  }
}

const isTask = (name: string): name is SubCommand<'trust'> => Object.hasOwn(TASKS, name)

async function list({ db, operands }: Task): Promise<number> {
  if (operands.length > 0) throw new UsageError('list no espera nada más.')
  const authorities = await describeAuthorities(db, INSTALLATION, [])
  if (authorities.length === 0) say('No hay ninguna autoridad. Use rubrica trust import.')
  for (const authority of authorities) say(describe(authority))
  return 0
}

const STATES: Record<ListedAuthority['state'], string> = {
  'built-in': 'de la demostración',
  pinned: 'reconocida por su huella',
  accepted: 'aceptada por decisión',
  offered: 'sin aceptar: no cuenta',
  removed: 'retirada: no cuenta',
}

function describe(authority: ListedAuthority): string {
  const { name, sha256, state, notBefore, notAfter, revocation, ocsp, reason, forTesting } =
    authority
  const demand = revocation === 'required' ? 'exigida' : 'cuando hay respuesta'
  return [
    `${name}${forTesting ? ' (de prueba)' : ''}`,
    `  ${sha256}`,
    `  ${STATES[state]}${reason ? ` (“${reason}”)` : ''}`,
    `  vigente del ${formatDay(notBefore)} al ${formatDay(notAfter)}`,
    `  revocación: ${demand}${ocsp.length > 0 ? `, en ${ocsp.join(' y ')}` : ', sin lugar donde preguntar'}`,
  ].join('\n')
}

const OUTCOMES: Record<ImportOutcome, string> = {
  pinned: 'reconocida por su huella: ya es de confianza',
  offered: 'sin aceptar: no cuenta. Para aceptarla: rubrica trust accept HUELLA --reason TEXTO',
  known: 'ya estaba; sigue como estaba',
  'for-testing': 'rechazada: es solo para pruebas',
  'no-authority': 'rechazada: no es de una autoridad',
}

async function importFiles(task: Task): Promise<number> {
  const { db, now, isDemo, operands, workingFolder } = task
  if (operands.length === 0) throw new UsageError('Falta el archivo con las autoridades.')
  const decider = programAsDecider('rubrica trust', now, isDemo)
  let isAllGood = true
  for (const file of operands) {
    const bytes = readBundle(file, workingFolder)
    const bundle = await readAuthorityBundle(bytes, file)
    const { certificates, unreadable, isCut } = await storeBundle(db, decider, bundle)
    for (const { name, sha256, outcome } of certificates)
      say(`${name}\n  ${sha256}\n  ${OUTCOMES[outcome]}`)
    if (isCut) complain(tooManyCertificates(file, MOST_CERTIFICATES))
    for (const place of unreadable) complain(`No se leyó ningún certificado en ${place}.`)
    const isRefused = certificates.some(({ outcome }) => REFUSED.includes(outcome))
    if (isRefused || isCut || unreadable.length > 0) isAllGood = false
  }
  return isAllGood ? 0 : 1
}

const REFUSED: readonly ImportOutcome[] = ['offered', 'for-testing', 'no-authority']

function readBundle(file: string, workingFolder: string): Uint8Array {
  const bytes = orUsageError(
    () => `No se puede leer ${file}.`,
    () => new Uint8Array(readFileSync(path.resolve(workingFolder, file))),
  )
  if (bytes.length > BUNDLE_LIMIT) throw new UsageError(`${file} es demasiado grande.`)
  return bytes
}

async function decide(task: Task, kind: AuthorityDecision['kind']): Promise<number> {
  const { db, now, isDemo, operands, options } = task
  const [fingerprint = '', ...more] = operands
  const { reason, revocation = 'required', ocsp = [] } = options
  const sha256 = fingerprint.toLowerCase().replace(/[:\s]/g, '')
  const base = { kind, sha256, reason }
  const parsed = AuthorityDecision.safeParse(
    kind === 'accept' ? { ...base, revocation, ocsp } : base,
  )
  if (!parsed.success || more.length > 0)
    throw new UsageError(
      `${kind} espera la huella SHA-256 de una autoridad y --reason con el motivo (de 10 a 500 letras)${kind === 'accept' ? '; --revocation es required o when-available y --ocsp una dirección http(s)' : ''}.`,
    )
  try {
    const decider = programAsDecider('rubrica trust', now, isDemo)
    const { certificate } = await applyDecision(db, decider, parsed.data)
    say(`${certificate.name}: ${kind === 'accept' ? STATES.accepted : STATES.removed}`)
    return 0
  } catch (error) {
    const sentence = error instanceof Problem ? REFUSALS[error.code] : undefined
    if (sentence === undefined) throw error
    complain(sentence)
    return 1
  }
}

const REFUSALS: Partial<Record<Problem['code'], string>> = {
  'not-found': 'Ninguna autoridad tiene esa huella. Tráigala primero con rubrica trust import.',
  'authority-for-testing':
    'Esa autoridad es solo para pruebas: fuera de la demostración no se puede confiar en ella.',
  'wrong-state': 'La autoridad ya está así; no se cambió nada.',
}
