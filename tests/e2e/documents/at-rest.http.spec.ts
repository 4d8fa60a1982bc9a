import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

/** What the demo gives to people in the clear: it is not of its office. */
const GIVEN_AWAY = 'demo'
const CLEAR = ['%PDF-', '\u0089PNG\r\n']

/** The files of the office that hold a document, a page or a picture which anyone could open. */
function readableIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => !path.relative(folder, file).startsWith(`${GIVEN_AWAY}${path.sep}`))
    .filter((file) => {
      const content = readFileSync(file, 'latin1')
      return CLEAR.some((beginning) => content.includes(beginning))
    })
}

test('data folder: holds no readable document and no picture, after its pages were shown', async ({
  demo,
  person,
}) => {
  const clerk = person('CLERK')
  const { id } = await uploadDeed(demo.origin, clerk)
  const client = await signedInClient(demo.origin, clerk)
  const picture = `/dashboard/documents/${id}/pages/1.png?version=1&width=640`
  const { status, headers } = await client.get(picture)
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  expect(readableIn(process.env.DEMO_DATA ?? '')).toEqual([])
})
