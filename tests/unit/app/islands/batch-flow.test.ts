import { expect, test } from 'vitest'
import { type BatchTask, signBatch } from '#app/islands/batch-flow.ts'
import { openEfirma } from '#app/islands/signing-flow.ts'
import type { SigningServer } from '#app/islands/signing-server.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { TEST_NOW, TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'

const digest = new Uint8Array(32).fill(7)
const efirma = await testEfirma()
const toBeSigned = buildSignedAttributes({
  digest,
  certificateDigest: Buffer.from(sha256(efirma.cer), 'hex'),
})

async function anOpenedEfirma() {
  const files = {
    certificate: efirma.cer,
    key: efirma.key.slice(),
    password: TEST_PASSWORD,
    rfc: 'MULA800101AB1',
    now: TEST_NOW,
    zone: 'America/Mexico_City',
  }
  const opened = await openEfirma(files)
  if ('kind' in opened) throw new Error(opened.sentence)
  expect(files.key.every((byte) => byte === 0)).toBe(true)
  return opened
}

/** Each document is refused with these codes, one an attempt, and then signed. */
function aBatch(codes: string[][], changes: Partial<BatchTask> = {}) {
  const shown: string[] = []
  const documents = codes.map((answers, index) => {
    const left = [...answers]
    const documentSha256 = String(index).repeat(64)
    const server: SigningServer = {
      async prepare() {
        const code = left.shift()
        if (code) return { kind: 'refused', sentence: `No: ${code}.`, code }
        return { kind: 'prepared', id: `prepared-${index}`, toBeSigned, digest, documentSha256 }
      },
      complete: async () => ({ kind: 'completed' }),
    }
    return { documentSha256, server }
  })
  const task: BatchTask = {
    documents,
    stop: new AbortController().signal,
    timing: { now: () => 0, pause: async () => undefined },
    onRow: (index, state, sentence) =>
      void shown.push([index, state, sentence].filter((part) => part !== undefined).join(' ')),
    ...changes,
  }
  return { task, shown }
}

test('all are signed with one key: the first alone, then four at once', async () => {
  const { task, shown } = aBatch(Array.from({ length: 12 }, () => []))
  expect(await signBatch(await anOpenedEfirma(), task)).toEqual({ kind: 'done' })
  expect(shown.slice(0, 6)).toEqual([
    '0 signing',
    '0 signed',
    ...[1, 2, 3, 4].map((index) => `${index} signing`),
  ])
  expect(shown.filter((line) => line.endsWith('signed')).toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => `${index} signed`).toSorted(),
  )
  const atOnce = shown.map(
    (_, index) =>
      shown.slice(0, index + 1).filter((line) => line.endsWith('signing')).length -
      shown.slice(0, index + 1).filter((line) => line.endsWith('signed')).length,
  )
  expect(Math.max(...atOnce)).toBe(4)
})

test('batch: a document that cannot be signed does not stop the others', async () => {
  const { task, shown } = aBatch([['session-state'], [], ['not-your-turn']])
  expect(await signBatch(await anOpenedEfirma(), task)).toEqual({ kind: 'done' })
  expect(shown.filter((line) => !line.endsWith('signing')).toSorted()).toEqual([
    '0 refused No: session-state.',
    '1 signed',
    '2 refused No: not-your-turn.',
  ])
})

test('batch: a document that another person is signing is retried last', async () => {
  const { task, shown } = aBatch([['someone-signing', 'someone-signing'], []])
  expect(await signBatch(await anOpenedEfirma(), task)).toEqual({ kind: 'done' })
  expect(shown).toEqual([
    '0 signing',
    '0 later',
    '1 signing',
    '1 signed',
    '0 signing',
    '0 waiting',
    '0 signed',
  ])
})

test('batch: a document whose answer was lost counts as signed once the server says so', async () => {
  const { task, shown } = aBatch([['already-signed']])
  await signBatch(await anOpenedEfirma(), task)
  expect(shown).toEqual(['0 signing', '0 signed'])
})

test.each(['not-signed-in', 'signing-link-over', 'no-connection', 'presence-needed', 'cross-site'])(
  '%s ends the batch: every other document would say the same',
  async (code) => {
    const { task, shown } = aBatch([[], [code], []])
    const why = { kind: 'refused', sentence: `No: ${code}.`, code }
    expect(await signBatch(await anOpenedEfirma(), task)).toEqual({ kind: 'broken', why })
    expect(shown.slice(2)).toEqual(['1 signing', '2 signing', '1 left', '2 signed'])
  },
)

test('batch: stops without calling a document unsigned if its state is unknown', async () => {
  const { task, shown } = aBatch([['completion-lost'], [], []])
  expect(await signBatch(await anOpenedEfirma(), task)).toMatchObject({ kind: 'broken' })
  expect(shown).toEqual(['0 signing', '0 unsure'])
})

test('batch: a stored signature counts without signing again', async () => {
  const { task, shown } = aBatch([[]])
  const [document] = task.documents
  if (!document) throw new Error('no document')
  document.server.prepare = async () => ({ kind: 'completed' })
  document.server.complete = async () => expect.unreachable('it is signed')
  expect(await signBatch(await anOpenedEfirma(), task)).toEqual({ kind: 'done' })
  expect(shown).toEqual(['0 signing', '0 signed'])
})

test('batch: a problem that concerns all documents stops at the first one', async () => {
  const { task, shown } = aBatch([['presence-needed'], [], []])
  expect(await signBatch(await anOpenedEfirma(), task)).toMatchObject({ kind: 'broken' })
  expect(shown).toEqual(['0 signing', '0 left'])
})

test('batch: stopping it finishes the documents in progress and starts no other', async () => {
  const stop = new AbortController()
  const { task, shown } = aBatch([[], [], [], [], [], [], []], { stop: stop.signal })
  const onRow: BatchTask['onRow'] = (index, state) => {
    task.onRow(index, state)
    if (index === 2 && state === 'signing') stop.abort()
  }
  const outcome = await signBatch(await anOpenedEfirma(), { ...task, onRow })
  expect(outcome).toEqual({ kind: 'stopped' })
  expect(shown.slice(0, 4)).toEqual(['0 signing', '0 signed', '1 signing', '2 signing'])
  // Two that are on their way end in no order.
  expect(shown.slice(4).toSorted()).toEqual(['1 signed', '2 signed'])
})

test.each([
  {
    ends: 'at the first pass',
    answers: [['someone-signing'], [], [], [], [], []],
    stopAt: '1 signing',
  },
  { ends: 'at the second pass', answers: [['someone-signing'], []], stopAt: '1 signed' },
])(
  'a document kept for the end is left when the batch stops: $ends',
  async ({ answers, stopAt }) => {
    const stop = new AbortController()
    const { task, shown } = aBatch(answers, { stop: stop.signal })
    const onRow: BatchTask['onRow'] = (index, state) => {
      task.onRow(index, state)
      if (`${index} ${state}` === stopAt) stop.abort()
    }
    const outcome = await signBatch(await anOpenedEfirma(), { ...task, onRow })
    expect(outcome).toEqual({ kind: 'stopped' })
    expect(shown.filter((line) => line.startsWith('0'))).toEqual(['0 signing', '0 later', '0 left'])
  },
)
