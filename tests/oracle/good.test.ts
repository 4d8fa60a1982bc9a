import { expect, test } from 'vitest'
import { textStream } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { signedDeed } from '#tests/attacks/sign-deed.ts'
import { testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { faultOfGood } from './good.ts'

test('an honest file is right when it is VALID, or when only its authority is unknown', async () => {
  const { file } = await signedDeed()
  const strangers = { ...(await testPolicy()), anchors: [], candidates: [] }
  expect(faultOfGood(await verified(file))).toBeUndefined()
  expect(await verified(file, strangers)).toMatchObject({ verdict: 'INDETERMINATE' })
  expect(faultOfGood(await verified(file, strangers))).toBeUndefined()
})

test('an honest file is wrong when it is INVALID, or INDETERMINATE because of how it is written', async () => {
  const { file } = await signedDeed()
  const changed = appendRevision(file, { 11: textStream('Otra cosa') })
  const crooked = appendRevision(file, { 60: '(nada)' }, { trailer: '/Size 5' })
  expect(faultOfGood(await verified(changed))).toContain('INVALID: ')
  expect(await verified(crooked)).toMatchObject({ verdict: 'INDETERMINATE' })
  expect(faultOfGood(await verified(crooked))).toContain('INDETERMINATE: ')
})
