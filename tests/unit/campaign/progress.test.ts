import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  addProgress,
  differenceOf,
  nextOf,
  readProgress,
  sumOfFigures,
} from '#tests/campaign/progress.ts'

function aPlace(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-campaign-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'campaign', 'killed.jsonl')
}

test('progress: a campaign goes on behind its last whole line', () => {
  const place = aPlace()
  expect(nextOf(readProgress(place, 1))).toBe(0)
  addProgress(place, { seed: 1, number: 0, findings: [], figures: { kills: 1 } })
  addProgress(place, { seed: 1, number: 1, findings: ['lost'], figures: { kills: 1 } })
  addProgress(place, { seed: 2, number: 7, findings: [], figures: {} })
  appendFileSync(place, '\n{"seed":1,"num')
  addProgress(place, { seed: 1, number: null, findings: [], figures: { 'MiB at most': 300 } })
  const entries = readProgress(place, 1)
  expect(nextOf(entries)).toBe(2)
  expect(entries.flatMap(({ findings }) => findings)).toEqual(['lost'])
  expect(sumOfFigures(entries)).toEqual({ kills: 2, 'MiB at most': 300 })
})

test('figures: each line holds what is new, and the largest value stays the largest', () => {
  const first = differenceOf({ kills: 3, 'MiB at most': 200 }, { kills: 2, 'MiB at most': 150 })
  expect(first).toEqual({ kills: 1, 'MiB at most': 200 })
  const entry = { seed: 1, number: 0, findings: [] }
  const sums = sumOfFigures([
    { ...entry, figures: first },
    { ...entry, figures: { 'MiB at most': 120 } },
  ])
  expect(sums).toEqual({ kills: 1, 'MiB at most': 200 })
})
