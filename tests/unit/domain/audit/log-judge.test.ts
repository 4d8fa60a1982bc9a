import { expect, test } from 'vitest'
import { logKey, openCheckpoint, signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { checkpointLine, eventLine, headLine } from '#server/domain/audit/log-export.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { EMPTY_TREE, grow, rootOf } from '#server/domain/audit/merkle-tree.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'
import { anEventAt } from '#tests/support/office/log-events.ts'

const key = logKey(new Uint8Array(32).fill(7))
const other = logKey(new Uint8Array(32).fill(8))

type Line = Uint8Array

const eventAt = (seq: number, device = ''): Line => {
  const { canonical, leaf_hash: hash } = anEventAt(seq, { device })
  return eventLine({ canonical, leafHash: Sha256.parse(hash) })
}

const leafIn = (line: Line) => Sha256.parse(text(line).slice(9, 73))
const text = (line: Line) => new TextDecoder().decode(line)
const bytes = (line: string) => new TextEncoder().encode(line)

const noteOver = (events: readonly Line[], signer = key) => {
  const tree = events.reduce((grown, line) => grow(grown, leafIn(line)), EMPTY_TREE)
  return signCheckpoint({ size: tree.size, root: rootOf(tree) }, signer)
}

const events = Array.from({ length: 12 }, (_, seq) => eventAt(seq))
const checkpointAt = (size: number, signer = key) =>
  checkpointLine(noteOver(events.slice(0, size), signer))

/** Twelve events, and checkpoints over five and ten of them: head 0, events 1–5 and 7–11, checkpoints 6 and 12. */
const log: readonly Line[] = [
  headLine(key.verifier),
  ...events.slice(0, 5),
  checkpointAt(5),
  ...events.slice(5, 10),
  checkpointAt(10),
  ...events.slice(10),
]

function judged(lines: readonly Line[], known: Parameters<typeof logJudge>[0] = GIVEN) {
  const judge = logJudge(known)
  for (const line of lines) judge.read(line)
  return judge.verdict()
}

const GIVEN = { keys: [key.verifier] }

test('an untouched log holds that was signed up to its end', () => {
  expect(judged([...log, checkpointAt(12)])).toMatchObject({
    verdict: 'INTACT',
    events: 12,
    proven: { size: 12 },
    unproven: 0,
    key: 'given',
    fault: null,
  })
})

test('log verifier: events after the last checkpoint are unproven', () => {
  expect(judged(log)).toMatchObject({
    verdict: 'UNPROVEN',
    events: 12,
    proven: { size: 10 },
    unproven: 2,
    key: 'given',
    fault: null,
  })
  const invented = Array.from({ length: 999 }, (_, index) => eventAt(index + 1, 'inventado'))
  expect(judged([log[0]!, log[1]!, checkpointAt(1), ...invented])).toMatchObject({
    verdict: 'UNPROVEN',
    events: 1000,
    proven: { size: 1 },
    unproven: 999,
  })
})

test('log verifier: without a key the verdict is only that the log is consistent', () => {
  expect(judged(log, { keys: [] })).toMatchObject({ verdict: 'UNPROVEN', key: 'own', fault: null })
  const unsigned = [log[0]!, ...events]
  expect(judged(unsigned)).toMatchObject({
    verdict: 'UNPROVEN',
    key: 'none',
    proven: null,
    unproven: 12,
  })
})

const swapped = log.with(3, log[4]!).with(4, log[3]!)
const rewritten = log.with(9, eventAt(7, 'de otro'))
/** As an attacker would who renumbers all later events. */
const renumbered = [
  ...log.slice(0, 9),
  ...[8, 9, 10].map((seq) => eventAt(seq - 1, 'renumerado')),
  log[12]!,
]

test.each([
  [
    'a changed word',
    log.with(4, bytes(text(log[4]!).replace('a test', 'o test'))),
    { kind: 'changed', seq: 3 },
  ],
  [
    'bytes that are no text',
    log.with(4, Buffer.from(text(log[4]!).replace('a test', '\u00ff test'), 'latin1')),
    { kind: 'changed', seq: 3 },
  ],
  [
    'a leaf that is no hash',
    log.with(4, bytes(text(log[4]!).replace(leafIn(log[4]!), 'x'))),
    { kind: 'changed', seq: 3 },
  ],
  ['a missing event', log.toSpliced(4, 1), { kind: 'missing', seq: 3 }],
  ['a lost beginning', log.toSpliced(1, 2), { kind: 'missing', seq: 0 }],
  ['two events swapped', swapped, { kind: 'moved', seq: 2 }],
  ['an event put in twice', log.toSpliced(5, 0, log[4]!), { kind: 'added', seq: 4 }],
  [
    'an event put in with the number of the next',
    log.toSpliced(4, 0, eventAt(3, 'agregado')),
    { kind: 'added', seq: 4 },
  ],
  ['an event rewritten with its leaf', rewritten, { kind: 'rewritten', from: 5, to: 10 }],
  ['an event taken out and all numbered anew', renumbered, { kind: 'rewritten', from: 5, to: 10 }],
  ['a cut end', log.slice(0, 9).concat(log[12]!), { kind: 'cut', events: 7, size: 10 }],
  [
    'a cut end before a second checkpoint',
    [...log.slice(0, 9), log[12]!, log[12]!],
    { kind: 'cut', events: 7, size: 10 },
  ],
  ['events lost between checkpoints', log.toSpliced(7, 5), { kind: 'missing', seq: 5 }],
  ['a checkpoint of another key', log.with(6, checkpointAt(7, other)), { kind: 'forged', size: 7 }],
  ['a checkpoint that is none', log.with(6, checkpointLine('none')), { kind: 'forged', size: 5 }],
  [
    'a log of another key that names this key as its own',
    [headLine(other.verifier), ...events, checkpointAt(12, other)],
    { kind: 'forged', size: 12 },
  ],
  ['a checkpoint too late', [...log, checkpointAt(10)], { kind: 'unreadable', line: 16 }],
  [
    'a second checkpoint over as many others',
    log.toSpliced(13, 0, checkpointLine(noteOver([...events.slice(0, 9), eventAt(9, 'x')]))),
    { kind: 'forked', size: 10 },
  ],
  ['a line of something else', log.toSpliced(3, 0, bytes('{}')), { kind: 'unreadable', line: 4 }],
  ['a second head', log.toSpliced(3, 0, log[0]!), { kind: 'unreadable', line: 4 }],
  [
    'a head that is no text',
    log.with(0, Buffer.from(text(log[0]!).replace('}', ',"more":"\u00ff"}'), 'latin1')),
    { kind: 'unreadable', line: 1 },
  ],
  ['no head', log.slice(1), { kind: 'unreadable', line: 1 }],
  ['nothing', [], { kind: 'unreadable', line: 1 }],
])('%s is found', (_, tampered, fault) => {
  const verdict = judged(tampered)
  expect(verdict).toMatchObject({ verdict: 'BROKEN', fault })
  expect(sentenceOfLogFault(verdict.fault!)).toMatch(/^[A-ZÁÉÍÓÚ].*\.$/u)
})

test('log verifier: a checkpoint kept elsewhere detects a cut tail with its checkpoints', () => {
  const cut = log.slice(0, 7)
  expect(judged(cut)).toMatchObject({ verdict: 'INTACT', events: 5 })
  const kept = openCheckpoint(noteOver(events.slice(0, 10)), GIVEN.keys)!
  expect(judged(cut, { ...GIVEN, checkpoints: [kept] })).toMatchObject({
    verdict: 'BROKEN',
    fault: { kind: 'cut', events: 5, size: 10 },
  })
  const inside = openCheckpoint(noteOver(events.slice(0, 7)), GIVEN.keys)!
  expect(judged(log.slice(0, 12), { ...GIVEN, checkpoints: [kept, inside] })).toMatchObject({
    verdict: 'INTACT',
    events: 10,
  })
  expect(judged(rewritten, { ...GIVEN, checkpoints: [inside] })).toMatchObject({
    fault: { kind: 'rewritten', from: 7, to: 10 },
  })
})

test('log verifier: a checkpoint kept elsewhere detects what was rewritten or signed twice', () => {
  const kept = openCheckpoint(noteOver(events.slice(0, 8)), GIVEN.keys)!
  expect(judged(rewritten.slice(0, 12), { ...GIVEN, checkpoints: [kept] })).toMatchObject({
    verdict: 'BROKEN',
    fault: { kind: 'rewritten', from: 5, to: 8 },
  })
  const forked = openCheckpoint(noteOver([...events.slice(0, 7), eventAt(7, 'x')]), GIVEN.keys)!
  expect(judged(log, { ...GIVEN, checkpoints: [kept, forked] })).toMatchObject({
    verdict: 'BROKEN',
    fault: { kind: 'forked', size: 8 },
  })
})

test('log verifier: names the only rewritten event', () => {
  const { fault } = judged([log[0]!, eventAt(0, 'de otro'), checkpointAt(1)])
  expect(sentenceOfLogFault(fault!)).toBe(
    'El evento 0 de la bitácora no es el que se firmó: se cambiaron él y su hoja.',
  )
})

test('no bit of the file can be changed up to the last checkpoint', () => {
  const signed = [...log.slice(0, 2), checkpointAt(1)]
  const changed = signed.flatMap((line, index) =>
    Array.from({ length: line.length * 8 }, (_, bit) => {
      const other = line.slice()
      other[bit >> 3]! ^= 1 << (bit & 7)
      return signed.with(index, other)
    }),
  )
  expect(judged(signed).verdict).toBe('INTACT')
  expect(changed.filter((lines) => judged(lines).verdict !== 'BROKEN').map(asText)).toEqual([])
})

const asText = (lines: readonly Line[]) => lines.map(text)
