import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openCheckpointFiles } from '#server/adapters/checkpoint-file.ts'
import { listCheckpoints } from '#server/db/audit/audit-checkpoints.ts'
import { rootOfSpan } from '#server/db/audit/audit-tree.ts'
import { openCheckpoint, signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { parseCanonicalEvent } from '#server/domain/audit/event.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { logKeysOf } from '#server/domain/audit/log-keys.ts'
import { type CompactTree, EMPTY_TREE, grow, rootOf } from '#server/domain/audit/merkle-tree.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { MORNING, storedOffice } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import {
  addEvents,
  changeEvent,
  cutAt,
  FIRST,
  forgetCheckpoints,
  relabelEvent,
  rewriteEvent,
  swapEvents,
  tamper,
} from '#tests/support/office/log-events.ts'
import { onEachSystem, type TestSystem, testSystem } from '#tests/support/test-system.ts'

const checkpointsOf = ({ db }: Pick<TestSystem, 'db'>) =>
  listCheckpoints(db, FIRST_LOG, { behind: 0, limit: 1000 })

const sizesOf = async (system: Pick<TestSystem, 'db'>) =>
  (await checkpointsOf(system)).map(({ size }) => size)

/** Signs over so many events more. */
async function grown(system: TestSystem, count: number): Promise<void> {
  await addEvents(system.db, count)
  system.wait(minutes(1))
  expect(await checkpointLogs(system)).toBeUndefined()
}

/** The root as it must be, from the events themselves. */
async function rootsOf({ db }: Pick<TestSystem, 'db'>): Promise<Sha256[]> {
  const rows = await db.selectFrom('audit_events').select('leaf_hash').orderBy('seq').execute()
  let tree: CompactTree = EMPTY_TREE
  return [
    rootOf(tree),
    ...rows.map(({ leaf_hash: leaf }) => {
      tree = grow(tree, Sha256.parse(leaf))
      return rootOf(tree)
    }),
  ]
}

onEachSystem('checkpoints of the log', (current) => {
  test('checkpoint: not signed over an empty log', async () => {
    expect(await checkpointLogs(current())).toBeUndefined()
    expect(await sizesOf(current())).toEqual([])
  })

  test('are signed when there is something new, once a minute', async () => {
    const system = current()
    await grown(system, 3)
    await addEvents(system.db, 2)
    system.wait(seconds(30))
    await checkpointLogs(system)
    expect(await sizesOf(system)).toEqual([3])
    system.wait(seconds(30))
    await checkpointLogs(system)
    system.wait(minutes(5))
    await checkpointLogs(system)
    expect(await sizesOf(system)).toEqual([3, 5])
    const [first] = await checkpointsOf(system)
    const { verifier } = system.settings.logKeys(FIRST)
    expect(openCheckpoint(first?.note ?? '', [verifier])).toEqual({
      origin: verifier.name,
      size: 3,
      root: (await rootsOf(system))[3],
    })
    const notes = (await checkpointsOf(system)).map(({ note }) => note)
    expect(await Array.fromAsync(system.checkpoints.of(FIRST).list())).toEqual(notes)
    expect(await system.checkpoints.of(FIRST).newest()).toBe(notes[1])
  })

  test('have the roots of the tree, wherever they end', async () => {
    const system = current()
    for (const count of [1, 254, 1, 1, 255, 300, 512]) await grown(system, count)
    const roots = await rootsOf(system)
    for (const { size, root } of await checkpointsOf(system)) expect(root).toBe(roots[size])
    const kept = await system.db.selectFrom('audit_subtrees').selectAll().execute()
    expect(kept.map(({ leaves, position }) => [leaves, position])).toEqual(
      [0, 1, 2, 3, 4].map((position) => [256, position]),
    )
    for (const end of [255, 256, 257, 1000]) {
      const span = { start: 0, end }
      expect(await rootOfSpan(system.db, FIRST_LOG, span)).toBe(roots[end])
    }
  })

  test('a long log is signed piece by piece in one run', async () => {
    const system = current()
    await grown(system, 1200)
    expect(await sizesOf(system)).toEqual([512, 1024, 1200])
    expect(await Array.fromAsync(system.checkpoints.of(FIRST).list())).toHaveLength(3)
  })

  test('checkpoint file: a crash before the write is repaired by the next run', async () => {
    const system = current()
    await grown(system, 1)
    await addEvents(system.db, 1)
    system.wait(minutes(1))
    const dying = {
      of: () => ({
        ...system.checkpoints.of(FIRST),
        append: () => Promise.reject(new Error('killed')),
      }),
    }
    await expect(checkpointLogs({ ...system, checkpoints: dying })).rejects.toThrow('killed')
    appendFileSync(path.join(system.folder, 'checkpoints.jsonl'), '\n{"checkpoint":"half a li')
    expect(await checkpointLogs(system)).toBeUndefined()
    const notes = (await checkpointsOf(system)).map(({ note }) => note)
    expect(await Array.fromAsync(system.checkpoints.of(FIRST).list())).toEqual(notes)
    expect(notes).toHaveLength(2)
  })

  test('a file that is lost is written again', async () => {
    const system = current()
    for (const count of [1, 2]) await grown(system, count)
    rmSync(path.join(system.folder, 'checkpoints.jsonl'))
    await checkpointLogs(system)
    expect(await Array.fromAsync(system.checkpoints.of(FIRST).list())).toHaveLength(2)
  })

  test.each([
    ['a new event was changed', [changeEvent(31)], { kind: 'changed', seq: 31 }],
    ['two new events were swapped', swapEvents(31), { kind: 'changed', seq: 31 }],
    [
      'a new event is missing',
      [sql`delete from audit_events where seq = 31`],
      { kind: 'missing', seq: 31 },
    ],
    ['a signed event has another leaf', [rewriteEvent(12)], { kind: 'rewritten', from: 0, to: 20 }],
    [
      'a signed event is missing',
      [sql`delete from audit_events where seq = 12`],
      { kind: 'missing', seq: 12 },
    ],
    [
      'a new event has a leaf that is no hash',
      [relabelEvent(31, 'x')],
      { kind: 'changed', seq: 31 },
    ],
    [
      'a signed event has a leaf that is no hash',
      [relabelEvent(12, 'x')],
      { kind: 'changed', seq: 12 },
    ],
    ['the end was cut off', [cutAt(10)], { kind: 'cut', events: 10, size: 20 }],
    [
      'the database is an older one',
      [cutAt(15), forgetCheckpoints(10)],
      { kind: 'rolled-back', size: 20 },
    ],
    [
      'the newest checkpoint was made up',
      [sql`update audit_checkpoints set root = ${'0'.repeat(64)} where size = 20`],
      { kind: 'forged', size: 20 },
    ],
    [
      'the root of the newest checkpoint is no hash',
      [sql`update audit_checkpoints set root = 'x' where size = 20`],
      { kind: 'forged', size: 20 },
    ],
  ])('%s: nothing is signed, and the office hears of it once', async (_, changes, fault) => {
    const system = current()
    await storedOffice(system.db)
    await grown(system, 10)
    await grown(system, 10)
    const signed = await sizesOf(system)
    await addEvents(system.db, 20)
    await tamper(system.db, ...changes)
    for (let run = 0; run < 3; run += 1) {
      system.wait(minutes(1))
      expect(await checkpointLogs(system)).toMatchObject({ kind: fault.kind })
    }
    expect((await sizesOf(system)).filter((size) => !signed.includes(size))).toEqual([])
    const alerts = await listAlertRows(system)
    expect(alerts).toMatchObject([
      { kind: 'audit-check-failed', user_id: null, severity: 'danger' },
    ])
    const { kind, ...where } = fault
    expect(await checkFailures(system)).toEqual([{ fault: kind, ...where }])
  })

  /** Read from the rows: the log cannot be listed if events were swapped. */
  const checkFailures = async ({ db }: TestSystem) => {
    const rows = db.selectFrom('audit_events').select('canonical')
    const recorded = await rows.where('action', '=', 'audit.check-failed').execute()
    return recorded.map(({ canonical }) => parseCanonicalEvent(canonical).event.details)
  }

  test.each([
    [
      'an old event was rewritten with its leaf',
      [rewriteEvent(12)],
      { kind: 'rewritten', to: 300 },
    ],
    ['an old event was changed', [changeEvent(12)], { kind: 'changed', seq: 12 }],
    [
      'an old event has a leaf that is no hash',
      [relabelEvent(12, '"x","event":{}}')],
      { kind: 'changed', seq: 12 },
    ],
    [
      'an old event is missing',
      [sql`delete from audit_events where seq = 12`],
      { kind: 'missing', seq: 12 },
    ],
  ])(
    '%s: the next checkpoint does not look back that far, and the daily check finds it',
    async (_, changes, fault) => {
      const system = current()
      await storedOffice(system.db)
      await grown(system, 300)
      await grown(system, 10)
      expect(await checkLogs(system)).toBeUndefined()
      await tamper(system.db, ...changes)
      await grown(system, 10)
      for (let run = 0; run < 2; run += 1) expect(await checkLogs(system)).toMatchObject(fault)
      const alerts = await listAlertRows(system)
      expect(alerts).toMatchObject([{ kind: 'audit-check-failed', severity: 'danger' }])
      expect(await checkFailures(system)).toMatchObject([{ fault: fault.kind }])
    },
  )

  test('a kept root that is no hash stops the signing, and the office hears of it', async () => {
    const system = current()
    await storedOffice(system.db)
    await grown(system, 300)
    await tamper(system.db, sql`update audit_subtrees set root = 'x'`)
    await addEvents(system.db, 1)
    system.wait(minutes(1))
    expect(await checkpointLogs(system)).toEqual({ kind: 'rewritten', from: 0, to: 256 })
    expect(await listAlertRows(system)).toMatchObject([{ kind: 'audit-check-failed' }])
    expect(await checkLogs(system)).toBeUndefined()
  })

  test.each([
    ['office_id = (select min(id) from offices)'],
    ['at = at + 1'],
    ["actor = 'another'"],
    ["action = 'session.ended'"],
    ["subject_kind = 'office'"],
    ["subject_id = 'another'"],
  ])('an event that pages find under another column is reported: %s', async (change) => {
    const system = current()
    await storedOffice(system.db)
    await grown(system, 700)
    expect(await checkLogs(system)).toBeUndefined()
    await tamper(system.db, sql`update audit_events set ${sql.raw(change)} where seq = 650`)
    expect(await checkLogs(system)).toEqual({ kind: 'misfiled', seq: 650 })
    expect(await listAlertRows(system)).toMatchObject([{ kind: 'audit-check-failed' }])
  })

  test('log fault: raises a new alert after the first was resolved, for either check', async () => {
    const system = current()
    await storedOffice(system.db)
    await grown(system, 20)
    await tamper(system.db, cutAt(10))
    const heard = async () => {
      system.wait(minutes(1))
      for (let run = 0; run < 2; run += 1) {
        await checkLogs(system)
        await checkpointLogs(system)
      }
      const rows = await listAlertRows(system)
      return rows.map(({ facts, state }) => [JSON.parse(facts).signing, state])
    }
    const open = [
      ['goes-on', 'open'],
      ['stopped', 'open'],
    ]
    expect(await heard()).toEqual(open)
    await tamper(system.db, sql`update alerts set state = 'resolved'`)
    const resolved = open.map(([signing]) => [signing, 'resolved'])
    expect(await heard()).toEqual([...resolved, ...open])
  })

  test('a check that is stopped says nothing', async () => {
    const system = current()
    await grown(system, 20)
    await tamper(system.db, cutAt(10))
    expect(await checkLogs(system, AbortSignal.abort())).toBeUndefined()
    expect(await checkLogs(system)).toEqual({ kind: 'cut', events: 10, size: 20 })
  })

  test('a check that is stopped reads no more of the file', async () => {
    const system = current()
    const stopping = new AbortController()
    let read = 0
    const list = async function* () {
      for (; read < 5000; read += 1) {
        if (read === 600) stopping.abort()
        yield `note ${read}`
      }
    }
    const checkpoints = { of: () => ({ ...system.checkpoints.of(FIRST), list }) }
    expect(await checkLogs({ ...system, checkpoints }, stopping.signal)).toBeUndefined()
    expect(read).toBeLessThan(1000)
  })

  test('checkpoint: another key signs nothing after the first key', async () => {
    const system = current()
    await grown(system, 10)
    await addEvents(system.db, 1)
    const others = logKeysOf(new Uint8Array(32).fill(1))
    system.wait(minutes(1))
    const settings = { ...system.settings, logKeys: others }
    expect(await checkpointLogs({ ...system, settings })).toEqual({ kind: 'forged', size: 10 })
    const rogue = signCheckpoint({ size: 10, root: (await rootsOf(system))[10]! }, others(FIRST))
    writeFileSync(
      path.join(system.folder, 'checkpoints.jsonl'),
      `${JSON.stringify({ checkpoint: rogue })}\n`,
    )
    expect(await checkpointLogs(system)).toEqual({ kind: 'rolled-back', size: 10 })
  })
})

onEachDatabase('checkpoints of several processes', (current) => {
  test('never shrink, never fork, and stand in both files', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-checkpoints-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const databases = [current().db, current().again(), current().again()]
    let minute = 0
    const systems = await Promise.all(
      databases.map(async (db, index) => ({
        ...(await testSystem(db, folder)),
        // Each call finds the next minute.
        clock: { now: () => (MORNING + minute++ * 60_000) as typeof MORNING },
        checkpoints: openCheckpointFiles(path.join(folder, index === 2 ? 'own' : 'shared')),
      })),
    )
    const work = systems.map(async (system) => {
      for (let run = 0; run < 12; run += 1) {
        await addEvents(system.db, 1 + (run % 3) * 40)
        expect(await checkpointLogs(system)).toBeUndefined()
      }
    })
    await Promise.all(work)
    for (const system of systems) expect(await checkpointLogs(system)).toBeUndefined()
    const checkpoints = await checkpointsOf(systems[0]!)
    const roots = await rootsOf(systems[0]!)
    expect(checkpoints.length).toBeGreaterThan(10)
    for (const { size, root } of checkpoints) expect(root).toBe(roots[size])
    expect(checkpoints.at(-1)?.size).toBe(roots.length - 1)
    const notes = new Set(checkpoints.map(({ note }) => note))
    for (const { checkpoints: files } of systems)
      expect(new Set(await Array.fromAsync(files.of(FIRST).list()))).toEqual(notes)
    expect(
      readFileSync(path.join(folder, 'own', 'checkpoints.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean),
    ).toHaveLength(notes.size)
  })
})
