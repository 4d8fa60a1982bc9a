import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { nullValue } from '#server/domain/asn1/der-writer.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { parseInstant } from '#server/domain/time.ts'
import type { ReadSignature } from '#server/domain/verification/read-signatures.ts'
import {
  doesCover,
  type FileTimeStamp,
  judgeTime,
} from '#server/domain/verification/time/judge-time.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { signDeed, signedDeed } from '#tests/attacks/sign-deed.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  attribute,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import {
  SIGNATURE_TIME_STAMP,
  sealWithStamps,
  withDocumentStamp,
} from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned, sealOf, testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'

const over = (covers: FileTimeStamp['covers']) => ({ covers }) as FileTimeStamp
const stamp = over({ range: [0, 100, 140, 60] })

test.each([
  [0, 100, true],
  [40, 60, true],
  [140, 200, true],
  [150, 160, true],
  [99, 101, false],
  [100, 140, false],
  [139, 150, false],
  [190, 201, false],
  [201, 300, false],
])('timestamp over the file: the bytes from %i to %i are covered: %s', (start, end, isCovered) => {
  expect(doesCover(stamp, { start, end })).toBe(isCovered)
})

test('timestamp: covers no place that is unknown, and none if it is over a signature', () => {
  expect(doesCover(stamp, undefined)).toBe(false)
  expect(doesCover(over({ place: { start: 0, end: 9 } }), { start: 0, end: 9 })).toBe(false)
})

test('timestamps that cannot be read: say so, and of too many the ones that reach farthest count', async () => {
  const stamps = Array.from({ length: 101 }, (_, at) => ({
    dictionary: { subFilter: 'ETSI.RFC3161' },
    coverage: { coverage: 'ENTIRE_FILE', byteRange: [0, 1, 2, at] },
    content: { kind: 'refused', reason: { code: 'cms-damaged', parameters: {} } },
    rangeDigest: new Uint8Array(32),
  })) as unknown as ReadSignature[]
  const nothing = { certificates: [], ocsp: [], crls: [] }
  const { timeOf } = judgeTime(stamps, nothing, await testPolicy())
  const reasons = [0, 1, 100].map((at) => timeOf(stamps[at]!).own?.judgement.reason?.code)
  expect(reasons).toEqual(['too-many-timestamps', 'cms-damaged', 'cms-damaged'])
})

test('timestamp of which it is unclear what it covers: is not said to be for testing', async () => {
  const by = await stampingAuthority()
  const { first } = await verified(
    await handSigned({
      seal: (signed) => stampOver(signed, { by, time: TEST_NOW }),
      subFilter: 'ETSI.RFC3161',
      byteRange: ([start, gapStart, gapEnd, tail]) =>
        `[${start} ${gapStart} ${gapEnd} ${tail - 40}]`,
    }),
  )
  expect(first).toMatchObject({
    ...{ kind: 'document-timestamp', coverage: 'UNCLEAR', valid: true },
    ...{ trusted: false, forTesting: false },
  })
})

describe('timestamps of a file', () => {
  const AT = parseInstant('2031-01-01')
  const RENEWED = parseInstant('2029-06-01')
  let efirma: Efirma
  /** Ended in the middle of 2030. */
  let old: StampingAuthority
  let young: StampingAuthority
  beforeAll(async () => {
    efirma = await testEfirma()
    old = await stampingAuthority()
    const [notBefore, notAfter] = [parseInstant('2029-01-01'), parseInstant('2033-01-01')]
    young = await stampingAuthority({ notBefore, notAfter })
  }, 60_000)

  const early = (over: Uint8Array) => stampOver(over, { by: old, time: TEST_NOW })
  const late = (over: Uint8Array) => stampOver(over, { by: young, time: RENEWED })
  const bare = () => handSigned({ seal: sealWithStamps(efirma, () => []) })

  test('the newest is judged as of now, and the older ones as of its time', async () => {
    const once = withDocumentStamp(await bare(), early)
    const { first } = await verified(withDocumentStamp(once, late), await testPolicy({ at: AT }))
    expect(first).toMatchObject({
      provenTime: '2026-11-20T15:00:00.000Z',
      timestamps: [
        { kind: 'document', trusted: true },
        { kind: 'document', trusted: true },
      ],
    })
    const alone = await verified(once, await testPolicy({ at: AT }))
    expect(alone.first).toMatchObject({ provenTime: null, timestamps: [{ trusted: false }] })
  })

  test('one beside the file is the newest of all', async () => {
    const seal = sealWithStamps(efirma, (signature) => [early(signature)])
    const file = await handSigned({ seal })
    const policy = await testPolicy({ at: AT })
    const { signatures } = verifyFile(memorySource(file), 'a.pdf', policy, {
      constancia: late(file),
    })
    expect(signatures).toMatchObject([
      {
        provenTime: '2026-11-20T15:00:00.000Z',
        timestamps: [
          { kind: 'signature', trusted: true },
          { kind: 'document', trusted: true },
        ],
      },
    ])
  })

  test('one proves nothing about a signature that was added after it', async () => {
    const deed = await signedDeed({ seal: sealOf(efirma) })
    const stamped = { ...deed, file: withDocumentStamp(deed.file, late) }
    const seal = sealWithStamps(efirma, (signature) => [early(signature)])
    const { file } = await signDeed(stamped, { number: 60, seal })
    const { signatures } = await verified(file, await testPolicy({ at: AT }))
    const proven = new Map(signatures.map(({ field, provenTime }) => [field, provenTime]))
    expect(proven.get('Firma40')).toBe('2029-06-01T00:00:00.000Z')
    expect(proven.get('Firma60')).toBeNull()
  })

  test('one over the document is not asked for timestamps over itself', async () => {
    const unsigned = [attribute(SIGNATURE_TIME_STAMP, nullValue())]
    const odd = (over: Uint8Array) => stampOver(over, { by: old, time: TEST_NOW, unsigned })
    const { signatures } = await verified(withDocumentStamp(await bare(), odd))
    expect(signatures).toMatchObject([
      { timestamps: [{ kind: 'document' }] },
      { kind: 'document-timestamp', timestamps: [{ kind: 'document' }] },
    ])
  })

  test('one over something else is called a copy only if another one is the same', async () => {
    const other = early(Buffer.from('otra'))
    const reasonsIn = async (file: Uint8Array) =>
      (await verified(file)).first.timestamps.map(({ reason }) => reason?.code ?? null)
    const wrong = withDocumentStamp(withDocumentStamp(await bare(), early), () => other)
    expect(await reasonsIn(wrong)).toEqual(['timestamp-imprint-differs', null])
    const twice = withDocumentStamp(wrong, () => other)
    const copied = ['timestamp-copied', 'timestamp-copied', null]
    expect(await reasonsIn(twice)).toEqual(copied)
  })
})
