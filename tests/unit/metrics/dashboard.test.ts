import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createMeter } from '#server/metrics/prometheus-meter.ts'

const file = path.resolve(import.meta.dirname, '../../../docs/deploy/grafana.json')

test('dashboard: each panel asks for metrics that there are', async () => {
  const { text } = await createMeter().read({ waitingEvents: 0, figures: undefined })
  const names = new Set(text.match(/^# TYPE \S+/gm)?.map((line) => line.slice('# TYPE '.length)))
  const { panels } = JSON.parse(readFileSync(file, 'utf8'))
  expect(panels.length).toBeGreaterThan(6)
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      const asked = expr.match(/\b(?:rubrica|nodejs|process)_[a-z0-9_]+/g) ?? []
      expect([title, asked.length]).not.toEqual([title, 0])
      for (const name of asked)
        expect([title, names]).toEqual([
          title,
          expect.toSatisfy(
            () => names.has(name) || names.has(name.replace(/_(?:bucket|count|sum)$/, '')),
          ),
        ])
    }
})
