import { readFileSync } from 'node:fs'
import { parseInclusionProofs, provenHead } from '#server/domain/audit/inclusion-proof.ts'
import { seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { beside } from '#tests/e2e/support/guest-invitations.ts'
import { FIRST } from '#tests/support/office/log-events.ts'

test('log proof: a visitor with the code downloads the proof that the signing is in the log', async ({
  page,
  demo,
  signedDeed,
}) => {
  const { main, link } = inMain(page)
  const deed = await signedDeed()
  const key = await beside(demo, async (system) => {
    expect(await checkpointLogs(system, undefined, seconds(0))).toBeUndefined()
    return system.settings.logKeys(FIRST).verifier
  })
  await page.goto(`/verify/${deed.id}`)
  await expect(main).toContainText(
    /La firma consta en la bitácora como evento \d+\. Lo prueba el punto de control firmado sobre \d{1,3}(,\d{3})* eventos, con raíz [0-9a-f]{16}…/,
  )
  const download = page.waitForEvent('download')
  await main.getByText('Otros formatos').click()
  await link('Descargar prueba de la bitácora').click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^bitácora .*\.tlog-proof$/)
  const text = readFileSync(await file.path(), 'utf8')
  const [proof] = parseInclusionProofs(text) ?? []
  expect(provenHead(proof!, [key])?.size).toBeGreaterThan(proof!.index)
  expect(text).not.toContain(deed.id)
  expect(text).not.toContain(deed.title)
})

test('log proof: a draft and an unknown code get the same answer', async ({
  page,
  uploadedDeed,
}) => {
  const draft = await uploadedDeed()
  const ids = [draft.id, '00000000-0000-4000-8000-000000000000', 'testamento']
  const answers = await Promise.all(
    ids.map(async (id) => {
      const answer = await page.request.get(`/verify/${id}/log.tlog-proof`)
      const { date: _, 'x-request-id': __, ...headers } = answer.headers()
      return { status: answer.status(), text: await answer.text(), headers: Object.keys(headers) }
    }),
  )
  expect(answers[0]?.status).toBe(404)
  for (const answer of answers) expect(answer).toEqual(answers[0])
})
