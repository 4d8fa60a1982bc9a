import { expect, test } from 'vitest'
import { parseInstant } from '#server/domain/time.ts'
import { CLASSES } from '#tests/corpus/classes.ts'
import { examine } from '#tests/corpus/examine.ts'
import { samplesIn } from '#tests/corpus/samples.ts'
import { summaryOf } from '#tests/corpus/summary.ts'

/* Published signed PDFs by the answer that is right, where the data for tests is at hand. */

const FOLDER = '../shared/data/signed-pdfs'
const AT = parseInstant('2026-11-20T15:00:00Z')
const SAMPLES = samplesIn(FOLDER)

/** Never, with any trust anchors. */
const NEVER_VALID = ['broken', 'modified', 'no-signature']

test.each(Object.keys(CLASSES))('%s', { timeout: 600_000 }, async (kind) => {
  const samples = SAMPLES.filter((sample) => sample.kind === kind)
  const examined = await examine(FOLDER, samples, AT)
  console.info(summaryOf(examined))
  expect(examined.filter(({ fault }) => fault !== undefined)).toEqual([])
  if (NEVER_VALID.includes(kind))
    expect(examined.filter(({ verdicts }) => verdicts.includes('VALID'))).toEqual([])
})
