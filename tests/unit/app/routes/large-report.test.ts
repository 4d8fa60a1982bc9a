import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { VerdictSheet } from '#app/routes/verification/verdict-sheet.tsx'
import { fileFacts, verdictView } from '#app/routes/verification/verdict-view.ts'
import { boundedSignatures } from '#server/domain/verification/bounded-report.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { listedSignatures } from '#server/domain/verification/listed-signatures.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { threadTimeOf } from '#tests/support/cpu-time.ts'
import { aSignatureReport, aVerificationReport } from '#tests/support/pdf/verification-reports.ts'

const OPTIONS = { zone: 'America/Mexico_City', isDemo: false, names: 'whole' } as const

/** As much as a file may say: each signature with changes, locked fields and timestamps. */
function reportOf(signatures: number): VerificationReport {
  const changes = Array.from({ length: 50 }, (_, index) => ({
    ...{ revision: 2, level: 'FORM_FILLING' as const, object: `${index} 0`, page: index + 1 },
    ...changeFact('field-filled', { field: `Campo ${index}`, value: 'x'.repeat(100) }),
  }))
  const fields = Array.from({ length: 5000 }, (_, index) => `Campo ${index}`)
  const timestamp = {
    ...{ kind: 'signature' as const, valid: true, time: '2026-11-20T15:05:00.000Z' },
    ...{ authority: 'Sellos', vouched: true, trusted: true, reason: null },
  }
  const one = aSignatureReport({
    changes,
    fieldMdp: [{ action: 'Include', fields, respected: true }],
    timestamps: Array.from({ length: 100 }, () => timestamp),
  })
  const listed = listedSignatures(Array.from({ length: signatures }, () => one))
  return aVerificationReport(boundedSignatures(listed))
}

function page(report: VerificationReport): string {
  const verdict = verdictView(report, OPTIONS)
  return renderToString(createElement(VerdictSheet, { verdict, facts: fileFacts(report) }))
}

/** Tests draw by React's development build, which takes three to four times as long as that of a server. */
const LIMIT = 3 * 200

test('the report of 20,000 signatures is small, and its page is drawn within 200 ms', async () => {
  const report = reportOf(20_000)
  expect(JSON.stringify(report).length).toBeLessThan(1_500_000)
  page(reportOf(20))
  let html = ''
  const draw = () => {
    html = page(report)
  }
  const times = [await threadTimeOf(draw), await threadTimeOf(draw), await threadTimeOf(draw)]
  expect(html).toContain('cambios; el informe los considera todos')
  expect(Math.min(...times)).toBeLessThan(LIMIT)
})
