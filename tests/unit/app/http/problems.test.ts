import { expect, test } from 'vitest'
import { answerTo } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'

test('problem: names the damaged one of several documents', () => {
  const sentenceOf = (kind?: string) =>
    answerTo(new Problem('stored-file-damaged', '', kind ? { kind } : {})).sentence
  expect(sentenceOf('2026-000012')).toContain('guardado del documento 2026-000012 ya no es')
  expect(sentenceOf()).toContain('guardado de este documento ya no es')
})
