import { expect, test } from 'vitest'
import { judgesNamedBy } from '#tests/runner/sources.ts'
import { JUDGES, type Judge, prepareJudges } from '#tests/support/machine.ts'

test('judges: those that are missing are named with their packages where nothing may be installed', () => {
  const has = (name: string) => (name === 'qpdf' ? '/usr/bin/qpdf' : undefined)
  const missing = prepareJudges(
    ['qpdf', 'mutool', 'certutil', 'pk12util'],
    { mayInstall: false },
    has,
  )
  expect(missing).toBe(
    `These programs, which judge our work, are missing: mutool (Debian package mupdf-tools), certutil (Debian package libnss3-tools), pk12util (Debian package libnss3-tools).
Install them with: apt-get install mupdf-tools libnss3-tools`,
  )
})

test('judges: nothing is said when all are there', () => {
  const all = Object.keys(JUDGES) as Judge[]
  expect(prepareJudges(all, { mayInstall: false }, (name) => `/usr/bin/${name}`)).toBeUndefined()
})

test('judges: a test needs those that it names, or that what it imports names', () => {
  expect(judgesNamedBy(['tests/unit/runner/selection.test.ts'])).toEqual([])
  expect(judgesNamedBy(['tests/e2e/sign-in/second-step.spec.ts'])).toContain('oathtool')
  expect(judgesNamedBy(['tests/integration/cli/judges.test.ts'])).toContain('qpdf')
})
