import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openLogKeys } from '#server/adapters/log-key.ts'
import { auditVerify } from '#server/cli/audit-verify.ts'
import { findNewestCheckpoint } from '#server/db/audit/audit-checkpoints.ts'
import { openDatabase } from '#server/db/database.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { eventLine, type LogVerdict } from '#server/domain/audit/log-export.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { minutes } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { exportWholeLog } from '#server/features/audit/export-whole-log.ts'
import {
  addEvents,
  anEventAt,
  changeEvent,
  cutAt,
  FIRST,
  forgetCheckpoints,
  insertEventAt,
  relabelEvent,
  rewriteEvent,
  swapEvents,
  tamper,
} from '#tests/support/office/log-events.ts'
import { rubrica, rubricaWith, said } from '#tests/support/processes/command-line.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const keyOf = ({ settings }: Pick<TestSystem, 'settings'>) =>
  formatVerifierKey(settings.logKeys(FIRST).verifier)

/** As `rubrica audit export` writes it. */
async function exported(system: TestSystem) {
  const { lines, ...rest } = await exportWholeLog(system, FIRST)
  const text = (await Array.fromAsync(lines)).map((line) => `${new TextDecoder().decode(line)}\n`)
  writeFileSync(path.join(system.folder, 'bitacora.jsonl'), text.join(''))
  return { ...rest, text: text.join('') }
}

const NEWLINE = Buffer.from('\n')

type Judged = LogVerdict & { status: number; text: string }

async function verified(system: TestSystem, ...options: string[]): Promise<Judged> {
  const asked = [...options, 'bitacora.jsonl']
  const json = await said(() => auditVerify(['--json', ...asked], system.folder))
  const text = await said(() => auditVerify(asked, system.folder))
  return {
    ...JSON.parse(json.output[0] ?? '{}'),
    status: json.status,
    text: text.output.join('\n'),
  }
}

/** Thirty events, signed over ten, twenty and thirty of them. */
async function aLog(system: TestSystem): Promise<void> {
  for (let run = 0; run < 3; run += 1) {
    await addEvents(system.db, 10)
    system.wait(minutes(1))
    await checkpointLogs(system)
  }
}

/** An older copy of the database, to which the office went on writing. */
const olderCopy = [cutAt(15), forgetCheckpoints(10)]

onEachSystem('the exported log', (current) => {
  test('holds, from its first event to the one that tells of the export', async () => {
    const system = current()
    await aLog(system)
    const { text } = await exported(system)
    expect(text.split('\n').map((line) => line.slice(0, 6))).toEqual([
      '{"log"',
      ...[10, 10, 10, 1].flatMap((n) => [...Array(n).fill('{"leaf'), '{"chec']),
      '',
    ])
    const judged = await verified(system, '--key', keyOf(system))
    expect(judged).toMatchObject({
      status: 0,
      verdict: 'INTACT',
      events: 31,
      proven: { size: 31, root: (await findNewestCheckpoint(system.db, FIRST_LOG))?.root },
    })
    expect(judged.text).toContain('bitacora.jsonl: ÍNTEGRA')
    expect(judged.text).toContain('Los primeros 31 eventos son los que se firmaron')
    const unsure = await verified(system)
    expect(unsure).toMatchObject({ status: 1, verdict: 'UNPROVEN', key: 'own' })
    expect(unsure.text).toContain('SIN COMPROBAR')
  })

  test('ends at its last checkpoint when the office goes on writing meanwhile', async () => {
    const system = current()
    await aLog(system)
    const append = async (notes: readonly string[]) => {
      await system.checkpoints.of(FIRST).append(notes)
      await addEvents(system.db, 3)
    }
    const file = { ...system.checkpoints.of(FIRST), append }
    const busy = { ...system, checkpoints: { of: () => file } }
    expect(await exported(busy)).toMatchObject({ fault: undefined, later: 3 })
    const judged = await verified(system, '--key', keyOf(system))
    expect(judged).toMatchObject({ status: 0, verdict: 'INTACT', events: 31, unproven: 0 })
  })

  test('with unsigned events after its last checkpoint is not called intact', async () => {
    const system = current()
    await addEvents(system.db, 1)
    await exported(system)
    const file = path.join(system.folder, 'bitacora.jsonl')
    const invent = (seq: number) => {
      const { canonical, leaf_hash: leaf } = anEventAt(seq, { device: 'inventado' })
      appendFileSync(file, Buffer.concat([eventLine({ canonical, leafHash: leaf }), NEWLINE]))
    }
    invent(2)
    const one = await verified(system, '--key', keyOf(system))
    expect(one).toMatchObject({ status: 1, verdict: 'UNPROVEN', proven: { size: 2 }, unproven: 1 })
    expect(one.text).toContain('SIN COMPROBAR')
    expect(one.text).toContain('El último evento, el 2, no lo cubre ninguna firma')
    invent(3)
    const two = await verified(system, '--key', keyOf(system))
    expect(two).toMatchObject({ status: 1, verdict: 'UNPROVEN', unproven: 2 })
    expect(two.text).toContain('Los últimos 2 eventos, del 2 al 3, no los cubre ninguna firma')
  })

  test('is exported once more beyond a thousand events and holds', async () => {
    const system = current()
    await addEvents(system.db, 1203)
    await exported(system)
    await addEvents(system.db, 5)
    await exported(system)
    expect(await verified(system, '--key', keyOf(system))).toMatchObject({
      status: 0,
      events: 1210,
      proven: { size: 1210 },
    })
  })

  test.each([
    ['an edited row', [changeEvent(12)], { kind: 'changed', seq: 12 }, 'El evento 12'],
    [
      'an edited row with its leaf',
      [rewriteEvent(12)],
      { kind: 'rewritten', from: 10, to: 20 },
      'Entre los eventos 10 y 19',
    ],
    [
      'a row with a leaf that is no hash',
      [relabelEvent(12, 'ñ"x')],
      { kind: 'changed', seq: 12 },
      'El evento 12',
    ],
    [
      'a checkpoint whose root is no hash',
      [sql`update audit_checkpoints set root = 'x' where size = 30`, changeEvent(12)],
      { kind: 'changed', seq: 12 },
      'El evento 12',
    ],
    [
      'a deleted row',
      [sql`delete from audit_events where seq = 12`],
      { kind: 'missing', seq: 12 },
      'Falta el evento 12',
    ],
    ['swapped rows', swapEvents(12), { kind: 'moved', seq: 12 }, 'El evento 12'],
    ['an inserted row', insertEventAt(12), { kind: 'added', seq: 13 }, 'En el lugar 13'],
    [
      'a row put in at the signed end',
      insertEventAt(29),
      { kind: 'rewritten', from: 20, to: 30 },
      'Entre los eventos 20 y 29',
    ],
    ['a cut tail', [cutAt(25)], { kind: 'cut', events: 26, size: 30 }, 'falta el final'],
    [
      'a cut tail without its checkpoints',
      [cutAt(25), forgetCheckpoints(20)],
      { kind: 'cut', events: 26, size: 30 },
      'falta el final',
    ],
    [
      'a lost beginning',
      [sql`delete from audit_events where seq < 3`],
      { kind: 'missing', seq: 0 },
      'Falta el evento 0',
    ],
  ])('%s is found and named', async (_, changes, fault, sentence) => {
    const system = current()
    await aLog(system)
    await tamper(system.db, ...changes)
    await exported(system)
    const judged = await verified(system, '--key', keyOf(system))
    expect(judged).toMatchObject({ status: 1, verdict: 'BROKEN', fault })
    expect(judged.text).toContain('ALTERADA')
    expect(judged.text).toContain(sentence)
  })

  test('an older copy of the database is found, also when the log has grown since', async () => {
    const system = current()
    await aLog(system)
    await tamper(system.db, ...olderCopy)
    expect((await exportWholeLog(system, FIRST)).fault).toEqual({ kind: 'rolled-back', size: 30 })
    await exported(system)
    expect(await verified(system, '--key', keyOf(system))).toMatchObject({
      fault: { kind: 'cut', size: 20 },
    })
    await addEvents(system.db, 40)
    await exported(system)
    expect(await verified(system, '--key', keyOf(system))).toMatchObject({
      status: 1,
      fault: { kind: 'rewritten', from: 10, to: 20 },
    })
  })

  test('log check: a checkpoint kept elsewhere detects changes of database and file', async () => {
    const system = current()
    await aLog(system)
    const kept = (await findNewestCheckpoint(system.db, FIRST_LOG))?.note ?? ''
    writeFileSync(path.join(system.folder, 'punto.txt'), kept)
    renameSync(
      path.join(system.folder, 'checkpoints.jsonl'),
      path.join(system.folder, 'copia.jsonl'),
    )
    await tamper(system.db, ...olderCopy)
    await exported(system)
    expect(await verified(system, '--key', keyOf(system))).toMatchObject({ status: 0 })
    for (const file of ['punto.txt', 'copia.jsonl'])
      expect(await verified(system, '--key', keyOf(system), '--checkpoint', file)).toMatchObject({
        status: 1,
        fault: { kind: 'cut', events: 16, size: 30 },
        // An export may be older than the checkpoint.
        text: expect.stringContaining('exporte la bitácora otra vez'),
      })
  })
})

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the command line exports and verifies, and a wrong folder gets no key', async () => {
  const folder = aFolder()
  const office = { DATA_DIR: path.join(folder, 'data') }
  mkdirSync(office.DATA_DIR)
  const unknown = rubricaWith(office, folder, 'audit', 'export', '-o', 'bitacora.jsonl')
  expect(unknown.status).toBe(2)
  expect(unknown.errors[0]).toContain('No hay llave de la bitácora')

  const key = formatVerifierKey(openLogKeys(path.join(office.DATA_DIR, 'secrets'))(FIRST).verifier)
  const db = openDatabase(path.join(office.DATA_DIR, 'rubrica.sqlite'))
  await db.migrate()
  await addEvents(db, 5)
  await db.close()
  const done = rubricaWith(office, folder, 'audit', 'export', '-o', 'bitacora.jsonl')
  expect(done).toMatchObject({ status: 0, errors: [] })
  expect(done.output).toEqual([`Llave con que se comprueba: ${key}`])
  expect(statSync(path.join(folder, 'bitacora.jsonl')).mode & 0o777).toBe(0o600)
  expect(readFileSync(path.join(office.DATA_DIR, 'audit/checkpoints.jsonl'), 'utf8')).toContain(
    '{"checkpoint":"rubrica/bitacora/',
  )
  const judged = rubrica(folder, 'audit', 'verify', '--key', key, 'bitacora.jsonl')
  expect(judged.output[0]).toBe('bitacora.jsonl: ÍNTEGRA')
  expect(judged.status).toBe(0)
}, 30_000)

test.each([
  [['audit'], 'Diga qué hacer con la bitácora: export, verify o verify-proof.'],
  [['audit', 'fly'], 'No existe el comando “audit fly”'],
  [['audit', 'verify'], 'Indique un solo archivo'],
  [['audit', 'verify', 'a', 'b'], 'Indique un solo archivo'],
  [['audit', 'verify', '--key', 'x', 'a'], '--key espera'],
  [['audit', 'verify', '--checkpoint', 'x', 'a'], '--checkpoint se usa con --key'],
  [['audit', 'verify', 'nada.jsonl'], 'No se puede leer nada.jsonl.'],
  [['audit', 'verify', '.'], 'No se puede leer ..'],
  [['audit', 'export'], 'Falta el archivo'],
])('%j is wrong use', async (args, sentence) => {
  const folder = aFolder()
  const { audit } = await import('#server/cli/audit.ts')
  const { status, errors } = await said(() => audit(args.slice(1), folder))
  expect(status).toBe(2)
  expect(errors.join('\n')).toContain(sentence)
})
